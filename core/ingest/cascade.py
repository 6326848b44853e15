"""Try the extractors of a kind in order until a text passes the gate, then fill in single pages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from core.errors import KonspektError, PermanentError, TransientError, UserError
from core.ingest.extraction_failures import ExtractionFailed, ExtractionOutOfMemory, ExtractionTimeout
from core.ingest.pages import put_pages, split_pages
from core.ingest.quality import Judgement, judge
from core.model.document import Document
from core.model.source import Attempt, Outcome, Reason
from core.ports.documents import Cascade, ChildRunner, ExtractionRequest, Level, Progress

__all__ = ["RESCUE_BATCH", "ExtractionFailed", "ExtractionOutOfMemory", "ExtractionTimeout", "Reading", "read"]

FAINT = frozenset({"source-photo-no-text"})
"""What a weak level says may be wrong: a stronger one before it that was only away is waited for."""
BROKE = (ExtractionFailed, ExtractionOutOfMemory, ExtractionTimeout)

RESCUE_BATCH = 8
# Pages given to a page rescue at once: small enough that a time-out costs little, large enough to pay for the start.


@dataclass(frozen=True, slots=True)
class Reading:
    """What a cascade made of a file.

    Attributes:
        document: None when nothing could be read; then `reason` is set.
        extractor: Name of the one that won, with the page rescue behind a plus; "" when none did.
        attempts: In the order they were made.
        reason: What to tell the person when there is no document, None otherwise.
    """

    document: Document | None
    extractor: str
    attempts: tuple[Attempt, ...]
    reason: Reason | None = None


Trying = Callable[[str], None]
"""Told the name of each extractor when it begins."""


async def read(
    cascade: Cascade,
    request: ExtractionRequest,
    *,
    runner: ChildRunner,
    progress: Progress,
    trying: Trying = lambda _name: None,
) -> Reading:
    """Read a file with the first extractor whose text passes the gate.

    A text that fails the gate is kept as long as no better one comes: its readable pages are used together with what
    the page rescue finds. A `UserError` of an extractor ends the reading with its own text key.

    Raises:
        TransientError: Nothing could be read, and an extractor said that time may help.
    """
    run = _Run(request, runner, progress, trying)
    try:
        best = await run.first_good(cascade.extractors)
        best = await run.rescue(cascade.page_rescue, best)
    except UserError as error:
        if run.transient is not None and error.text_key in FAINT:
            raise run.transient from error
        return Reading(None, "", tuple(run.attempts), Reason(error.text_key, error.values))
    if best.document is not None and best.judgement.readable:
        return Reading(best.document, best.extractor, tuple(run.attempts))
    if run.transient is not None:
        raise run.transient
    if best.document is None and run.refused is not None:
        return Reading(None, "", tuple(run.attempts), Reason(run.refused.text_key, run.refused.values))
    return Reading(None, "", tuple(run.attempts), Reason(_text_key(cascade, run, best), {}))


def _text_key(cascade: Cascade, run: _Run, best: _Candidate) -> str:
    """Name what the person should be told when nothing could be read."""
    if all(attempt.outcome is Outcome.UNAVAILABLE for attempt in run.attempts):
        return cascade.unavailable
    if best.document is not None:
        return f"source-{best.judgement.reason}"
    if any(attempt.outcome in (Outcome.TIMEOUT, Outcome.OUT_OF_MEMORY) for attempt in run.attempts):
        return "source-too-heavy"
    return cascade.unread


_NOTHING = Judgement(ok=False, reason="unreadable")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A text with what the gate said of it."""

    document: Document | None = None
    extractor: str = ""
    judgement: Judgement = _NOTHING

    @property
    def worth(self) -> tuple[bool, int]:
        """Compare texts that the gate rejected: readable ones first, then by characters on good pages."""
        return self.judgement.readable, self.judgement.good_characters


@dataclass(slots=True)
class _Run:
    """One reading: its attempts so far and what it works with."""

    request: ExtractionRequest
    runner: ChildRunner
    progress: Progress
    trying: Trying
    attempts: list[Attempt] = field(default_factory=list)
    transient: TransientError | None = None
    refused: PermanentError | None = None
    """What the last service said that would not have us at all: a wrong key, an empty account."""

    async def first_good(self, extractors: Sequence[Level]) -> _Candidate:
        """Return the first text that passes, or the best of those that did not."""
        best = _Candidate()
        for extractor in extractors:
            candidate = await self._try(extractor, self.request, self.progress)
            if candidate is None:
                continue
            if candidate.judgement.ok:
                return candidate
            if best.document is None or candidate.worth > best.worth:
                best = candidate
        return best

    async def rescue(self, extractors: Sequence[Level], best: _Candidate) -> _Candidate:
        """Have the bad pages of a text read by other means and put them in their places."""
        if best.document is None or not best.judgement.bad_pages:
            return best
        todo = best.judgement.bad_pages
        found: dict[int, str] = {}
        used: list[str] = []
        for extractor in extractors:
            if extractor.name == best.extractor:  # it has seen these pages
                continue
            pages = await self._read_pages(extractor, todo)
            if pages:
                used.append(extractor.name)
                found |= pages
            todo = tuple(page for page in todo if page not in pages)
            if not todo:
                break
        return await asyncio.to_thread(self._merged, best, found, used)

    async def _read_pages(self, extractor: Level, pages: Sequence[int]) -> dict[int, str]:
        """Return the pages it read, "" for those it found blank; one attempt is recorded for all batches."""
        found: dict[int, str] = {}
        before = len(self.attempts)
        for start in range(0, len(pages), RESCUE_BATCH):
            batch = tuple(pages[start : start + RESCUE_BATCH])
            candidate = await self._try(extractor, replace(self.request, pages=batch), self._shifted(start, len(pages)))
            if candidate is not None and candidate.document is not None:
                found |= _rescued(candidate.document, batch, candidate.judgement)
            elif _hopeless(self.attempts[before:]):
                break
        self.attempts[before:] = _as_one(self.attempts[before:])
        return found

    def _merged(self, best: _Candidate, found: dict[int, str], used: list[str]) -> _Candidate:
        """Put the rescued pages in, and say of the rest that they are missing."""
        document = best.document
        assert document is not None  # asked by the only caller
        old = split_pages(document)
        garbled = set(best.judgement.garbled_pages)
        better = {n: text for n, text in found.items() if n in garbled or len(text) > len(old.get(n, ""))}
        lost = {page: "" for page in garbled if page not in found}
        missing = [page for page in best.judgement.bad_pages if page not in found]
        merged = put_pages(document, better | lost, missing=tuple(missing))
        judgement = judge(merged, self.request.kind)
        if not judgement.readable:  # what was wrong before the rescue tells more than what is left after it
            judgement = replace(judgement, reason=best.judgement.reason)
        return _Candidate(merged, "+".join([best.extractor, *used]), judgement)

    def _shifted(self, start: int, total: int) -> Progress:
        """Report a batch's pages as a part of all pages to rescue."""

        def report(done: int, _total: int) -> None:
            self.progress(start + done, total)

        return report

    async def _try(self, extractor: Level, request: ExtractionRequest, progress: Progress) -> _Candidate | None:
        """Run one extractor, record the attempt, and return its text with the gate's word on it."""
        if reason := await asyncio.to_thread(extractor.unavailable):
            self._record(extractor, Outcome.UNAVAILABLE, reason, 0.0)
            return None
        started = time.monotonic()
        self.trying(extractor.name)
        try:
            document = await self.runner.run(extractor, request, progress)
        except UserError as error:
            self._record(extractor, Outcome.FAILED, error.text_key, time.monotonic() - started)
            raise
        except KonspektError as error:
            self._record(extractor, *_told(error), time.monotonic() - started)
            self._remember(error)
            return None
        judgement = await asyncio.to_thread(judge, document, request.kind)
        outcome = Outcome.WON if judgement.ok else Outcome.REJECTED
        self._record(extractor, outcome, judgement.reason, time.monotonic() - started)
        return _Candidate(document, extractor.name, judgement)

    def _remember(self, error: KonspektError) -> None:
        if isinstance(error, TransientError):
            self.transient = self.transient or error
        elif isinstance(error, PermanentError) and not isinstance(error, BROKE):
            self.refused = error

    def _record(self, extractor: Level, outcome: Outcome, reason: str, seconds: float) -> None:
        self.attempts.append(Attempt(extractor.name, outcome, reason, round(seconds, 3)))


def _told(error: KonspektError) -> tuple[Outcome, str]:
    """Turn an error into an attempt's outcome and its short reason."""
    code = str(error.values.get("code", error.text_key))
    if isinstance(error, ExtractionTimeout):
        return Outcome.TIMEOUT, code
    return Outcome.OUT_OF_MEMORY if isinstance(error, ExtractionOutOfMemory) else Outcome.FAILED, code


def _rescued(document: Document, asked: Sequence[int], judgement: Judgement) -> dict[int, str]:
    """Return the asked pages that were read; one that is neither read nor named missing is blank and has ""."""
    lost = set(document.missing_pages) | set(judgement.garbled_pages)
    read_pages = split_pages(document)
    return {page: read_pages.get(page, "") for page in asked if page not in lost}


def _hopeless(attempts: Sequence[Attempt]) -> bool:
    """Say whether a page rescue should be left alone: it is not here, or was killed at its deadline twice running."""
    last = [attempt.outcome for attempt in attempts[-2:]]
    return last[-1] is Outcome.UNAVAILABLE or last == [Outcome.TIMEOUT, Outcome.TIMEOUT]


def _as_one(attempts: list[Attempt]) -> list[Attempt]:
    """Sum up a page rescue's batches: the best outcome stands, the seconds add up."""
    if not attempts:
        return []
    best = next((attempt for attempt in attempts if attempt.outcome is Outcome.WON), attempts[-1])
    return [replace(best, seconds=round(sum(attempt.seconds for attempt in attempts), 3))]
