"""Working on a leased row: the lease is kept alive, and the work ends when it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic

from core.errors import TransientError

RENEWALS = 4
"""Of a lease within its time, at least: three may come to nothing before it runs out."""
LONGEST_BEAT_S = 2.0
"""Between two renewals, since they also see that a person asked to stop."""


Backoff = Callable[[int], float | None]
"""Tries made so far to seconds until the next; None: no more."""


class LeaseLost(Exception):
    """The row is not ours any more: another worker took it, it was deleted, or its person asked to stop."""


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """How work is held: by whom, and `seconds` until a dead worker's row is free."""

    owner: str
    seconds: float = 60.0

    @property
    def renew_every_s(self) -> float:
        """Say how often a living worker tells that it is one."""
        return min(LONGEST_BEAT_S, self.seconds / RENEWALS)

    def until(self, now: datetime) -> datetime:
        """Say when a lease taken or renewed now runs out."""
        return now + timedelta(seconds=self.seconds)


@asynccontextmanager
async def hold(renew: Callable[[], Awaitable[bool]], terms: LeaseTerms) -> AsyncIterator[None]:
    """Run the body while `renew` says True, asked again and again.

    What the body raises passes as it is, and so does a cancellation from outside. A database that is away ends the
    work only when the lease has run out.

    Raises:
        LeaseLost: `renew` said False; the body was cancelled.
        TransientError: `renew` could not be asked for as long as the lease lasts; the body was cancelled.
    """
    ended: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            pulse = group.create_task(_beat(renew, terms))
            yield
            pulse.cancel()
    except BaseExceptionGroup as errors:
        ended = _the_one(errors)
    if ended is not None:
        raise ended


async def _beat(renew: Callable[[], Awaitable[bool]], terms: LeaseTerms) -> None:
    renewed_at = monotonic()
    while True:
        await asyncio.sleep(terms.renew_every_s)
        asked_at = monotonic()
        try:
            if not await renew():
                raise LeaseLost
            renewed_at = asked_at
        except TransientError:
            if monotonic() - renewed_at >= terms.seconds:
                raise


def _the_one(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """Unwrap: a group of two can only be the loss and what the cancelled body made of it."""
    for error in errors.exceptions:
        if isinstance(error, LeaseLost):
            return error
    return errors.exceptions[0]
