"""A breaker that all workers share: a service that refuses us is left alone for a while, longer each time.

Its state is one hash in Redis. Times are Redis' own, so that workers need not agree on a clock. Without Redis nothing
is ever left alone: each worker then finds out for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from redis.asyncio import Redis
from redis.exceptions import RedisError

_OPEN = """
local time = redis.call('TIME')
local till = tonumber(redis.call('HGET', KEYS[1], 'till') or '0')
return tostring(math.max(0, till - (tonumber(time[1]) + tonumber(time[2]) / 1000000)))
"""

_REFUSED = """
local threshold, pause, longest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
local level = tonumber(redis.call('HGET', KEYS[1], 'level') or '0')
if level > 0 or count >= threshold then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
  pause = math.min(pause * 2 ^ level, longest)
  redis.call('HSET', KEYS[1], 'till', string.format('%.3f', now + pause), 'level', level + 1, 'count', 0)
end
redis.call('PEXPIRE', KEYS[1], math.ceil(tonumber(ARGV[4]) * 1000))
return 0
"""


@dataclass(frozen=True, slots=True)
class Patience:
    """How much a breaker bears.

    Attributes:
        refusals: So many in a row open it.
        pause_s: For so long at first; twice as long each time that the first try afterwards is refused again.
        longest_s: Never longer.
        memory_s: Refusals further apart than this have nothing to do with each other.
    """

    refusals: int = 3
    pause_s: float = 120.0
    longest_s: float = 3600.0
    memory_s: float = 7200.0


PATIENCE = Patience()


@dataclass(frozen=True, slots=True)
class Breaker:
    """Counts refusals of one service to one address of ours.

    Attributes:
        redis: None: never open.
        name: Of the service and the address; holds no secret.
    """

    redis: Redis | None
    name: str
    patience: Patience = PATIENCE

    async def open_s(self) -> float:
        """Say for how many seconds the service shall be left alone, 0 when it may be asked."""
        return await self._run(_OPEN)

    async def refused(self) -> None:
        """Take a refusal in."""
        terms = self.patience
        await self._run(_REFUSED, terms.refusals, terms.pause_s, terms.longest_s, terms.memory_s)

    async def served(self) -> None:
        """Forget all refusals."""
        if self.redis is not None:
            try:
                await self.redis.delete(self._key)
            except (RedisError, OSError):
                return

    @property
    def _key(self) -> str:
        return f"konspekt:breaker:{self.name}"

    async def _run(self, script: str, *arguments: float) -> float:
        if self.redis is None:
            return 0.0
        try:
            return float(await self.redis.register_script(script)(keys=[self._key], args=list(arguments)))
        except (RedisError, OSError):
            return 0.0
