"""Runs one level of a cascade, the whole cascade, and a cascade whose first levels fail; each as the worker does."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

import psutil

from core.adapters.killable import KillableRunner
from core.errors import KonspektError
from core.ingest.cascade import read
from core.ingest.pages import split_pages
from core.ingest.quality import judge
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import Cascade, ExtractionRequest, Level, Progress
from tests.integration.extraction.reading import recall, words
from tests.quality.extraction_samples import Sample
from tests.quality.structure import Shares, Structure, error_rate, visible

LOOK_S = 0.05
WHOLE = "whole cascade"
BREAKS = ("raises", "dies", "hangs")
PAGE_WORDS = 20
# A page with fewer words does not tell whether it is the right one.


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one sample at one level.

    Attributes:
        kind: By its bytes; None when it was refused before anything read it.
        level: The extractor, or `WHOLE`.
        outcome: `won`, or what was said against it; for the whole cascade the name of the winner, or the text key.
        in_order, at_all: Shares of the true words.
        structure: Found and true headings, cells and items; None where the truth has none.
        errors: Word error rate of what was read from pictures, else None.
        pages: Pages whose text stands on the right page, and of how many.
        memory_mb: Peak of what ran beside this process.
    """

    sample: Sample
    kind: SourceKind | None
    level: str
    outcome: str
    seconds: float
    memory_mb: float
    in_order: float = 0.0
    at_all: float = 0.0
    structure: tuple[Shares, Shares, Shares] | None = None
    errors: float | None = None
    pages: Shares = (0, 0)


@dataclass(frozen=True, slots=True)
class Forced:
    """A cascade whose first levels were made to fail.

    Attributes:
        failed: Their names.
        rest: The levels behind them that are there.
        row: What became of the sample.
    """

    failed: tuple[str, ...]
    rest: tuple[str, ...]
    row: Row

    @property
    def kept(self) -> bool:
        """Say whether one of the rest took over, or, where there is none, whether the person is told."""
        outcome = self.row.outcome
        if not self.rest:
            return outcome.startswith("source-")
        return any(outcome == name or outcome.startswith(f"{name}+") for name in self.rest)


@dataclass(frozen=True, slots=True)
class Broken:
    """A level that fails in one of three ways, in a child as every extractor."""

    name: str
    how: str
    deadline_s: float = 3.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        """It is there."""
        return ""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Fail."""
        if self.how == "dies":
            os._exit(3)
        if self.how == "hangs":
            threading.Event().wait()
        raise RuntimeError(self.how)


@dataclass(slots=True)
class Meter:
    """Seconds and the peak memory of the processes below this one."""

    begun: float = field(default_factory=time.monotonic)
    peak_bytes: int = 0

    @property
    def read(self) -> dict[str, float]:
        """Both, as a row holds them."""
        return {"seconds": time.monotonic() - self.begun, "memory_mb": self.peak_bytes / 2**20}


@asynccontextmanager
async def metered() -> AsyncIterator[Meter]:
    """Measure what runs inside."""
    meter = Meter()
    async with asyncio.TaskGroup() as group:
        looking = group.create_task(_look(meter))
        yield meter
        looking.cancel()


async def _look(meter: Meter) -> None:
    while True:
        meter.peak_bytes = max(meter.peak_bytes, await asyncio.to_thread(_resident_below))
        await asyncio.sleep(LOOK_S)


def _resident_below() -> int:
    total = 0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            total += process.memory_info().rss
    return total


def _request(sample: Sample, kind: SourceKind) -> ExtractionRequest:
    return ExtractionRequest(str(sample.path), kind, file_name=sample.path.name)


async def run_level(level: Level, sample: Sample, kind: SourceKind) -> Row:
    """Run one level alone."""
    document, outcome = None, level.unavailable()
    async with metered() as meter:
        if outcome:
            outcome = f"unavailable: {outcome}"
        else:
            document, outcome = await _extracted(level, _request(sample, kind))
        row = Row(sample, kind, level.name, outcome, **meter.read)
    return row if document is None else _compared(row, document)


async def _extracted(level: Level, request: ExtractionRequest) -> tuple[Document | None, str]:
    try:
        document = await KillableRunner().run(level, request, _unseen)
    except KonspektError as error:
        return None, f"failed: {error.values.get('code', error.text_key)}"
    judgement = judge(document, request.kind)
    return document, "won" if judgement.ok else f"rejected: {judgement.reason}"


async def run_cascade(cascade: Cascade, sample: Sample, kind: SourceKind) -> Row:
    """Run the whole of it; the outcome names the winner."""
    async with metered() as meter:
        try:
            reading = await read(cascade, _request(sample, kind), runner=KillableRunner(), progress=_unseen)
        except KonspektError as error:
            return Row(sample, kind, WHOLE, error.text_key, **meter.read)
        outcome = reading.extractor or (reading.reason.text_key if reading.reason else "?")
        row = Row(sample, kind, WHOLE, outcome, **meter.read)
    return row if reading.document is None else _compared(row, reading.document)


def broken_before(cascade: Cascade, count: int) -> Cascade:
    """Replace the first levels by failing ones of the same names, each failing in its own way."""
    broken = tuple(Broken(level.name, BREAKS[i % len(BREAKS)]) for i, level in enumerate(cascade.extractors[:count]))
    return replace(cascade, extractors=broken + cascade.extractors[count:])


def _compared(row: Row, document: Document) -> Row:
    """Fill in what the text is worth."""
    truth, text = row.sample.truth, visible(document.text)
    wanted, had = Counter(words(truth.text)), Counter(words(text))
    found = None if truth.structure is None else truth.structure.found_in(Structure.of_markdown(document.text))
    return replace(
        row,
        in_order=recall(text, truth.text),
        at_all=(wanted & had).total() / max(1, wanted.total()),
        structure=found,
        errors=error_rate(text, truth.text) if row.sample.is_picture else None,
        pages=_right_pages(row, document),
    )


def _right_pages(row: Row, document: Document) -> Shares:
    """Count the pages of a PDF most of whose own words, as pdfium sees them, stand on the page of that number.

    Of the other kinds that have pages, and where pdfium sees no words or wrong ones, those count that the map names.
    """
    if row.kind is not SourceKind.PDF or row.sample.is_picture or row.sample.path.parent.name == "bad":
        return len(document.pages), document.page_count
    import pypdfium2 as pdfium

    read_pages = split_pages(document)
    right = total = 0
    with pdfium.PdfDocument(row.sample.path) as pdf:
        for number in range(1, len(pdf) + 1):
            own = Counter(words(pdf[number - 1].get_textpage().get_text_bounded()))
            if own.total() >= PAGE_WORDS:
                total += 1
                right += 2 * (own & Counter(words(read_pages.get(number, "")))).total() > own.total()
    return right, total


def _unseen(_done: int, _total: int) -> None:
    """Progress that nobody watches."""
