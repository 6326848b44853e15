"""Breaker, turns and memory over a real Valkey."""

import asyncio
import time
from dataclasses import dataclass, field

import pytest
from redis.asyncio import Redis

from core.adapters.breaker import Breaker, Patience
from core.adapters.killable import KillableRunner
from core.adapters.youtube.findings import FRESH_S, Findings
from core.adapters.youtube.guard import Guarded
from core.adapters.youtube.memory import Memory
from core.adapters.youtube.refusals import blocked
from core.adapters.youtube.request import address_name
from core.adapters.youtube.transcript_api import TranscriptApi
from core.adapters.youtube.turns import Turns
from core.errors import RateLimited, TransientError, UserError
from core.ingest.extraction_failures import ExtractionFailed
from core.model.document import Document, TimeStart
from core.model.source import About, Reason
from core.ports.documents import ExtractionRequest, Progress
from tests.fakes.youtube import FakeYoutube
from tests.fakes.youtube_video import BOT, Caption, Video
from tests.integration.youtube.conftest import request_for, silent

RU = Caption("ru", ((0.0, "Кассовый разрыв."),))
QUICK = Patience(refusals=3, pause_s=0.3, longest_s=0.9)


@dataclass
class Refusing:
    """A level that answers as it is told, one by one, and counts."""

    answers: list[Exception | Document]
    name: str = "refusing"
    deadline_s: float = 5.0
    calls: list[str] = field(default_factory=list)

    def unavailable(self) -> str:
        return ""

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        self.calls.append(request.url)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def until_closed(breaker: Breaker) -> None:
    async with asyncio.timeout(10):
        while wait_s := await breaker.open_s():  # noqa: ASYNC110 - Redis tells nobody
            await asyncio.sleep(wait_s)


async def test_y2_a_breaker_opens_after_three_refusals_and_longer_each_time(redis: Redis) -> None:
    breaker = Breaker(redis, "somebody", QUICK)
    for _ in range(2):
        await breaker.refused()
        assert await breaker.open_s() == 0
    pauses = []
    for _ in range(3):
        await breaker.refused()
        pauses.append(await breaker.open_s())
        await until_closed(breaker)
    assert pauses == pytest.approx([0.3, 0.6, 0.9], abs=0.15)
    await breaker.served()
    await breaker.refused()
    assert await breaker.open_s() == 0


async def test_y2_breakers_of_others_stay_closed_and_one_without_redis_is_never_open(redis: Redis) -> None:
    once = Patience(refusals=1)
    await Breaker(redis, "one:here", once).refused()
    assert await Breaker(redis, "one:here", once).open_s() == pytest.approx(120, abs=2)
    assert await Breaker(redis, "one:there", once).open_s() == 0
    assert await Breaker(redis, "other:here", once).open_s() == 0
    nowhere = Breaker(None, "one:here", once)
    await nowhere.refused()
    await nowhere.served()
    assert await nowhere.open_s() == 0


async def test_y2_an_open_breaker_keeps_everybody_away_until_its_time_is_over(redis: Redis) -> None:
    text = Document("Слова.")
    level = Refusing([blocked(), blocked(), blocked(), text])
    guarded = Guarded(level, KillableRunner(), redis, "refusing", patience=QUICK, rest_s=0)
    for _ in range(3):
        with pytest.raises(TransientError, match="youtube-blocked"):
            await guarded.read(request_for(), silent)
    other = Guarded(level, KillableRunner(), redis, "refusing", patience=QUICK, rest_s=0)
    with pytest.raises(RateLimited) as caught:
        await other.read(request_for("a" * 11), silent)
    assert caught.value.values["code"] == "breaker-open"
    assert 0 < caught.value.retry_after_s <= 0.3
    assert len(level.calls) == 3
    await until_closed(Breaker(redis, "refusing:direct"))
    assert await guarded.read(request_for(), silent) == text


@pytest.mark.parametrize("answer", [UserError("youtube-private"), ExtractionFailed("extraction-failed", {"code": "x"})])
async def test_what_concerns_a_video_never_opens_a_breaker(redis: Redis, answer: Exception) -> None:
    level = Refusing([answer] * 5)
    guarded = Guarded(level, KillableRunner(), redis, "refusing", rest_s=0)
    for _ in range(5):
        with pytest.raises(type(answer)):
            await guarded.read(request_for(), silent)
    assert len(level.calls) == 5


async def test_y2_blocks_of_the_real_library_open_its_breaker(youtube: FakeYoutube, redis: Redis) -> None:
    youtube.add(Video(playability=BOT))
    level = TranscriptApi(proxy=youtube.proxy.url, ca_file=youtube.proxy.ca_file)
    guarded = Guarded(level, KillableRunner(), redis, level.name, address_name(level.proxy), rest_s=0)
    codes = []
    for _ in range(4):
        with pytest.raises(TransientError) as caught:
            await guarded.read(request_for(), silent)
        codes.append(caught.value.values["code"])
    assert codes == ["blocked", "blocked", "blocked", "breaker-open"]
    assert youtube.count("player") == 3


async def test_one_request_at_a_time_leaves_an_address(youtube: FakeYoutube, redis: Redis) -> None:
    level = TranscriptApi(proxy=youtube.proxy.url, ca_file=youtube.proxy.ca_file)
    guards = [Guarded(level, KillableRunner(), redis, f"p{number % 2}", rest_s=0) for number in range(4)]
    youtube.add(*(Video(id=letter * 11, captions=(RU,)) for letter in "abcd"))
    async with asyncio.TaskGroup() as group:
        for letter, guarded in zip("abcd", guards, strict=True):
            group.create_task(guarded.read(request_for(letter * 11), silent))
    assert youtube.count("words") == 4
    assert youtube.most_at_once == 1
    steps = [asked.split(":")[0] for asked in youtube.asked]
    assert steps == ["watch", "player", "words"] * 4


async def test_a_turn_falls_free_after_a_rest_or_when_its_holder_died(redis: Redis) -> None:
    turns = Turns(redis, "here", wait_s=5, rest_s=0.3)
    async with turns.take(10):
        pass
    started = time.monotonic()
    async with turns.take(10):
        assert time.monotonic() - started >= 0.25
    await redis.set("konspekt:youtube:turn:there", "of-a-dead-worker", px=300)
    async with Turns(redis, "there", wait_s=5).take(10):
        pass


async def test_who_gets_no_turn_comes_again_later(redis: Redis) -> None:
    async with Turns(redis, "here").take(30):
        with pytest.raises(TransientError, match="youtube-busy"):
            async with Turns(redis, "here", wait_s=0.5).take(30):
                pytest.fail("two at once")
    async with Turns(redis, "here", wait_s=5).take(30):
        pass


async def test_a_late_holder_does_not_free_the_turn_of_another(redis: Redis) -> None:
    async with Turns(redis, "here", rest_s=0).take(30):
        await redis.set("konspekt:youtube:turn:here", "of-another", px=30_000)
    assert await redis.get("konspekt:youtube:turn:here") == b"of-another"


async def test_a_document_comes_out_of_memory_as_it_went_in(redis: Redis) -> None:
    about = About("Экономика для всех", "2024-03-01", "YouTube", "https://www.youtube.com/watch?v=x")
    document = Document("Слова 😀\n\nи ещё", times=(TimeStart(0, 0.0), TimeStart(9, 4.25)), title="Т", about=about)
    memory = Memory(redis)
    await memory.keep_text("x", ("ru", "en"), document)
    assert await memory.text("x", ("ru", "en")) == document
    assert await memory.text("x", ("en", "ru")) is None
    assert 0 < await redis.ttl("konspekt:youtube:text:x:ru,en") <= 24 * 3600


async def test_memory_keeps_nothing_that_lost_its_times_and_survives_what_others_wrote(redis: Redis) -> None:
    memory = Memory(redis)
    await memory.keep_text("x", ("ru",), Document("Слова", lost=(Reason("lost-times", {}),)))
    assert await memory.text("x", ("ru",)) is None
    for written in ("", "[]", "{}", "not json", '{"text": 1, "times": 2}'):
        await redis.set("konspekt:youtube:text:x:ru", written)
        assert await memory.text("x", ("ru",)) is None


async def test_findings_of_many_videos_do_not_grow_without_end() -> None:
    findings = Findings()
    for number in range(1000):
        findings.of(str(number)).missing = True
    assert len(findings.videos) <= 256
    assert findings.take("999").missing
    assert not findings.take("999").missing
    findings.of("x").text = True
    findings.of("x").since_s -= FRESH_S
    assert not findings.of("x").text


@pytest.mark.parametrize("proxy", ["", "http://user:password@host.example:8080", "http://host.example:1"])
def test_an_addresss_name_tells_nothing(proxy: str) -> None:
    name = address_name(proxy)
    assert "password" not in name
    assert "host" not in name
    assert name == address_name(proxy)
