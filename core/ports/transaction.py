"""All repositories until the commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from core.jobs import Job
from core.ports.outbox import Outbox, Updates
from core.ports.people import Notebooks, People
from core.ports.questions import Ledger, Questions
from core.ports.sources import Bursts, Sources
from core.ports.texts import Insights, Texts, Vectors


class Transaction(Protocol):
    """All rows, until the commit."""

    people: People
    notebooks: Notebooks
    sources: Sources
    bursts: Bursts
    texts: Texts
    vectors: Vectors
    insights: Insights
    questions: Questions
    ledger: Ledger
    outbox: Outbox
    updates: Updates

    def publish(self, job: Job) -> None:
        """Send a job to the queue once the rows are committed."""
        ...

    def after_commit(self, call: Callable[[], Awaitable[None]]) -> None:
        """Do something once the rows are committed; it must not raise and may be lost."""
        ...


class Transactions(Protocol):
    """Opens transactions: leaving commits, an exception rolls back.

    Opened inside another one (the update that called the use-case), it joins it as a savepoint: rows, the mark of
    the update and the messages that tell of it become true together.
    """

    def __call__(self) -> AbstractAsyncContextManager[Transaction]:
        """Open one."""
        ...
