"""A product's rows without its processes: repositories, queue, and people to own what is in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.postgres.engine import make_engine
from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.adapters.queue import ArqQueue, queue_key
from core.jobs import QueueName
from core.library.identify_caller import Appearance, IdentifyCaller
from core.model.answer import Question
from core.model.ids import ReplyTo
from core.model.source import Origin, Source, SourceKind, Upload
from core.model.user import Caller, ChatKind
from core.ports import NewSource

BOT_ID = 42
NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
_people = count(1001)


@dataclass
class Rows:
    """A database and a queue as one process has them."""

    engine: AsyncEngine
    queue: ArqQueue
    transactions: PostgresTransactions

    async def caller(self, name: str = "Аня") -> Caller:
        """A new person in their private chat, with a notebook."""
        number = next(_people)
        seen = Appearance(BOT_ID, number, name, "ru", number, ChatKind.PRIVATE, name, 0, "Мой первый блокнот")
        return await IdentifyCaller(self.transactions)(seen)

    async def source(self, caller: Caller, path: str = "") -> Source:
        """A source that waits to be read: words, or a PDF file."""
        assert caller.person is not None
        kind = SourceKind.PDF if path else SourceKind.TEXT
        upload = Upload(path=path, text="" if path else "Трамваи ходят по кругу.")
        new = NewSource(caller.notebook_id, kind, "Трамваи", upload, Origin(), caller.person.id, None)
        async with self.transactions() as tx:
            return await tx.sources.add(new)

    async def question(self, caller: Caller, words: str = "Куда ходят трамваи?") -> Question:
        """A question that waits to be answered."""
        assert caller.person is not None
        async with self.transactions() as tx:
            return await tx.questions.add(
                caller.notebook_id, caller.person.id, ReplyTo("{}"), words, "ru", (caller.chat.id, 0)
            )

    async def sql(self, statement: str, **given: Any) -> Any:
        """Run a statement in a transaction of its own and return the first value of its answer."""
        async with self.engine.begin() as connection:
            found = await connection.execute(text(statement), given)
            return found.scalar() if found.returns_rows else None

    async def published(self, queue: QueueName) -> list[str]:
        """Name the jobs that wait in a queue."""
        pool = await self.queue._connected()
        return [job.job_id for job in await pool.queued_jobs(queue_name=queue_key(queue))]


@asynccontextmanager
async def open_rows(database_url: str, redis_url: str, *, pool_size: int = 10) -> AsyncIterator[Rows]:
    """Open the connections, and close them."""
    engine = make_engine(database_url, pool_size=pool_size)
    queue = ArqQueue(redis_url)
    yield Rows(engine, queue, PostgresTransactions(engine, queue))
    await queue.close()
    await engine.dispose()
