"""Working on a leased row: the lease is kept alive, and the work ends when it is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass


class LeaseLost(Exception):
    """The row is not ours any more: another worker took it, it was deleted, or its person asked to stop."""


@dataclass(frozen=True, slots=True)
class LeaseTerms:
    """How work is held: `seconds` until a dead worker's row is free, renewed `renew_every_s`."""

    owner: str
    seconds: float = 60.0
    renew_every_s: float = 2.0


@asynccontextmanager
async def hold(renew: Callable[[], Awaitable[bool]], every_s: float) -> AsyncIterator[None]:
    """Run the body while `renew` says True, asked every few seconds.

    Raises:
        LeaseLost: `renew` said False; the body was cancelled.
    """

    async def beat() -> None:
        while True:
            await asyncio.sleep(every_s)
            if not await renew():
                raise LeaseLost

    try:
        async with asyncio.TaskGroup() as group:
            pulse = group.create_task(beat())
            yield
            pulse.cancel()
    except BaseExceptionGroup as errors:
        raise _the_one(errors) from errors


def _the_one(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """Unwrap: a group of two can only be the loss and what the cancelled body made of it."""
    for error in errors.exceptions:
        if isinstance(error, LeaseLost):
            return error
    return errors.exceptions[0]
