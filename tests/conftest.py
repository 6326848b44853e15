"""Fixtures of every kind of test: real Postgres and Valkey, once a session, and a clean database a test."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest
import redis
from hypothesis import settings as hypothesis_settings
from hypothesis.configuration import set_hypothesis_home_dir
from sqlalchemy import make_url

from core.adapters.embedded_services import EmbeddedServices, start_embedded, stop_embedded
from tests.loop_watch import LoopWatch

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
TEMPLATE = "konspekt_template"
BLOCKED_S = 0.5
FIXED_EXAMPLES = bool(os.environ.get("CI") or os.environ.get("FIXED_EXAMPLES"))
"""Properties look for new examples each time, but a landing must not depend on luck."""

# not beside the tests, to be collected, and not another user's
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"konspekt-hypothesis-{os.getuid()}")
hypothesis_settings.register_profile("konspekt", deadline=None, derandomize=FIXED_EXAMPLES)
hypothesis_settings.load_profile("konspekt")


@pytest.fixture(scope="session")
def services() -> Iterator[EmbeddedServices]:
    """Embedded Postgres and Valkey of this session, or those that DATABASE_URL and REDIS_URL name."""
    data_dir = Path(tempfile.mkdtemp(prefix="konspekt-tests-"))
    given = EmbeddedServices(os.environ.get("DATABASE_URL", ""), os.environ.get("REDIS_URL", ""))
    started = start_embedded(data_dir, postgres=not given.database_url, valkey=not given.redis_url)
    yield EmbeddedServices(given.database_url or started.database_url, given.redis_url or started.redis_url)
    stop_embedded(data_dir)
    shutil.rmtree(data_dir)


Sql = Callable[[str], Awaitable[None]]


@pytest.fixture(scope="session")
async def admin_sql(services: EmbeddedServices) -> AsyncIterator[Sql]:
    """Run a statement as the owner of all databases."""
    connection = await asyncpg.connect(_asyncpg_dsn(services.database_url))
    if "DATABASE_URL" not in os.environ:  # the session's own server may forget everything when the power fails
        for name in ("fsync", "full_page_writes"):
            await connection.execute(f"ALTER SYSTEM SET {name} = off")
        await connection.execute("SELECT pg_reload_conf()")
    lock = asyncio.Lock()

    async def run(statement: str) -> None:
        async with lock:
            await connection.execute(statement)

    yield run
    await connection.close()


@pytest.fixture(scope="session")
async def migrated_template(services: EmbeddedServices, admin_sql: Sql) -> str:
    """Name of a migrated database that nobody connects to: the others are copies of it."""
    await admin_sql(f"DROP DATABASE IF EXISTS {TEMPLATE} WITH (FORCE)")
    await admin_sql(f"CREATE DATABASE {TEMPLATE}")
    url = _with_database(services.database_url, TEMPLATE)
    connection = await asyncpg.connect(_asyncpg_dsn(url))
    await connection.execute("CREATE EXTENSION IF NOT EXISTS vector; CREATE EXTENSION IF NOT EXISTS pg_trgm")
    await connection.close()
    await asyncio.to_thread(migrate, url)
    return TEMPLATE


@pytest.fixture(scope="session")
async def database_url(services: EmbeddedServices, migrated_template: str, admin_sql: Sql) -> AsyncIterator[str]:
    """One migrated database for the whole session, for tests that keep to rows of their own."""
    async with _copy(services, migrated_template, "konspekt_session", admin_sql) as url:
        yield url


_numbers = count(1)


@pytest.fixture
async def database(services: EmbeddedServices, migrated_template: str, admin_sql: Sql) -> AsyncIterator[str]:
    """URL of a migrated database without rows that belongs to this test alone."""
    async with _copy(services, migrated_template, f"konspekt_test_{next(_numbers)}", admin_sql) as url:
        yield url


@pytest.fixture
async def empty_database(services: EmbeddedServices, admin_sql: Sql) -> AsyncIterator[str]:
    """URL of a database without tables that belongs to this test alone, for tests of migrations."""
    async with _copy(services, "template0", f"konspekt_test_{next(_numbers)}", admin_sql) as url:
        yield url


@pytest.fixture
def redis_url(services: EmbeddedServices) -> str:
    """URL of a Valkey without keys."""
    with redis.Redis.from_url(services.redis_url) as client:
        client.flushall()
    return services.redis_url


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """An empty data directory for commands that start embedded services; what they started is stopped afterwards.

    Not below `tmp_path`: as root Postgres runs as another user, and a second pytest closes that directory to others.
    """
    path = Path(tempfile.mkdtemp(prefix="konspekt-data-"))
    yield path
    stop_embedded(path)
    shutil.rmtree(path)


@pytest.fixture(scope="session")
def samples_dir() -> Path:
    """The folder of sample documents beside the repository."""
    return _beside("samples")


@pytest.fixture(scope="session")
def eval_dir() -> Path:
    """The folder of evaluation sets beside the repository."""
    return _beside("eval")


@pytest.fixture
async def no_blocking() -> AsyncIterator[None]:
    """Fail the test if anything blocks the event loop while it runs."""
    with LoopWatch(BLOCKED_S) as watch:
        yield
    assert not watch.blocked, "\n".join(watch.blocked)


def migrate(url: str, revision: str = "head") -> None:
    """Bring a database to a revision, as an operator would."""
    done = subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", revision],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


class _copy:
    """A database made from a template and dropped at the end."""

    def __init__(self, services: EmbeddedServices, template: str, name: str, admin_sql: Sql) -> None:
        self.url = _with_database(services.database_url, name)
        self._template, self._name, self._sql = template, name, admin_sql

    async def __aenter__(self) -> str:
        await self._sql(f"DROP DATABASE IF EXISTS {self._name} WITH (FORCE)")
        await self._sql(f"CREATE DATABASE {self._name} TEMPLATE {self._template}")
        return self.url

    async def __aexit__(self, *_: object) -> None:
        await self._sql(f"DROP DATABASE IF EXISTS {self._name} WITH (FORCE)")


def _with_database(url: str, name: str) -> str:
    return make_url(url).set(database=name).render_as_string(hide_password=False)


def _asyncpg_dsn(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _beside(name: str) -> Path:
    """Return a folder beside the repository; a clone without it skips what needs it, CI never does."""
    folder = SHARED / name
    if folder.is_dir():
        return folder
    reason = f"{name}: not beside this clone"
    return pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
