"""Redis goes away: what is sent is kept, workers give back what they hold, and all goes on when it is there again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.adapters.embedded_services import start_embedded, stop_embedded
from tests.integration.crash.house import WORKERS, House
from tests.integration.crash.story import Story

LONG = {"worker": {"lease_s": 300.0}}
Switch = Callable[[bool], Awaitable[None]]


@pytest.fixture
async def switch(house: House, tmp_path: Path) -> AsyncIterator[Switch]:
    """Turns a Redis that the house alone uses off and on; it is on."""

    async def turn(on: bool) -> None:
        if on:
            started = await asyncio.to_thread(lambda: start_embedded(tmp_path, postgres=False, valkey=True))
            house.groups["redis"] = {"url": started.redis_url}
        else:
            await asyncio.to_thread(stop_embedded, tmp_path)

    usual = house.groups["redis"]
    await turn(True)
    yield turn
    house.close()
    await turn(False)
    house.groups["redis"] = usual


async def test_nothing_is_lost_while_redis_is_away(house: House, switch: Switch) -> None:
    held, new = [Story(house, await house.newcomer()) for _ in range(2)]
    house.start("bot", *WORKERS, **LONG)
    await house.restart("light", point="called texts.save", holds=True, **LONG)
    await held.send_lecture()
    await house.held()
    await switch(False)
    for role in WORKERS:
        await house.broken(role)
    house.release()
    await new.send_lecture()
    await house.eventually("SELECT count(*) = 1 FROM sources WHERE notebook_id = $1", await new.notebook())
    await switch(True)

    house.start(*WORKERS, **LONG)

    for story in (held, new):
        await story.is_read()
        await story.check_reading()
