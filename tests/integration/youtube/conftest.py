"""One loopback YouTube for all tests of this folder, forgotten after each; Valkey as workers share it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from redis.asyncio import Redis

from core.adapters.killable import KillableRunner, Limits, run_killable
from core.errors import KonspektError
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Extractor, Progress
from tests.fakes.firecrawl import FakeReaders
from tests.fakes.youtube import FakeYoutube

USER, PASSWORD = "operator", "s3cr3t-of-the-proxy"
GENEROUS = Limits(deadline_s=100.0, memory_bytes=2 * 2**30)


def request_for(video_id: str = "dQw4w9WgXcQ", *languages: str) -> ExtractionRequest:
    url = f"https://youtu.be/{video_id}?si=x"
    return ExtractionRequest("", SourceKind.YOUTUBE, url=url, languages=languages or ("ru", "en"))


def silent(_done: int, _total: int) -> None:
    """Nobody watches."""


@dataclass(frozen=True)
class Each:
    """Reads several videos in one child, which saves starting one for each: text or error, and its code."""

    extractor: Extractor
    requests: tuple[ExtractionRequest, ...]

    def __call__(self, progress: Progress) -> list[tuple[str, str]]:
        return [self._one(request, progress) for request in self.requests]

    def _one(self, request: ExtractionRequest, progress: Progress) -> tuple[str, str]:
        try:
            return self.extractor.extract(request, progress).text, ""
        except KonspektError as error:
            return f"{type(error).__name__} {error.text_key}", str(error.values.get("code", ""))


async def read_each(extractor: Extractor, *requests: ExtractionRequest) -> list[tuple[str, str]]:
    found = await run_killable(Each(extractor, requests), GENEROUS, silent)
    assert isinstance(found, list)
    return found


@pytest.fixture(scope="package")
async def loopback() -> AsyncIterator[FakeYoutube]:
    async with FakeYoutube(user=USER, password=PASSWORD) as server:
        yield server


@pytest.fixture
def youtube(loopback: FakeYoutube) -> FakeYoutube:
    loopback.reset()
    return loopback


@pytest.fixture
async def readers() -> AsyncIterator[FakeReaders]:
    async with FakeReaders() as server:
        yield server


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    client: Redis = Redis.from_url(redis_url, socket_timeout=3, socket_connect_timeout=3)
    yield client
    await client.aclose()


@pytest.fixture
def runner() -> KillableRunner:
    return KillableRunner()
