"""Pages and pictures read by a model that sees: scans, photos, handwriting, formulas."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

import structlog

from core.adapters.extractors.page_images import DrawPages
from core.adapters.killable import Limits, run_killable
from core.adapters.vision.page_reader import PageReader, VisionEndpoint
from core.errors import KonspektError, TransientError
from core.ingest.extraction_failures import ExtractionFailed
from core.ingest.pages import join_pages
from core.model.document import Document
from core.model.source import Reason
from core.ports.documents import ExtractionRequest, Progress

log = structlog.get_logger()

WINDOW = 8
# Pages drawn and held in memory at once: some megabytes.

DRAWING = Limits(deadline_s=120.0, memory_bytes=2 << 30)
# A window takes some seconds; what takes longer is hostile.

LAST_SHARE = 0.95
# Of the deadline: then what was read so far is handed in.

REFUSED = frozenset({"vision-auth", "vision-no-credit", "vision-unknown-model"})
# After one of these no other page is asked for.


@dataclass(frozen=True, slots=True)
class VisionPages:
    """The pages of a PDF that are asked for, or all pictures of a file.

    Pages are drawn in a child without secrets; only this process knows the endpoint's key.
    """

    endpoint: VisionEndpoint
    name: str = "vision"
    deadline_s: float = 900.0

    def unavailable(self) -> str:
        """Say whether there is a model to ask."""
        return "" if self.endpoint.base_url and self.endpoint.model else "not-configured"

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages; one that was not read is missing, one without text is blank.

        Raises:
            TransientError: No page was read, and time may help.
            PermanentError: The endpoint refuses every request.
            ExtractionFailed: No page was read otherwise.
            UserError: The file cannot be opened, see `open_pictures`.
        """
        async with PageReader(self.endpoint) as reader:
            run = _Run(reader, asyncio.Semaphore(self.endpoint.parallel), request, progress)
            try:
                async with asyncio.timeout(self.deadline_s * LAST_SHARE):
                    await run.read_all()
            except TimeoutError:
                run.failures.append(TransientError("vision-timeout"))
        return run.document()


@dataclass(slots=True)
class _Run:
    """One reading: what was read so far, and what went wrong."""

    reader: PageReader
    free: asyncio.Semaphore
    request: ExtractionRequest
    progress: Progress
    numbers: tuple[int, ...] = ()
    count: int = 0
    texts: dict[int, str] = field(default_factory=dict)
    lost: list[Reason] = field(default_factory=list)
    failures: list[KonspektError] = field(default_factory=list)
    refused: bool = False

    async def read_all(self) -> None:
        """Go through the pages, a window at a time, until the end or until the endpoint refuses for good."""
        first = self.request.pages[:WINDOW] if self.request.pages else None
        drawn = await self._draw(first)
        self.numbers = self.request.pages or tuple(range(1, min(self.count, self.request.max_pages) + 1))
        for start in range(WINDOW, len(self.numbers) + WINDOW, WINDOW):
            async with asyncio.TaskGroup() as group:
                for number, jpeg in drawn.items():
                    group.create_task(self._read_page(number, jpeg))
            window = self.numbers[start : start + WINDOW]
            if self.refused or not window:
                return
            drawn = await self._draw(window)

    def document(self) -> Document:
        """Hand in what was read."""
        if not self.texts:
            raise next(
                (failure for failure in self.failures if isinstance(failure, TransientError)),
                next(iter(self.failures), ExtractionFailed("extraction-failed", {"code": "nothing-drawn"})),
            )
        missing = tuple(number for number in self.numbers if number not in self.texts)
        document = join_pages(self.texts, page_count=self.count)
        return replace(document, missing_pages=missing, lost=tuple(self.lost))

    async def _draw(self, pages: tuple[int, ...] | None) -> dict[int, bytes]:
        """Have pages drawn in a child; what it answers is checked, it may have been taken over."""
        task = DrawPages(self.request.path, pages, min(WINDOW, self.request.max_pages))
        answer = await run_killable(task, DRAWING, lambda _done, _total: None)
        match answer:
            case (int(count), dict(drawn), tuple(cut)) if _are_pictures(drawn):
                self.count = count
                self.lost += [Reason("lost-picture-cut", {"page": page}) for page in cut if isinstance(page, int)]
                return drawn
        raise ExtractionFailed("extraction-failed", {"code": "drawing-malformed"})

    async def _read_page(self, number: int, jpeg: bytes) -> None:
        """Read one page; bare paper is not asked about."""
        async with self.free:
            if self.refused:
                return
            try:
                self.texts[number] = await self.reader.read(jpeg) if jpeg else ""
            except KonspektError as error:
                self.failures.append(error)
                self.refused = self.refused or error.text_key in REFUSED
                log.warning("page_not_seen", page=number, code=str(error.values.get("code", error.text_key)))
        self.progress(len(self.texts), len(self.numbers))


def _are_pictures(drawn: dict[object, object]) -> bool:
    return all(isinstance(page, int) and isinstance(jpeg, bytes) for page, jpeg in drawn.items())
