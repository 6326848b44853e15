"""The messages of a burst: one that is edited in silence, and at most one that sounds at the end of a long wait."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.reply_to import Place
from core.library.add_source import Incoming
from core.library.identify_caller import Appearance
from core.library.take_in import Arrival
from core.model.source import Source, SourceKind, Upload
from core.model.user import Caller, ChatKind
from core.wiring import App
from tests.integration.faced import faced
from tests.integration.rows import Rows
from workers.wiring import WorkApp

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
PRIVATE = Appearance(42, 7, "Аня", "ru", 7, ChatKind.PRIVATE, "Аня", 0, "Мой первый блокнот")
GROUP = Appearance(42, 7, "Аня", "ru", -7, ChatKind.GROUP, "Группа", 0, "Группа")


@dataclass
class Stage:
    """A face's and a worker's use-cases over one database, with a clock that the test sets."""

    app: App
    work: WorkApp
    rows: Rows
    now: list[datetime]

    async def send(self, caller: Caller, count: int) -> list[Source]:
        """Send words together."""
        words = "Канат меняют раз в {} лет. Вагоны пускают по нему."
        items = tuple(
            Incoming(SourceKind.TEXT, f"Заметка {n}", Upload(text=words.format(n))) for n in range(2, 2 + count)
        )
        place = Place(caller.chat.id, 0, 1, "ru", reply=caller.chat.kind is ChatKind.GROUP).pack()
        return [one.source for one in await self.app.take_in(caller, Arrival(items), place, now=self.now[0])]

    async def read(self, source: Source, *, after_s: float) -> None:
        """Have one read, at a time."""
        self.now[0] = NOW + timedelta(seconds=after_s)
        await self.work.ingest_source(source.notebook_id, source.id)

    async def embed(self, source: Source, *, after_s: float) -> None:
        """Have its vectors made, at a time."""
        self.now[0] = NOW + timedelta(seconds=after_s)
        await self.work.embed_source(source.notebook_id, source.id)

    async def messages(self) -> list[tuple[str, bool]]:
        """Each message's key without ids, and whether it is silent."""
        query = "SELECT array_agg(json_build_array(key, payload) ORDER BY id) FROM outbox"
        found: Any = await self.rows.sql(query)
        pairs = [json.loads(one) if isinstance(one, str) else one for one in found or []]
        return [("end" if "end" in key else "status", json.loads(payload)["view"]["silent"]) for key, payload in pairs]


@pytest.fixture
async def stage(database: str, redis_url: str, tmp_path: Path) -> AsyncIterator[Stage]:
    now = [NOW]
    async with faced(database, redis_url, tmp_path, with_model=False, clock=lambda: now[0]) as (app, work, rows):
        yield Stage(app, work, rows, now)


async def test_a_long_burst_of_several_sources_sounds_exactly_once(stage: Stage) -> None:
    first, second, third = await stage.send(await stage.app.identify_caller(PRIVATE), 3)
    await stage.read(first, after_s=10)
    await stage.read(second, after_s=40)
    assert await stage.messages() == [("status", True)]
    await stage.read(third, after_s=50)
    assert await stage.messages() == [("status", True), ("end", False)]
    for number, source in enumerate((first, second, third)):
        await stage.embed(source, after_s=60 + number)
    assert await stage.messages() == [("status", True), ("end", False)]
    assert await stage.rows.sql("SELECT max(revision) FROM outbox WHERE key LIKE '%end'") == 1


async def test_what_was_read_quickly_never_sounds_even_if_its_vectors_take_long(stage: Stage) -> None:
    sources = await stage.send(await stage.app.identify_caller(PRIVATE), 2)
    for source in sources:
        await stage.read(source, after_s=20)
    for source in sources:
        await stage.embed(source, after_s=300)
    assert await stage.messages() == [("status", True)]


async def test_in_a_group_even_the_end_of_a_long_reading_is_silent(stage: Stage) -> None:
    (source,) = await stage.send(await stage.app.identify_caller(GROUP), 1)
    await stage.read(source, after_s=100)
    assert await stage.messages() == [("status", True), ("end", True)]
