"""PDF pages as pictures, read by tesseract: for scans and for pages whose own text is garbled."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from core.adapters.extractor_child import die_with_parent
from core.ingest.cascade import ExtractionFailed
from core.ingest.pages import join_pages
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument

DPI = 300
# Russian word error 0.022 at 300, 0.032 at 150.

MAX_PIXELS = 40_000_000
# A page larger than A3 at 300 dpi is drawn smaller: 40 million pixels are 120 MB.

LANGUAGES = "rus+eng"
# `rus` alone destroys English.

PAGE_TIMEOUT_S = 60.0
# A page takes 1-3 s.

_ROTATE = re.compile(r"^Rotate: (\d+)$", re.M)
_SURE = re.compile(r"^Orientation confidence: ([\d.]+)$", re.M)
_LIKELY = 2.0
# tesseract's own scale; below it a wrong turn is likelier than a page that lies.


@dataclass(frozen=True, slots=True)
class TesseractPages:
    """1-3 s a page; printed text only: photos and handwriting need a vision model."""

    name: str = "tesseract"
    deadline_s: float = 600.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the program and its Russian data are installed."""
        return _lack()

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for; a page on which nothing was recognised is missing, unless it is blank."""
        import pypdfium2 as pdfium

        with pdfium.PdfDocument(request.path) as pdf:
            count = len(pdf)
            numbers = request.pages or tuple(range(1, min(count, request.max_pages) + 1))
            texts: dict[int, str] = {}
            missing: list[int] = []
            for number in numbers:
                picture = _draw(pdf, number)
                texts[number] = "" if _is_blank(picture) else _recognise(picture)
                if not texts[number] and not _is_blank(picture):
                    missing.append(number)
                progress(len(texts), len(numbers))
        return replace(join_pages(texts, page_count=count), missing_pages=tuple(missing))


@cache
def _lack() -> str:
    """Ask tesseract once a process for its languages."""
    try:
        listed = subprocess.run(
            ["tesseract", "--list-langs"], capture_output=True, text=True, timeout=10, check=True
        ).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return "not-installed"
    return "" if {"rus", "eng"} <= set(listed) else "no-russian"


def _draw(pdf: PdfDocument, number: int) -> Image:
    """Draw a page in grey at 300 dpi, or smaller when it is huge."""
    page = pdf[number - 1]
    width, height = page.get_size()
    scale = min(DPI / 72, (MAX_PIXELS / max(1.0, width * height)) ** 0.5)
    picture: Image = page.render(scale=scale, grayscale=True).to_pil().convert("L")
    page.close()
    return picture


def _is_blank(picture: Image) -> bool:
    """Say whether there is nothing but paper: hardly a pixel is darker than its neighbourhood."""
    from PIL import ImageOps, ImageStat

    small = ImageOps.grayscale(picture).reduce(4)
    statistics = ImageStat.Stat(small)
    darkest, brightest = statistics.extrema[0]
    return bool(brightest - darkest < 40 or statistics.stddev[0] < 1.0)


def _recognise(picture: Image) -> str:
    """Turn the page upright, then read it."""
    upright = picture.rotate(-_turn(picture), expand=True, fillcolor=255)
    return _tidy(_tesseract(upright, "--psm", "3", "-l", LANGUAGES))


def _turn(picture: Image) -> int:
    """Return by how many degrees clockwise the page must be turned, 0 when tesseract is not sure."""
    try:
        told = _tesseract(picture, "--psm", "0", "-l", "osd")
    except ExtractionFailed:  # too few characters to tell
        return 0
    turn, sure = _ROTATE.search(told), _SURE.search(told)
    return int(turn.group(1)) if turn and sure and float(sure.group(1)) >= _LIKELY else 0


def _tesseract(picture: Image, *options: str) -> str:
    import os
    from io import BytesIO

    buffer = BytesIO()
    picture.save(buffer, "PNG", dpi=(DPI, DPI), compress_level=1)
    parent = os.getpid()
    try:
        done = subprocess.run(
            ["tesseract", "stdin", "stdout", "--dpi", str(DPI), *options],
            input=buffer.getvalue(),
            capture_output=True,
            timeout=PAGE_TIMEOUT_S,
            check=True,
            env=os.environ | {"OMP_THREAD_LIMIT": "1"},
            preexec_fn=lambda: die_with_parent(parent),  # safe: this process has no other thread
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ExtractionFailed("extraction-failed", {"code": f"tesseract-{type(error).__name__}"}) from error
    return done.stdout.decode("utf-8", errors="ignore")


def _tidy(text: str) -> str:
    """Join words that were split at a line's end and lines that are one paragraph."""
    paragraphs = re.split(r"\n\s*\n", text.replace("\f", ""))
    joined = (re.sub(r"(?<=[^\W\d_])[-\u00ad]\n(?=[^\W\d_])", "", paragraph.strip()) for paragraph in paragraphs)
    return "\n\n".join(paragraph.replace("\n", " ") for paragraph in joined if paragraph)
