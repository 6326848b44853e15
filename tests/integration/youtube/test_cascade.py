"""The whole cascade: every level is forced to fail to see the next one take over, and how it ends when all do."""

from dataclasses import replace

import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from core.adapters.killable import KillableRunner
from core.adapters.youtube.cascade import youtube_cascade
from core.adapters.youtube.guard import Guarded
from core.adapters.youtube.readers import FirecrawlVideo
from core.errors import TransientError
from core.ingest.cascade import Reading, read
from core.model.source import Outcome
from core.ports.documents import Cascade
from tests.fakes.firecrawl import KEY, FakeReaders
from tests.fakes.youtube import FakeYoutube
from tests.fakes.youtube_video import PRIVATE, Caption, Video
from tests.integration.youtube.conftest import PASSWORD, request_for, silent

RU = Caption("ru", ((0.0, "Кассовый разрыв — это нехватка денег."), (7.0, "Он случается у прибыльных компаний.")))
BOTH_TWICE = ["empty"] * 4


def cascade(youtube: FakeYoutube, redis: Redis | None, readers: FakeReaders | None = None) -> Cascade:
    services = (FirecrawlVideo(readers.url, KEY),) if readers else ()
    proxy, ca_file = youtube.proxy.url, youtube.proxy.ca_file
    return youtube_cascade(KillableRunner(), redis, proxy=proxy, ca_file=ca_file, services=services)


def impatient(made: Cascade, count: int) -> Cascade:
    """The same with deadlines of two seconds for its first levels."""
    levels = list(made.extractors)
    for number in range(count):
        guarded = levels[number]
        assert isinstance(guarded, Guarded)
        levels[number] = replace(guarded, extractor=replace(guarded.extractor, deadline_s=2.0))  # type: ignore[type-var]
    return Cascade(tuple(levels))


async def reading(made: Cascade, video_id: str = "dQw4w9WgXcQ", *languages: str) -> Reading:
    return await read(made, request_for(video_id, *languages), runner=KillableRunner(), progress=silent)


def told(found: Reading) -> list[tuple[str, Outcome, str]]:
    return [(attempt.extractor, attempt.outcome, attempt.reason) for attempt in found.attempts]


async def test_the_first_level_is_enough(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(captions=(RU,)))
    found = await reading(cascade(youtube, redis))
    assert found.extractor == "youtube-transcript-api"
    assert found.document is not None
    assert found.document.text == "Кассовый разрыв — это нехватка денег. Он случается у прибыльных компаний."


async def test_y1_empty_answers_lead_to_the_second_level_and_to_the_third(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(captions=(RU,), moods=BOTH_TWICE.copy()))
    found = await reading(cascade(youtube, redis))
    assert told(found) == [
        ("youtube-transcript-api", Outcome.FAILED, "ParseError"),
        ("yt-dlp", Outcome.FAILED, "empty-transcript"),
        ("pytubefix", Outcome.WON, ""),
    ]
    assert found.document is not None
    assert found.document.times


async def test_y2_a_blocked_client_leads_to_the_next_level(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(captions=(RU,)))
    youtube.blocked_clients.add("ANDROID")
    found = await reading(cascade(youtube, redis))
    assert told(found) == [("youtube-transcript-api", Outcome.FAILED, "blocked"), ("yt-dlp", Outcome.WON, "")]


async def test_a_level_that_hangs_is_killed_and_the_next_one_takes_over(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(captions=(RU,)))
    youtube.hanging_clients.add("ANDROID")
    found = await reading(impatient(cascade(youtube, redis), 1))
    assert [(name, outcome) for name, outcome, _ in told(found)] == [
        ("youtube-transcript-api", Outcome.TIMEOUT),
        ("yt-dlp", Outcome.WON),
    ]


async def test_when_no_library_gets_through_a_service_does_without_times(
    youtube: FakeYoutube, redis: Redis, readers: FakeReaders
) -> None:
    youtube.add(Video(captions=(RU,)))
    youtube.mood = "429"
    readers.transcript = "Кассовый разрыв — это нехватка денег."
    made = cascade(youtube, redis, readers)
    found = await reading(made)
    assert found.extractor == "firecrawl"
    assert found.document is not None
    assert [reason.text_key for reason in found.document.lost] == ["lost-times"]
    youtube.mood = ""
    again = await reading(made)  # what lost its times is not remembered
    assert again.extractor == "youtube-transcript-api"


async def test_y2_when_nobody_gets_through_the_source_waits_for_its_retry(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(captions=(RU,)))
    youtube.mood = "429"
    with capture_logs() as logs, pytest.raises(TransientError) as caught:
        await reading(cascade(youtube, redis))
    assert caught.value.text_key == "youtube-blocked"
    assert PASSWORD not in f"{caught.value!r} {logs}"


async def test_y1_time_outs_of_all_levels_mean_later_not_too_heavy(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(captions=(RU,)))
    youtube.mood = "hang"
    with pytest.raises(TransientError, match="youtube-blocked"):
        await reading(impatient(cascade(youtube, redis), 3))


async def test_y5_a_video_without_captions_ends_with_a_reason_and_is_not_asked_again_soon(
    youtube: FakeYoutube, redis: Redis
) -> None:
    youtube.add(Video())
    made = cascade(youtube, redis)
    for _ in range(2):
        found = await reading(made)
        assert found.document is None
        assert found.reason is not None
        assert found.reason.text_key == "youtube-no-transcript"
    assert [name for name, _, _ in told(found)] == ["youtube-transcript-api", "yt-dlp", "pytubefix", "verdict"]
    assert youtube.count("watch") == 3


async def test_y5_one_level_that_saw_no_captions_settles_it_when_the_others_are_blocked(
    youtube: FakeYoutube, redis: Redis
) -> None:
    youtube.add(Video())
    youtube.blocked_clients.add("ANDROID")
    found = await reading(cascade(youtube, redis))
    assert found.reason is not None
    assert found.reason.text_key == "youtube-no-transcript"


async def test_a_private_video_stops_at_the_first_level(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(playability=PRIVATE))
    found = await reading(cascade(youtube, redis))
    assert found.reason is not None
    assert found.reason.text_key == "youtube-private"
    assert len(found.attempts) == 1


async def test_a_transcript_is_remembered_for_its_order_of_languages(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(captions=(RU, Caption("en", ((0.0, "A cash gap."),)))))
    made = cascade(youtube, redis)
    first, again = await reading(made), await reading(made)
    assert first.document == again.document
    assert youtube.count("words") == 1
    other = await reading(made, "dQw4w9WgXcQ", "en", "ru")
    assert other.document is not None
    assert other.document.text == "A cash gap."


@pytest.mark.parametrize("url", ["", "redis://127.0.0.1:9/0"])
async def test_without_redis_everything_works_without_memory(youtube: FakeYoutube, url: str) -> None:
    youtube.add(Video(captions=(RU,)))
    client = Redis.from_url(url, socket_connect_timeout=1) if url else None
    made = cascade(youtube, client)
    assert (await reading(made)).document == (await reading(made)).document
    assert youtube.count("words") == 2
    if client is not None:
        await client.aclose()
