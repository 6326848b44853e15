"""Transactions: one session of rows, jobs published after the commit, joined when opened inside another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar

import structlog
from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
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

HEALED_BY_TIME = ("08", "25006", "40001", "40P01", "53", "55P03", "57P")
"""Beginnings of SQLSTATEs: a lost connection, a standby, a conflict or deadlock of transactions, a full server, a lock
waited for too long, a server that stops or starts."""


class PostgresTransaction:
    """The repositories over one connection; see `core.ports.Transaction`.

    Attributes:
        task: The task that opened it. One that it starts inherits its context, but not its connection.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection
        self.task = asyncio.current_task()
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
        if outer is not None and outer.task is asyncio.current_task():
            async with self._savepoint(outer):
                yield outer
            return
        async with AsyncExitStack() as stack:
            with translated_errors():
                connection = await stack.enter_async_context(self._engine.connect())
            tx = PostgresTransaction(connection)
            token = _open.set(tx)
            try:
                with translated_errors(system=False):
                    async with connection.begin():
                        yield tx
            finally:
                _open.reset(token)
        await self._after(tx)

    @asynccontextmanager
    async def _savepoint(self, outer: PostgresTransaction) -> AsyncIterator[None]:
        """Undo rows and what was to follow them when the inner block fails.

        A lost connection is told as such here already: who catches errors in between must not take it for a bug.
        """
        jobs, calls = len(outer.jobs), len(outer.calls)
        try:
            with translated_errors(system=False):
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
    """Turn what time may heal into a `TransientError`; other errors are bugs and pass.

    Args:
        system: The block does nothing but talk to the database, so an error of the system (no such socket, no such
            host) means that it is away.
    """

    def __init__(self, *, system: bool = True) -> None:
        self._system = OSError if system else (ConnectionError, TimeoutError)

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, self._system) or _heals(error):
            raise TransientError("database-away") from error


def _heals(error: BaseException | None) -> bool:
    """Tell whether the same statements may succeed later."""
    if isinstance(error, DBAPIError):
        state = getattr(error.orig, "sqlstate", None) or ""
        return error.connection_invalidated or state.startswith(HEALED_BY_TIME)
    return isinstance(error, NoConnectionFree | PendingRollbackError)


def _is_transactions(value: PostgresTransactions) -> Transactions:
    """Let mypy prove that this module keeps the port's promise."""
    return value
