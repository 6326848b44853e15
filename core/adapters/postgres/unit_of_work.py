"""Transactions: one session of rows, jobs published after the commit, joined when opened inside another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

import structlog
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from core import ports
from core.adapters.postgres.repositories.bursts import PostgresBursts
from core.adapters.postgres.repositories.insights import PostgresInsights
from core.adapters.postgres.repositories.ledger import PostgresLedger
from core.adapters.postgres.repositories.notebooks import PostgresNotebooks
from core.adapters.postgres.repositories.outbox import PostgresOutbox
from core.adapters.postgres.repositories.people import PostgresPeople
from core.adapters.postgres.repositories.questions import PostgresQuestions
from core.adapters.postgres.repositories.sources import PostgresSources
from core.adapters.postgres.repositories.texts import PostgresTexts
from core.adapters.postgres.repositories.updates import PostgresUpdates
from core.adapters.postgres.repositories.vectors import PostgresVectors
from core.errors import TransientError
from core.jobs import Job
from core.ports import JobQueue, Transaction, Transactions

log = structlog.get_logger()

AfterCommit = Callable[[], Awaitable[None]]


class PostgresTransaction:
    """The repositories over one connection; see `core.ports.Transaction`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.people: ports.People = PostgresPeople(connection)
        self.notebooks: ports.Notebooks = PostgresNotebooks(connection)
        self.sources: ports.Sources = PostgresSources(connection)
        self.bursts: ports.Bursts = PostgresBursts(connection)
        self.texts: ports.Texts = PostgresTexts(connection)
        self.vectors: ports.Vectors = PostgresVectors(connection)
        self.insights: ports.Insights = PostgresInsights(connection)
        self.questions: ports.Questions = PostgresQuestions(connection)
        self.ledger: ports.Ledger = PostgresLedger(connection)
        self.outbox: ports.Outbox = PostgresOutbox(connection)
        self.updates: ports.Updates = PostgresUpdates(connection)
        self.jobs: list[Job] = []
        self.calls: list[AfterCommit] = []

    def publish(self, job: Job) -> None:
        """Send a job once the rows are committed."""
        self.jobs.append(job)

    def after_commit(self, call: AfterCommit) -> None:
        """Do something once the rows are committed."""
        self.calls.append(call)


_open: ContextVar[PostgresTransaction | None] = ContextVar("open_transaction", default=None)


class PostgresTransactions:
    """Opens transactions on one engine; see `core.ports.Transactions`."""

    def __init__(self, engine: AsyncEngine, queue: JobQueue) -> None:
        self._engine = engine
        self._queue = queue

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Transaction]:
        """Open a transaction, or a savepoint of the one that this task has open."""
        outer = _open.get()
        if outer is not None:
            async with self._savepoint(outer):
                yield outer
            return
        with translated_errors():
            async with self._engine.connect() as connection:
                tx = PostgresTransaction(connection)
                token = _open.set(tx)
                try:
                    async with connection.begin():
                        yield tx
                finally:
                    _open.reset(token)
        await self._after(tx)

    @asynccontextmanager
    async def _savepoint(self, outer: PostgresTransaction) -> AsyncIterator[None]:
        """Undo rows and what was to follow them when the inner block fails."""
        jobs, calls = len(outer.jobs), len(outer.calls)
        try:
            async with outer.connection.begin_nested():
                yield
        except BaseException:
            del outer.jobs[jobs:]
            del outer.calls[calls:]
            raise

    async def _after(self, tx: PostgresTransaction) -> None:
        """Publish and call; what is lost here the sweep finds by its rows."""
        if tx.jobs:
            try:
                await self._queue.publish(tx.jobs)
            except TransientError:
                log.warning("jobs_not_published", count=len(tx.jobs))
        for call in tx.calls:
            await call()


class translated_errors:
    """Turn a lost or refused connection into a `TransientError`; other database errors are bugs and pass."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OperationalError | InterfaceError | ConnectionError | TimeoutError) or (
            isinstance(error, DBAPIError) and error.connection_invalidated
        ):
            raise TransientError("database-away") from error


def _is_transactions(value: PostgresTransactions) -> Transactions:
    """Let mypy prove that this module keeps the port's promise."""
    return value
