"""One request at a time from one address, over all workers: what looks like a crowd is banned."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from redis.asyncio import Redis
from redis.exceptions import RedisError

from core.errors import TransientError

LOOK_S = 0.2
# Between two looks at a turn that is taken.

_LEAVE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
"""


@dataclass(frozen=True, slots=True)
class Turns:
    """A place that one worker holds at a time.

    Attributes:
        redis: None: nobody waits.
        name: Of the address; holds no secret.
        wait_s: Longest wait for the place.
        rest_s: The place stays taken for so long after it was left: requests are not only single but also apart.
    """

    redis: Redis | None
    name: str
    wait_s: float = 60.0
    rest_s: float = 1.0

    @asynccontextmanager
    async def take(self, hold_s: float) -> AsyncIterator[None]:
        """Hold the place while the block runs; it falls free after `hold_s`, should this worker die.

        Raises:
            TransientError: `youtube-busy`: it did not fall free in time.
        """
        token = secrets.token_hex(8)
        await self._wait(token, hold_s)
        try:
            yield
        finally:
            await self._leave(token)

    async def _wait(self, token: str, hold_s: float) -> None:
        try:
            async with asyncio.timeout(self.wait_s):
                while not await self._taken(token, hold_s):  # noqa: ASYNC110 - Redis tells nobody that a key is gone
                    await asyncio.sleep(LOOK_S)
        except TimeoutError as error:
            raise TransientError("youtube-busy", {"code": "busy"}) from error

    async def _taken(self, token: str, hold_s: float) -> bool:
        """Try to take the place; without Redis it is always free."""
        if self.redis is None:
            return True
        try:
            return bool(await self.redis.set(self._key, token, nx=True, px=int(hold_s * 1000)))
        except (RedisError, OSError):
            return True

    async def _leave(self, token: str) -> None:
        if self.redis is None:
            return
        try:
            await self.redis.register_script(_LEAVE)(keys=[self._key], args=[token, int(self.rest_s * 1000)])
        except (RedisError, OSError):
            return

    @property
    def _key(self) -> str:
        return f"konspekt:youtube:turn:{self.name}"
