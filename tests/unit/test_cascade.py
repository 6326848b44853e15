"""A cascade stops at the first good text, remembers every try, and fills in single pages."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from core.errors import PermanentError, TransientError, UserError
from core.ingest.cascade import (
    ExtractionFailed,
    ExtractionOutOfMemory,
    ExtractionTimeout,
    Reading,
    read,
)
from core.ingest.pages import join_pages
from core.model.document import Document
from core.model.source import Outcome, SourceKind
from core.ports.documents import Cascade, ExtractionRequest, Extractor, Progress

GOOD = "Обследование парков проводилось в два этапа, и каждое измерение повторяли трижды."
GARBLED = GOOD.encode("cp1251").decode("latin-1") * 2


@dataclass
class Scripted:
    """An extractor that gives what it was told to, page by page when asked for pages."""

    name: str
    result: Document | Exception | dict[int, str]
    lack: str = ""
    deadline_s: float = 1.0
    memory_bytes: int = 1
    asked: list[tuple[int, ...] | None] = field(default_factory=list)

    def unavailable(self) -> str:
        return self.lack

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        self.asked.append(request.pages)
        if isinstance(self.result, Exception):
            raise self.result
        if isinstance(self.result, Document):
            return self.result
        wanted = request.pages or ()
        texts = {page: text for page, text in self.result.items() if page in wanted}
        progress(len(wanted), len(wanted))
        found = join_pages(texts)
        return Document(found.text, found.pages, missing_pages=tuple(page for page in wanted if page not in texts))


class Here:
    """Runs an extractor in this process: these extractors do no harm."""

    async def run(self, extractor: Extractor, request: ExtractionRequest, progress: Progress) -> Document:
        return extractor.extract(request, progress)


async def _read(*extractors: Scripted, rescue: tuple[Scripted, ...] = (), seen: list[object] | None = None) -> Reading:
    request = ExtractionRequest("file", SourceKind.PDF)
    report = (lambda done, total: seen.append((done, total))) if seen is not None else lambda _done, _total: None
    return await read(Cascade(extractors, rescue), request, runner=Here(), progress=report)


def _pages(texts: dict[int, str], *, missing: tuple[int, ...] = (), count: int = 0) -> Document:
    found = join_pages(texts, page_count=count)
    return Document(found.text, found.pages, page_count=max(found.page_count, *missing, 0), missing_pages=missing)


async def test_the_first_good_text_wins_and_later_extractors_are_not_asked() -> None:
    later = Scripted("later", Document(GOOD))
    reading = await _read(Scripted("first", Document(GOOD)), later)
    assert (reading.extractor, reading.reason, later.asked) == ("first", None, [])
    assert [attempt.outcome for attempt in reading.attempts] == [Outcome.WON]


async def test_every_attempt_is_kept_with_its_outcome_and_reason() -> None:
    reading = await _read(
        Scripted("absent", Document(GOOD), lack="no-weights"),
        Scripted("slow", ExtractionTimeout("extraction-timeout", {"code": "after-1-s"})),
        Scripted("fat", ExtractionOutOfMemory("extraction-out-of-memory", {"code": "above-1-mb"})),
        Scripted("broken", ExtractionFailed("extraction-failed", {"code": "ParseError"})),
        Scripted("hopeless", PermanentError("source-unreadable")),
        Scripted("empty", Document("")),
        Scripted("winner", Document(GOOD)),
    )
    assert [(attempt.extractor, attempt.outcome, attempt.reason) for attempt in reading.attempts] == [
        ("absent", Outcome.UNAVAILABLE, "no-weights"),
        ("slow", Outcome.TIMEOUT, "after-1-s"),
        ("fat", Outcome.OUT_OF_MEMORY, "above-1-mb"),
        ("broken", Outcome.FAILED, "ParseError"),
        ("hopeless", Outcome.FAILED, "source-unreadable"),
        ("empty", Outcome.REJECTED, "empty"),
        ("winner", Outcome.WON, ""),
    ]


async def test_an_error_that_the_person_can_put_right_ends_the_reading() -> None:
    later = Scripted("later", Document(GOOD))
    reading = await _read(Scripted("first", UserError("source-encrypted", {"pages": 3})), later)
    assert reading.document is None
    assert reading.reason is not None
    assert (reading.reason.text_key, reading.reason.values) == ("source-encrypted", {"pages": 3})
    assert later.asked == []


async def test_f1_bad_pages_are_rescued_and_only_these() -> None:
    rescue = Scripted("ocr", {2: "вторая страница, прочитанная с картинки", 3: "третья"})
    reading = await _read(Scripted("pdf", _pages({1: GOOD, 4: GOOD}, missing=(2, 3))), rescue=(rescue,))
    assert rescue.asked == [(2, 3)]
    assert reading.document is not None
    assert [start.page for start in reading.document.pages] == [1, 2, 3, 4]
    assert reading.document.missing_pages == ()
    assert reading.document.page_at(reading.document.text.index("третья")) == 3
    assert (reading.extractor, len(reading.attempts)) == ("pdf+ocr", 2)


async def test_pages_that_nobody_could_read_are_named() -> None:
    reading = await _read(
        Scripted("pdf", _pages({1: GOOD}, missing=(2, 3, 4))),
        rescue=(Scripted("ocr", {3: "третья страница"}), Scripted("vision", {4: "четвёртая"})),
    )
    assert reading.document is not None
    assert reading.document.missing_pages == (2,)
    assert reading.extractor == "pdf+ocr+vision"


async def test_a_blank_page_found_by_the_rescue_is_not_missing() -> None:
    reading = await _read(Scripted("pdf", _pages({1: GOOD}, missing=(2,))), rescue=(Scripted("ocr", {2: ""}),))
    assert reading.document is not None
    assert reading.document.missing_pages == ()


async def test_a_garbled_page_is_replaced_and_without_rescue_left_out() -> None:
    source = _pages(dict.fromkeys(range(1, 10), GOOD) | {10: GARBLED})
    rescued = await _read(Scripted("pdf", source), rescue=(Scripted("ocr", {10: "короткая"}),))
    assert rescued.document is not None
    assert rescued.document.text.endswith("короткая")
    lost = await _read(Scripted("pdf", source), rescue=(Scripted("ocr", {}, lack="not-installed"),))
    assert lost.document is not None
    assert GARBLED not in lost.document.text
    assert lost.document.missing_pages == (10,)


async def test_text_that_was_there_is_not_lost_to_a_worse_rescue() -> None:
    stamp = "Штамп: получено 5 мая"
    reading = await _read(
        Scripted("pdf", _pages({1: GOOD, 2: stamp}, missing=(2,))), rescue=(Scripted("ocr", {2: "Штамп"}),)
    )
    assert reading.document is not None
    assert stamp in reading.document.text
    assert reading.document.missing_pages == ()


async def test_rescue_goes_on_behind_a_batch_that_failed() -> None:
    @dataclass
    class FailsOnce(Scripted):
        def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
            if request.pages and request.pages[0] == 2:
                raise ExtractionTimeout("extraction-timeout", {"code": "after-1-s"})
            return super().extract(request, progress)

    seen: list[object] = []
    ocr = FailsOnce("ocr", {page: f"страница номер {page}" for page in range(2, 13)})
    reading = await _read(Scripted("pdf", _pages({1: GOOD}, missing=tuple(range(2, 13)))), rescue=(ocr,), seen=seen)
    assert reading.document is not None
    assert reading.document.missing_pages == tuple(range(2, 10))
    assert (11, 11) in seen
    assert [(attempt.extractor, attempt.outcome) for attempt in reading.attempts[1:]] == [("ocr", Outcome.WON)]


async def test_a_rescue_that_only_runs_out_of_time_is_left_alone() -> None:
    slow = Scripted("ocr", ExtractionTimeout("extraction-timeout", {"code": "after-1-s"}))
    reading = await _read(Scripted("pdf", _pages({1: GOOD}, missing=tuple(range(2, 102)))), rescue=(slow,))
    assert len(slow.asked) == 2
    assert reading.document is not None
    assert len(reading.document.missing_pages) == 100


@pytest.mark.parametrize(
    ("document", "key"),
    [
        (_pages({}, missing=(1, 2)), "source-scan-without-text"),
        (_pages({1: "Копия"}, missing=(1,)), "source-scan-without-text"),
        (_pages({1: GARBLED}), "source-garbled"),
        (Document(""), "source-empty"),
    ],
)
async def test_f1_when_nothing_can_be_read_the_reason_says_what_it_was(document: Document, key: str) -> None:
    reading = await _read(Scripted("pdf", document), rescue=(Scripted("ocr", {}),))
    assert reading.document is None
    assert reading.extractor == ""
    assert reading.reason is not None
    assert reading.reason.text_key == key


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (ExtractionFailed("extraction-failed", {"code": "x"}), "source-unreadable"),
        (ExtractionTimeout("extraction-timeout", {"code": "x"}), "source-too-heavy"),
        (ExtractionOutOfMemory("extraction-out-of-memory", {"code": "x"}), "source-too-heavy"),
    ],
)
async def test_when_every_extractor_fails_the_reason_says_so(error: Exception, key: str) -> None:
    reading = await _read(Scripted("pdf", error))
    assert reading.reason is not None
    assert reading.reason.text_key == key


async def test_a_failure_that_time_may_heal_is_raised_only_when_nothing_else_worked() -> None:
    busy = Scripted("vision", TransientError("model-busy"))
    with pytest.raises(TransientError, match="model-busy"):
        await _read(busy, Scripted("pdf", Document("")))
    assert (await _read(busy, Scripted("pdf", Document(GOOD)))).extractor == "pdf"


async def test_of_two_rejected_texts_the_one_with_more_good_pages_is_used() -> None:
    worse = _pages({1: GARBLED, 2: GARBLED, 3: GOOD})
    better = _pages({1: GARBLED, 2: GOOD, 3: GOOD})
    reading = await _read(Scripted("worse", worse), Scripted("better", better))
    assert reading.extractor == "better"
    assert reading.document is not None
    assert reading.document.missing_pages == (1,)
