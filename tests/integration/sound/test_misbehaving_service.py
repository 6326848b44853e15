"""A transcription service that errs costs time or a part, never the whole recording, and never a false word."""

import asyncio
from pathlib import Path

import pytest

from core.adapters.extractors.speech_service import Learned, Transcriber
from core.adapters.openai_client import open_client
from core.errors import PermanentError, RateLimited, TransientError
from core.model.source import Reason
from tests.fakes.tones import WORDS, speech, write
from tests.fakes.transcription import (
    FakeTranscription,
    crash,
    dropped,
    hang,
    page,
    raw,
    refusal,
    says,
    segment,
)
from tests.integration.sound.listening import cascade, extractor, hear, said_at, words

LONG = WORDS[:20]


@pytest.fixture(scope="module")
def lecture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty words, one a second."""
    return write(speech(LONG), tmp_path_factory.mktemp("lecture") / "lecture.flac")


@pytest.fixture(scope="module")
def note(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four words."""
    return write(speech(LONG[:4]), tmp_path_factory.mktemp("note") / "note.ogg", "-c:a", "libopus")


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(refusal(429, "Rate limit reached", {"Retry-After": "0.05"}), id="429"),
        pytest.param(crash(), id="500"),
        pytest.param(dropped(), id="dropped"),
        pytest.param(page(), id="html with 200"),
        pytest.param(raw("{broken"), id="broken json"),
        pytest.param(raw('{"something": "else"}'), id="json of something else"),
        pytest.param(raw("[1, 2]"), id="json that is a list"),
    ],
)
async def test_what_passes_is_tried_again(service: FakeTranscription, note: Path, trouble: object) -> None:
    service.script(trouble, trouble)  # type: ignore[arg-type]
    document = await hear(extractor(service), note)
    assert words(document) == list(LONG[:4])
    assert len(service.requests) == 3
    assert document.lost == ()


async def test_a_piece_that_is_never_heard_is_a_gap_that_is_said(service: FakeTranscription, lecture: Path) -> None:
    service.when(lambda asked: LONG[7] in asked.words, crash())
    document = await hear(extractor(service, piece_s=5.0), lecture)
    lost = next(asked.words for asked in service.requests if LONG[7] in asked.words)
    assert words(document) == [word for word in LONG if word not in lost]
    assert all(said_at(document)[word] == pytest.approx(LONG.index(word), abs=0.12) for word in words(document))
    first, last = LONG.index(lost[0]), LONG.index(lost[-1])
    assert document.lost == (Reason("lost-sound", {"from": f"0:{first - 1:02}", "to": f"0:{last + 1:02}"}),)


async def test_neighbouring_gaps_are_one(service: FakeTranscription, lecture: Path) -> None:
    service.when(lambda asked: bool({LONG[7], LONG[11]} & set(asked.words)), refusal(400, "audio could not be decoded"))
    document = await hear(extractor(service, piece_s=5.0), lecture)
    assert len(document.lost) == 1
    assert {LONG[0], LONG[19]} <= set(words(document))


async def test_a_piece_to_which_no_answer_comes_is_a_gap(service: FakeTranscription, lecture: Path) -> None:
    service.when(lambda asked: LONG[19] in asked.words, hang())
    document = await hear(extractor(service, piece_s=5.0, answer_s=5.0, tries=1), lecture)
    assert LONG[0] in words(document)
    assert LONG[19] not in words(document)
    assert [lost.values["to"] for lost in document.lost] == ["0:20"]


async def test_nobody_waits_beyond_the_deadline_nor_asks_again_after_it(service: FakeTranscription, note: Path) -> None:
    service.when(lambda _: True, hang())
    loop = asyncio.get_running_loop()
    async with open_client(service.url, "", silence_s=60.0) as client:
        hearing = Transcriber(client, "whisper-1", Learned(), until=loop.time() + 0.5)
        with pytest.raises(TransientError, match="speech-timeout"):
            await hearing.words(await asyncio.to_thread(note.read_bytes), (0.0, 4.0))
    assert len(service.requests) == 1


async def test_a_wait_that_the_deadline_does_not_allow_is_not_waited(service: FakeTranscription, note: Path) -> None:
    service.when(lambda _: True, refusal(429, "Rate limit reached", {"Retry-After": "600"}))
    with pytest.raises(RateLimited) as limited:
        await hear(extractor(service, deadline_s=60.0), note)
    assert limited.value.retry_after_s == 600
    assert len(service.requests) == 1


async def test_a_service_that_is_away_may_be_asked_later_and_is_not_asked_for_every_piece(
    service: FakeTranscription, lecture: Path
) -> None:
    service.when(lambda _: True, crash())
    with pytest.raises(TransientError, match="speech-unavailable"):
        await hear(extractor(service, piece_s=2.0), lecture)
    assert len({asked.sound for asked in service.requests}) <= 4


@pytest.mark.parametrize(
    ("trouble", "key"),
    [
        (refusal(401), "speech-auth"),
        (refusal(429, "You exceeded your current quota", code="insufficient_quota"), "speech-no-credit"),
    ],
)
async def test_a_wrong_key_and_an_empty_account_end_it_at_once(
    service: FakeTranscription, lecture: Path, trouble: object, key: str
) -> None:
    service.when(lambda _: True, trouble)  # type: ignore[arg-type]
    with pytest.raises(PermanentError, match=key):
        await hear(extractor(service, piece_s=5.0), lecture)
    assert len(service.requests) == 1


async def test_an_unknown_model_is_named(service: FakeTranscription, note: Path) -> None:
    service.when(lambda _: True, refusal(404, "The model does not exist", code="model_not_found"))
    with pytest.raises(PermanentError, match="speech-unknown-model"):
        await hear(extractor(service), note)


@pytest.mark.parametrize("formats", [{"json"}, {"text"}, {"json", "text"}])
async def test_without_times_in_the_answers_the_starts_of_short_pieces_are_the_times(
    service: FakeTranscription, lecture: Path, formats: set[str]
) -> None:
    service.formats = formats
    one = extractor(service, piece_s=15.0, short_piece_s=3.0)
    document = await hear(one, lecture)
    assert words(document) == list(LONG)
    assert len(document.times) >= 6
    for word, at in said_at(document).items():
        assert at is not None
        assert -0.1 <= LONG.index(word) - at <= 3.0
    asked = len(service.requests)
    await hear(one, lecture)  # what was learnt is not asked again
    refused = [one for one in service.requests[asked:] if one.fields["response_format"] not in formats]
    assert refused == []


async def test_a_service_that_refuses_long_pieces_gets_short_ones(service: FakeTranscription, lecture: Path) -> None:
    service.max_bytes = 120_000
    document = await hear(extractor(service, piece_s=15.0, short_piece_s=2.0), lecture)
    assert words(document) == list(LONG)


async def test_an_answer_that_is_plain_text_though_json_was_asked_for_is_taken(
    service: FakeTranscription, note: Path
) -> None:
    service.script(raw("Берег и ветер.", "text/plain"))
    document = await hear(extractor(service), note)
    assert document.text == "Берег и ветер."
    assert document.times[0].seconds == 0.0


async def test_times_that_cannot_be_are_put_right(service: FakeTranscription, note: Path) -> None:
    service.script(
        says(segment(900.0, -3.0, " Конец."), segment(-5.0, 1.0, " Начало."), segment(1.0, 2.0, " Середина."))
    )
    document = await hear(extractor(service), note)
    assert document.text == "Начало. Середина. Конец."
    seconds = [start.seconds for start in document.times]
    assert seconds == sorted(seconds)
    assert max(seconds) <= 4.0


async def test_an_empty_answer_to_one_piece_is_silence_not_a_gap(service: FakeTranscription, lecture: Path) -> None:
    service.when(lambda asked: LONG[7] in asked.words, says())
    document = await hear(extractor(service, piece_s=5.0), lecture)
    assert document.lost == ()
    assert LONG[0] in words(document)


async def test_the_cascade_asks_again_later_when_the_service_is_away(service: FakeTranscription, note: Path) -> None:
    service.when(lambda _: True, crash())
    with pytest.raises(TransientError):
        await cascade(extractor(service), note)
