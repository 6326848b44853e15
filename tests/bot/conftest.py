"""One running product for all tests of the Telegram layer, and people of their own for each."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from sqlalchemy import make_url

from core.adapters.embedded_services import EmbeddedServices
from tests.bot.people import Json, Person, Telegram
from tests.bot.product import Product, running_product
from tests.fakes.openai_server import FakeOpenAI
from tests.loop_watch import LoopWatch

Sql = Callable[[str], Awaitable[None]]
Meet = Callable[..., Awaitable[Person]]
COMPUTING_S = 0.7
BLOCKED_S = 4.0
"""Longer than elsewhere: a whole product lives in this one loop, and waits for a processor that others use too."""
LECTURE = Path(__file__).parents[1] / "data" / "ru_lecture.pdf"


@pytest.fixture(autouse=True)
async def _no_blocking() -> AsyncIterator[None]:
    """Fail a test that blocks the event loop, in which the bot, the workers and the sandbox run all together."""
    with LoopWatch(BLOCKED_S, computing_s=COMPUTING_S) as watch:
        yield
    assert not watch.blocked, "\n".join(watch.blocked)


@pytest.fixture(scope="package")
def start_product(
    services: EmbeddedServices, migrated_template: str, admin_sql: Sql, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Any]:
    """Start a product with a database and a Redis database of its own: its workers sweep what others leave."""

    @asynccontextmanager
    async def start(name: str, redis_db: int, **settings: Any) -> AsyncIterator[Product]:
        database = f"konspekt_{name}"
        await admin_sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")
        await admin_sql(f"CREATE DATABASE {database} TEMPLATE {migrated_template}")
        url = make_url(services.database_url).set(database=database).render_as_string(hide_password=False)
        async with FakeOpenAI() as models:
            groups = {
                "database": {"url": url, "pool_size": 5},
                "redis": {"url": _with_db(services.redis_url, redis_db)},
                "embedding": {"base_url": models.url, "model": "fake-embeddings"},
                **{group: {**values, "base_url": models.url} if group == "llm" else values
                   for group, values in settings.items()},
            }  # fmt: skip
            async with running_product(groups, tmp_path_factory.mktemp(name), models) as product:
                yield product
        await admin_sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    return start


@pytest.fixture(scope="package")
async def plain_product(start_product: Callable[..., Any]) -> AsyncIterator[Product]:
    """The product without a language model."""
    async with start_product("bot", 5) as running:
        yield running


@pytest.fixture
async def product(plain_product: Product) -> AsyncIterator[Product]:
    """The running product, all of it before and after each test."""
    assert not plain_product.broken()
    yield plain_product
    assert not plain_product.broken()


@pytest.fixture
async def telegram(product: Product) -> AsyncIterator[Telegram]:
    """The sandbox, without any fault left over from another test."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=60)) as http:
        telegram = Telegram(http, product.url)
        await telegram.call("DELETE", "/faults")
        yield telegram


@pytest.fixture
async def meet(telegram: Telegram) -> AsyncIterator[Meet]:
    """Make a person who has not spoken to the bot yet and watches their phone."""
    async with AsyncExitStack() as watching:

        async def make(name: str = "Аня", language: str = "ru") -> Person:
            user = await telegram.call("POST", "/users", json={"first_name": name, "language_code": language})
            person = Person(telegram, user)
            await watching.enter_async_context(_watched(person))
            return person

        yield make


@pytest.fixture
async def anya(meet: Meet) -> Person:
    """A person who speaks Russian."""
    return await meet()


@pytest.fixture
def make_group(telegram: Telegram) -> Callable[..., Awaitable[int]]:
    """Make a group with the bot in it and return its id."""

    async def make(*members: Person, kind: str = "supergroup", title: str = "Учим физику", **more: Any) -> int:
        order = {"title": title, "type": kind, "member_ids": [one.id for one in members], **more}
        chat: Json = await telegram.call("POST", "/chats", json=order)
        return int(chat["id"])

    return make


@asynccontextmanager
async def _watched(person: Person) -> AsyncIterator[None]:
    connected = asyncio.Event()
    watch = asyncio.get_running_loop().create_task(person.watch(connected))
    await connected.wait()
    yield
    watch.cancel()
    with suppress(asyncio.CancelledError):
        await watch


def _with_db(url: str, number: int) -> str:
    """Name another database of the same Redis, by socket or by address."""
    if url.startswith("unix:"):
        return f"{url.partition('?')[0]}?db={number}"
    base, _, path = url.partition("://")
    return f"{base}://{path.partition('/')[0]}/{number}"
