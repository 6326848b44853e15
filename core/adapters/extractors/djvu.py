"""DJVU by the programs of djvulibre: its own text page by page, or its pages as pictures for OCR."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace

from core.adapters.extractor_child import die_with_parent
from core.adapters.extractors.tesseract_pages import TesseractPages
from core.ingest.cascade import ExtractionFailed
from core.ingest.pages import join_pages, split_pages
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Progress

_PAGE_TIMEOUT_S = 60.0
_SPLIT = re.compile(r"(?<=[^\W\d_])[-\u00ad]\n(?=[^\W\d_])")
# A word divided at a line's end.


@dataclass(frozen=True, slots=True)
class DjvuText:
    """The text layer that most scanned books carry; a page without one is missing."""

    name: str = "djvutxt"
    deadline_s: float = 180.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        """Say whether the programs are installed."""
        return "" if shutil.which("djvutxt") and shutil.which("djvused") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for, never more than `max_pages`."""
        count = _count(request.path)
        numbers = request.pages or tuple(range(1, min(count, request.max_pages) + 1))
        texts: dict[int, str] = {}
        for number in numbers:  # one by one: for a page without text the program writes nothing, not even its end
            texts[number] = _paragraphs(_run("djvutxt", f"--page={number}", request.path))
            progress(len(texts), len(numbers))
        missing = tuple(number for number in numbers if not any(map(str.isalnum, texts.get(number, ""))))
        return replace(join_pages(texts, page_count=count), missing_pages=missing)


@dataclass(frozen=True, slots=True)
class DjvuPictures:
    """Pages drawn into a PDF (0.2 s each), then read by tesseract (1-3 s each)."""

    name: str = "ddjvu+tesseract"
    deadline_s: float = 600.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the programs are installed."""
        return TesseractPages().unavailable() if shutil.which("ddjvu") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for, never more than `max_pages`."""
        count = _count(request.path)
        numbers = request.pages or tuple(range(1, min(count, request.max_pages) + 1))
        drawn = _drawn(request.path, numbers)
        inner = ExtractionRequest(drawn, SourceKind.PDF, max_pages=len(numbers), languages=request.languages)
        found = TesseractPages().extract(inner, progress)
        place = dict(enumerate(numbers, 1))
        read = join_pages({place[page]: text for page, text in split_pages(found).items()}, page_count=count)
        return replace(read, missing_pages=tuple(place[page] for page in found.missing_pages))


def _count(path: str) -> int:
    return int(_run("djvused", "-e", "n", path).strip() or 0)


def _paragraphs(text: str) -> str:
    """Join lines to paragraphs: djvutxt marks columns and paragraphs by control characters or empty lines."""
    blocks = re.split(r"\n\s*\n|[\x0b\x0c\x1d\x1f]+", _SPLIT.sub("", text))
    return "\n\n".join(" ".join(block.split()) for block in blocks if block.strip())


def _drawn(path: str, numbers: tuple[int, ...]) -> str:
    handle, target = tempfile.mkstemp(suffix=".pdf")
    os.close(handle)
    _run("ddjvu", "-format=pdf", "-quality=85", f"-page={','.join(map(str, numbers))}", path, target)
    return target


def _run(*command: str) -> str:
    """Run one of the programs and return what it says.

    Raises:
        ExtractionFailed: It is missing, failed, or took too long.
    """
    parent = os.getpid()
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PAGE_TIMEOUT_S * 2,
            check=True,
            preexec_fn=lambda: die_with_parent(parent),  # safe: this process has no other thread
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ExtractionFailed("extraction-failed", {"code": f"{command[0]}-{type(error).__name__}"}) from error
    return done.stdout.decode("utf-8", errors="ignore")
