"""The use-cases over real Postgres without a messenger: who speaks, and what they have."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from core.adapters.files import DiskBlobs
from core.adapters.flood import RedisFloodGate
from core.adapters.postgres.engine import make_engine
from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.errors import UserError
from core.jobs import Job
from core.library.add_source import Incoming
from core.library.identify_caller import Appearance
from core.model.answer import Answer, Question
from core.model.ids import NotebookId, ReplyTo
from core.model.source import Source, SourceKind, Upload
from core.model.user import Caller, ChatKind
from core.settings import Settings
from core.wiring import App, Plumbing, build_app
from workers.local_owner import Told
from workers.outside import Outside
from workers.wiring import WorkApp, build_work

BOT = 42
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HERE = ReplyTo("{}")
FILE_LIMIT_BYTES = 20 * 1024 * 1024
_numbers = count(1000)


NOTE = "Ключ от аудитории 214 лежит у вахтёра Семёна Петровича, а запасной висит в шкафу на втором этаже."
WHO = "У кого ключ от аудитории 214?"
"""Something to keep, and the question that it answers."""


async def refused(work: Awaitable[object], key: str) -> dict[str, str | int]:
    """Expect a refusal in words of a text key; give its values."""
    with pytest.raises(UserError) as error:
        await work
    assert error.value.text_key == key
    return error.value.values


class Post:
    """A queue that keeps what was published."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    async def publish(self, jobs: Sequence[Job]) -> None:
        """Keep jobs."""
        self.jobs += jobs

    async def republish(self, jobs: Sequence[Job]) -> None:
        """Keep jobs."""
        self.jobs += jobs


@dataclass(frozen=True)
class Household:
    """The product's use-cases, and hands to set the scene with."""

    app: App
    work: WorkApp
    post: Post
    told: Told
    plumbing: Plumbing

    async def person(self, number: int | None = None, *, topic: int = 0, locale: str = "ru") -> Caller:
        """Someone in their private chat; a new one, or whoever has this outside number."""
        number = next(_numbers) if number is None else number
        seen = Appearance(BOT, number, f"Человек {number}", locale, number, ChatKind.PRIVATE, "", topic, "Первый")
        return await self.app.identify_caller(seen)

    async def again(self, caller: Caller) -> Caller:
        """The same person writes again in their private chat."""
        return await self.person(caller.chat.external_id, topic=caller.thread_id)

    async def titles(self, caller: Caller) -> list[str]:
        """The notebooks that a caller is shown."""
        return [notebook.title for notebook in await self.app.list_notebooks(caller)]

    async def member(self, group: int, number: int | None, *, topic: int = 0) -> Caller:
        """Someone who writes in a group; None: an anonymous administrator."""
        seen = Appearance(BOT, number, f"Человек {number}", "ru", group, ChatKind.GROUP, "Группа", topic, "Группа")
        return await self.app.identify_caller(seen)

    async def add(self, caller: Caller, words: str, title: str = "Источник") -> Source:
        """Add words to the caller's notebook and have them read."""
        incoming = Incoming(SourceKind.TEXT, title, Upload(text=words))
        source = (await self.app.add_source(caller, incoming, HERE, now=NOON)).source
        await self.work.ingest_source(source.notebook_id, source.id)
        await self.work.embed_source(source.notebook_id, source.id)
        return await self.app.get_source(caller, source.notebook_id, source.id)

    async def answer(self, question: Question) -> Answer | None:
        """Have a question answered; None when it failed."""
        await self.work.answer_question(question.id)
        return self.told.answers.get(question.id)

    async def ask(self, caller: Caller, words: str) -> Answer | None:
        """Ask and have it answered."""
        return await self.answer(await self.app.ask_question(caller, words, HERE, now=NOON))

    async def value(self, query: str, **values: Any) -> Any:
        """The single value of a query."""
        async with self.plumbing.engine.begin() as connection:
            return (await connection.execute(text(query), values)).scalar()

    async def execute(self, statement: str, **values: Any) -> None:
        """Change rows."""
        async with self.plumbing.engine.begin() as connection:
            await connection.execute(text(statement), values)

    async def rows_of(self, notebook_id: NotebookId) -> dict[str, int]:
        """How many rows each table holds for a notebook, those with none left out."""
        query = (
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'notebook_id' "
            "AND table_schema = 'public' ORDER BY table_name"
        )
        async with self.plumbing.engine.begin() as connection:
            tables = (await connection.execute(text(query))).scalars().all()
            assert len(tables) > 10
            counts = {}
            for table in tables:
                found = await connection.execute(
                    text(f"SELECT count(*) FROM {table} WHERE notebook_id = :id"), {"id": notebook_id}
                )
                counts[table] = found.scalar_one()
        return {table: number for table, number in counts.items() if number}


@asynccontextmanager
async def household(
    database_url: str, redis_url: str, folder: Path, *, outside: Outside | None = None, **groups: Any
) -> AsyncIterator[Household]:
    """Wire the use-cases; `groups` are those of the settings that differ."""
    given = {"database": {"url": database_url}, "redis": {"url": redis_url}, "data": {"dir": folder}, **groups}
    settings = Settings(_env_file=None, **given)
    post, told = Post(), Told()
    engine = make_engine(database_url, pool_size=5)
    plumbing = Plumbing(
        settings=settings,
        engine=engine,
        queue=post,
        transactions=PostgresTransactions(engine, post),
        gate=RedisFloodGate(redis_url),
        blobs=DiskBlobs(folder / "originals"),
        clock=lambda: NOON,
    )
    work = build_work(plumbing, told, None, outside)
    await work.open()
    app = build_app(plumbing, told, file_limit_bytes=FILE_LIMIT_BYTES)
    yield Household(app, work, post, told, plumbing)
    await work.close()
    await plumbing.close()
