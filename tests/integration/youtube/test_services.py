"""Levels that ask other services: Firecrawl, Jina Reader, and recognition of the sound."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from core.adapters.killable import KillableRunner
from core.adapters.youtube.audio import YoutubeAudio
from core.adapters.youtube.readers import FirecrawlVideo, JinaVideo
from core.errors import KonspektError, RateLimited, TransientError, UserError
from core.ingest.extraction_failures import ExtractionFailed, ExtractionTimeout
from core.model.document import Document, TimeStart
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Progress, ServiceExtractor
from tests.fakes.firecrawl import KEY, FakeReaders
from tests.fakes.youtube import FakeYoutube
from tests.fakes.youtube_video import PRIVATE, Video
from tests.integration.youtube.conftest import request_for, silent

WATCH = "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
SPEECH = "Кассовый разрыв — это нехватка денег. [Музыка] Он бывает у прибыльных компаний."


@pytest.fixture(params=["firecrawl", "jina"])
def service(request: pytest.FixtureRequest, readers: FakeReaders) -> ServiceExtractor:
    if request.param == "firecrawl":
        return FirecrawlVideo(readers.url, KEY)
    return JinaVideo(f"{readers.url}/jina/", KEY)


async def read(level: ServiceExtractor) -> Document:
    return await KillableRunner().run(level, request_for(), silent)


async def test_the_transcript_is_taken_and_the_loss_of_times_is_said(
    service: ServiceExtractor, readers: FakeReaders
) -> None:
    readers.transcript = SPEECH
    document = await read(service)
    assert document.text == "Кассовый разрыв — это нехватка денег. Он бывает у прибыльных компаний."
    assert document.times == ()
    assert [reason.text_key for reason in document.lost] == ["lost-times"]
    assert document.title == "Лекция 1: кассовый разрыв"
    assert (document.about.author, document.about.published) == ("Экономика для всех", "2024-03-01")
    assert (document.about.site, document.about.url) == ("YouTube", WATCH)


async def test_the_canonical_address_and_the_language_are_asked_for(readers: FakeReaders) -> None:
    readers.transcript = SPEECH
    await read(FirecrawlVideo(f"{readers.url}/v2/", KEY))
    await read(JinaVideo(f"{readers.url}/jina", KEY))
    scrape, target = readers.asked
    assert (scrape["url"], scrape["formats"], scrape["location"]) == (WATCH, ["markdown"], {"languages": ["ru"]})
    assert target == WATCH


async def test_times_in_the_text_are_not_read_as_words_and_paragraphs_are_made(
    service: ServiceExtractor, readers: FakeReaders
) -> None:
    lines = [f"0:{number % 60:02}\nЭто предложение номер {number} о разрыве." for number in range(100)]
    readers.transcript = "\n".join(lines)
    document = await read(service)
    assert "0:" not in document.text
    paragraphs = document.text.split("\n\n")
    assert 4 < len(paragraphs) < 10
    assert all(paragraph.endswith(".") for paragraph in paragraphs)


async def test_y5_a_page_without_a_transcript_is_a_failure_of_the_level(
    service: ServiceExtractor, readers: FakeReaders
) -> None:
    with pytest.raises(ExtractionFailed) as caught:
        await read(service)
    assert caught.value.values["code"] == "no-transcript-section"


@pytest.mark.parametrize(
    ("status", "kind", "code"),
    [
        (402, ExtractionFailed, "no-credit"),
        (429, RateLimited, "blocked"),
        (503, TransientError, "http-503"),
        (302, TransientError, "http-302"),
    ],
)
async def test_refusals_of_a_service_are_sorted(
    service: ServiceExtractor, readers: FakeReaders, status: int, kind: type[KonspektError], code: str
) -> None:
    readers.status = status
    with pytest.raises(kind) as caught:
        await read(service)
    assert caught.value.values["code"] == code


async def test_a_wrong_key_a_broken_answer_and_silence_are_failures_without_the_key(
    service: ServiceExtractor, readers: FakeReaders
) -> None:
    wrong = replace(service, api_key="fc-wrong-key")  # type: ignore[type-var]
    with pytest.raises(ExtractionFailed) as caught:
        await read(wrong)
    assert caught.value.values["code"] == "auth"
    assert "fc-wrong-key" not in f"{caught.value!r} {wrong!r}"
    readers.broken = True
    with pytest.raises(ExtractionFailed):
        await read(service)
    readers.silent = True
    with pytest.raises((ExtractionTimeout, TransientError)):
        await read(replace(service, deadline_s=0.5))  # type: ignore[type-var]


async def test_a_service_that_is_not_there_is_a_reason_to_try_later() -> None:
    with pytest.raises(TransientError, match="youtube-blocked"):
        await read(FirecrawlVideo("http://127.0.0.1:9", KEY))
    assert FirecrawlVideo("").unavailable() == JinaVideo("").unavailable() == "not-configured"


@dataclass
class Listener:
    """Recognition that writes down how much it was given."""

    name: str = "listener"
    deadline_s: float = 5.0
    heard: list[tuple[SourceKind, str, bytes]] = field(default_factory=list)
    missing: str = ""

    def unavailable(self) -> str:
        return self.missing

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        self.heard.append((request.kind, request.file_name, Path(request.path).read_bytes()))  # noqa: ASYNC240 - small
        return Document("Услышанные слова.", times=(TimeStart(0, 1.5),))


def audio(youtube: FakeYoutube, listener: Listener, **values: object) -> YoutubeAudio:
    made = YoutubeAudio(listener, enabled=True, proxy=youtube.proxy.url, ca_file=youtube.proxy.ca_file)
    return replace(made, **values)  # type: ignore[arg-type]


async def test_y5_the_sound_of_a_video_without_captions_is_heard(youtube: FakeYoutube) -> None:
    youtube.add(Video(sound=b"sound" * 1000))
    listener = Listener()
    document = await read(audio(youtube, listener))
    assert listener.heard == [(SourceKind.AUDIO, "sound.m4a", b"sound" * 1000)]
    assert (document.text, document.times) == ("Услышанные слова.", (TimeStart(0, 1.5),))
    assert (document.title, document.about.author) == ("Лекция 1: кассовый разрыв", "Экономика для всех")


async def test_too_much_sound_is_refused(youtube: FakeYoutube) -> None:
    youtube.add(Video(sound=b"sound" * 1000))
    listener = Listener()
    for limits in ({"max_bytes": 1000}, {"longest_s": 599.0}):
        with pytest.raises(UserError, match="youtube-too-long"):
            await read(audio(youtube, listener, **limits))
    assert listener.heard == []


async def test_a_download_that_hangs_is_killed_and_refusals_are_said(youtube: FakeYoutube) -> None:
    youtube.add(Video(sound=b"sound"), Video(id="a" * 11, playability=PRIVATE))
    youtube.moods["sound"] = "hang"
    with pytest.raises(ExtractionTimeout):
        await read(audio(youtube, Listener(), download_s=4.0))
    with pytest.raises(UserError, match="youtube-private"):
        await KillableRunner().run(audio(youtube, Listener()), request_for("a" * 11), silent)


def test_sound_is_off_unless_it_is_switched_on_and_can_be_heard() -> None:
    assert YoutubeAudio(Listener()).unavailable() == "not-enabled"
    assert YoutubeAudio(Listener(missing="not-configured"), enabled=True).unavailable() == "not-configured"
    assert YoutubeAudio(Listener(), enabled=True).unavailable() == ""
