"""A person was asked for words (a title, say): the next ones they type are meant for that."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.model.user import Caller
from core.ports import Transactions

PATIENCE = timedelta(minutes=10)
"""After that a typed text is a question again."""


@dataclass(frozen=True, slots=True)
class ExpectInput:
    """Remember what the caller's next words are for: a kind, and the row it concerns."""

    transactions: Transactions

    async def __call__(self, caller: Caller, kind: str, reference: int, *, now: datetime) -> None:
        """Replace what was expected before."""
        if caller.person is None:
            return
        async with self.transactions() as tx:
            await tx.people.expect_input(caller.chat.id, caller.person.id, kind, reference, until=now + PATIENCE)


@dataclass(frozen=True, slots=True)
class TakeInput:
    """Say what the caller's words are for, once."""

    transactions: Transactions

    async def __call__(self, caller: Caller, *, now: datetime) -> tuple[str, int] | None:
        """Return kind and row; None when nothing was asked for."""
        if caller.person is None:
            return None
        async with self.transactions() as tx:
            return await tx.people.take_input(caller.chat.id, caller.person.id, now=now)
