"""One house for all tests of this folder: sandbox, models, database and Redis of its own, and no process yet."""

from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import asyncpg
import pytest
import redis
from sqlalchemy import make_url

from bot.sandbox import start_sandbox
from core.adapters.embedded_services import EmbeddedServices
from tests.bot.people import Telegram
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.crash.house import House

Sql = Callable[[str], Awaitable[None]]
TOKEN = "42:SANDBOX"
DATABASE = "konspekt_crash"
REDIS_DB = 7
LEASE_S = 2.0
TOKEN_PAUSE_S = 0.05
"""A slow model: its answer has a middle."""


@pytest.fixture(scope="package")
def own_redis(services: EmbeddedServices) -> str:
    """URL of a Redis database without keys that no other product uses."""
    with redis.Redis.from_url(services.redis_url, db=REDIS_DB) as client:
        client.flushdb()
    base = services.redis_url.partition("?")[0]
    return f"{base}?db={REDIS_DB}" if base.startswith("unix:") else f"{base.rstrip('/')}/{REDIS_DB}"


@pytest.fixture(scope="package")
async def own_database(services: EmbeddedServices, migrated_template: str, admin_sql: Sql) -> AsyncIterator[str]:
    """URL of a database without rows."""
    await admin_sql(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
    await admin_sql(f"CREATE DATABASE {DATABASE} TEMPLATE {migrated_template}")
    yield make_url(services.database_url).set(database=DATABASE).render_as_string(hide_password=False)
    await admin_sql(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")


@pytest.fixture(scope="package")
async def whole_house(
    own_database: str, own_redis: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[House]:
    """The house of this folder."""
    folder = tmp_path_factory.mktemp("house")
    sandbox = await start_sandbox(folder / "sandbox", TOKEN)
    plain = make_url(own_database).set(drivername="postgresql")
    rows = await asyncpg.connect(plain.render_as_string(hide_password=False))
    async with FakeOpenAI(token_pause_s=TOKEN_PAUSE_S) as models, aiohttp.ClientSession() as http:
        groups = {
            "bot": {"token": TOKEN},
            "telegram": {"api_url": sandbox.url},
            "database": {"url": own_database, "pool_size": 3},
            "redis": {"url": own_redis},
            "llm": {"base_url": models.url, "model": "fake-model"},
            "embedding": {"base_url": models.url, "model": "fake-embeddings"},
            "data": {"dir": folder},
            "worker": {"lease_s": LEASE_S},
        }
        house = House(folder, groups, Telegram(http, sandbox.url), rows)
        yield house
        house.close()
    await rows.close()
    await sandbox.close()


@pytest.fixture
def house(whole_house: House) -> House:
    """The house, without what an earlier test left armed."""
    for told in whole_house.folder.glob("armed*"):
        told.unlink()
    return whole_house
