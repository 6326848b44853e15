"""A house with nobody in it yet: sandbox, models, database and Redis of its own for each test."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import asyncpg
import pytest
import redis
from sqlalchemy import make_url

from bot.sandbox import start_sandbox
from core.adapters.embedded_services import EmbeddedServices
from tests.bot.people import Person, Telegram
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.crash.house import House

TOKEN = "42:SANDBOX"
REDIS_DB = 7
LEASE_S = 2.0


@pytest.fixture
def own_redis(services: EmbeddedServices) -> str:
    """URL of a Redis database without keys that no other product uses."""
    with redis.Redis.from_url(services.redis_url, db=REDIS_DB) as client:
        client.flushdb()
    return f"{services.redis_url.partition('?')[0]}?db={REDIS_DB}"


@pytest.fixture
async def models() -> AsyncIterator[FakeOpenAI]:
    """A slow model, so that there is a middle of its answer, and an embedding model."""
    async with FakeOpenAI(token_pause_s=0.01) as server:
        yield server


@pytest.fixture
async def house(database: str, own_redis: str, models: FakeOpenAI, tmp_path: Path) -> AsyncIterator[House]:
    """The house, with its person who has not spoken yet."""
    sandbox = await start_sandbox(tmp_path / "sandbox", TOKEN)
    groups = {
        "bot": {"token": TOKEN},
        "telegram": {"api_url": sandbox.url},
        "database": {"url": database, "pool_size": 3},
        "redis": {"url": own_redis},
        "llm": {"base_url": models.url, "model": "fake-model"},
        "embedding": {"base_url": models.url, "model": "fake-embeddings"},
        "data": {"dir": tmp_path},
        "worker": {"lease_s": LEASE_S},
    }
    rows = await asyncpg.connect(make_url(database).set(drivername="postgresql").render_as_string(hide_password=False))
    async with aiohttp.ClientSession() as http:
        telegram = Telegram(http, sandbox.url)
        person = Person(telegram, await telegram.call("POST", "/users", json={"first_name": "Аня", "language_code": "ru"}))
        built = House(tmp_path, groups, telegram, person, rows)
        yield built
        for process in built.running.values():
            process.kill()
            await asyncio.to_thread(process.join)
    await rows.close()
    await sandbox.close()
