"""The way to YouTube: nobody goes while it refuses us, and one at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from redis.asyncio import Redis

from core.adapters.breaker import PATIENCE, Breaker, Patience
from core.adapters.youtube.refusals import counts_as_block
from core.adapters.youtube.turns import Turns
from core.errors import KonspektError, RateLimited, UserError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Gate:
    """A breaker for a provider and an address, and turns for the address.

    Attributes:
        redis: Shared by all workers; None, or away: everybody goes at once.
        provider: The library or service that is refused or served.
        address: From where is asked, see `address_name`.
    """

    redis: Redis | None
    provider: str
    address: str = "direct"
    patience: Patience = PATIENCE
    wait_s: float = 60.0
    rest_s: float = 1.0

    async def through(self, call: Callable[[], Awaitable[T]], *, hold_s: float) -> T:
        """Make a call when it is allowed, and learn from its end.

        Args:
            hold_s: The call has ended by then; a worker that died holds the others up no longer.

        Raises:
            RateLimited: `youtube-blocked`: the provider is being left alone.
            TransientError: `youtube-busy`: no turn came.
        """
        breaker = Breaker(self.redis, f"{self.provider}:{self.address}", self.patience)
        await _pass(breaker)
        async with Turns(self.redis, self.address, self.wait_s, self.rest_s).take(hold_s):
            await _pass(breaker)  # it may have opened while we waited
            try:
                found = await call()
            except KonspektError as error:
                await _learn(breaker, error)
                raise
            await breaker.served()
            return found


async def _pass(breaker: Breaker) -> None:
    if wait_s := await breaker.open_s():
        raise RateLimited("youtube-blocked", {"code": "breaker-open"}, wait_s)


async def _learn(breaker: Breaker, error: KonspektError) -> None:
    """Tell the breaker what an error means: an answer about the video is service too."""
    if counts_as_block(error):
        await breaker.refused()
    elif isinstance(error, UserError) or error.text_key == "youtube-no-transcript":
        await breaker.served()
