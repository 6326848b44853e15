"""Read a file as the worker does: the whole cascade, each extractor in its child process."""

from __future__ import annotations

import re
from bisect import bisect_left
from pathlib import Path

from core.adapters.killable import KillableRunner
from core.ingest.cascade import Reading, read
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import Cascade, ExtractionRequest, Level
from core.settings import Settings
from workers.outside import build_outside

CASCADES = build_outside(Settings(_env_file=None)).cascades
"""As on a machine where no service is configured."""
_WORD = re.compile(r"\w+")


async def read_file(path: Path, kind: SourceKind, cascade: Cascade | None = None) -> Reading:
    """Run a kind's own cascade, or another one, over a file."""
    request = ExtractionRequest(str(path), kind, file_name=path.name)
    return await read(cascade or CASCADES[kind], request, runner=KillableRunner(), progress=lambda _done, _total: None)


async def run(extractor: Level, path: Path, kind: SourceKind = SourceKind.PDF, **options: object) -> Document:
    """Run one extractor in its child process."""
    request = ExtractionRequest(str(path), kind, **options)  # type: ignore[arg-type]
    return await KillableRunner().run(extractor, request, lambda _done, _total: None)


def words(text: str) -> list[str]:
    """The words of a text in order, without case."""
    return _WORD.findall(text.lower())


def recall(found: str, truth: str) -> float:
    """Return the share of the true words that were found in their order.

    Source:
        Hunt, Szymanski: A fast algorithm for computing longest common subsequences. CACM 20 (5), 1977.
    """
    places: dict[str, list[int]] = {}
    for index, word in enumerate(words(found)):
        places.setdefault(word, []).append(index)
    expected = words(truth)
    ends: list[int] = []  # of the best chains of each length, the smallest place they end at
    for word in expected:
        for place in reversed(places.get(word, [])):
            at = bisect_left(ends, place)
            ends[at : at + 1] = [place]
    return len(ends) / max(1, len(expected))
