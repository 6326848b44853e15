"""A person's update and a worker's transaction about the same rows: one waits for the other, and neither dies of it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.reply_to import Place
from core.library.add_source import Incoming
from core.library.identify_caller import Appearance
from core.model.source import SourceKind, Upload
from core.model.user import Caller, ChatKind
from core.wiring import App
from tests.bot.people import until
from tests.integration.faced import faced
from tests.integration.rows import Rows
from workers.wiring import WorkApp

SEEN = Appearance(42, 7, "Аня", "ru", 7, ChatKind.PRIVATE, "Аня", 0, "Мой первый блокнот")
WORDS = "Вагоны пускают по канату. Канат меняют раз в год."


@dataclass
class Both:
    """A face's use-cases and a worker's, over one database."""

    app: App
    work: WorkApp
    rows: Rows

    async def a_worker_waits(self) -> None:
        """Wait until a transaction waits for another's lock."""

        async def look() -> bool:
            waiting = "wait_event_type = 'Lock' AND datname = current_database()"
            return bool(await self.rows.sql(f"SELECT count(*) FROM pg_stat_activity WHERE {waiting}"))

        await until(look, "a transaction that waits")

    async def add(self, caller: Caller, words: str) -> int:
        """Add words; the source's id."""
        place = Place(caller.chat.id, 0, 1, "ru").pack()
        incoming = Incoming(SourceKind.TEXT, words[:20], Upload(text=words))
        return (await self.app.add_source(caller, incoming, place, now=self.app.clock())).source.id


@pytest.fixture
async def both(database: str, redis_url: str, tmp_path: Path) -> AsyncIterator[Both]:
    async with faced(database, redis_url, tmp_path, with_model=True) as (app, work, rows):
        yield Both(app, work, rows)


async def test_a_person_adds_to_a_burst_while_its_first_source_is_taken(both: Both) -> None:
    caller = await both.app.identify_caller(SEEN)
    first = await both.add(caller, WORDS)
    async with asyncio.TaskGroup() as group:
        async with both.app.transactions():
            await both.app.identify_caller(SEEN)
            taking = group.create_task(both.work.ingest_source(caller.notebook_id, first))  # type: ignore[arg-type]
            await both.a_worker_waits()
            await both.add(caller, "Второе. " + WORDS)
    assert taking.result() is None
    assert await both.rows.sql("SELECT array_agg(state ORDER BY id) FROM sources") == ["ready", "queued"]
    assert await both.rows.sql("SELECT count(*) FROM outbox") == 1


async def test_a_person_stops_an_answer_while_it_is_finished(both: Both) -> None:
    caller = await both.app.identify_caller(SEEN)
    await both.work.ingest_source(caller.notebook_id, await both.add(caller, WORDS))  # type: ignore[arg-type]
    place = Place(caller.chat.id, 0, 1, "ru").pack()
    question = await both.app.ask_question(caller, "Как часто меняют канат?", place, now=both.app.clock())
    async with asyncio.TaskGroup() as group:
        async with both.app.transactions():
            await both.app.identify_caller(SEEN)
            answering = group.create_task(both.work.answer_question(question.id))
            await both.a_worker_waits()
            assert await both.app.stop_question(caller, question.id)
    assert answering.result() is None
    assert await both.rows.sql("SELECT state FROM questions") == "answered"
    assert await both.rows.sql("SELECT state FROM prompt_ledger") == "spent"
