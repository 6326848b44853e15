"""Telegram's speed limits as tokens in Redis, shared by every process that sends.

Each limit is a generic cell rate: one key holds the time at which the next place is free. The script reads all keys
that apply, and moves them only if every one has a place, so that nothing is taken in vain.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import redis.asyncio as redis
from redis.exceptions import RedisError

from core.model.user import Chat, ChatKind

TIMEOUT_S = 3


@dataclass(frozen=True, slots=True)
class Rate:
    """One place every `interval_s`, and up to `burst` of them at once after a rest."""

    name: str
    interval_s: float
    burst: int


OVERALL = Rate("all", 1 / 30, 30)
"""30 messages a second over all chats."""
PRIVATE = Rate("chat", 1.0, 3)
"""About one a second in a chat; a few at once are let pass."""
GROUP = Rate("group", 3.0, 5)
"""20 a minute in a group, edits too."""

_TAKE = """
local now = tonumber(ARGV[1])
local wait = 0
for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local free = math.max(tonumber(redis.call('GET', key) or '0'), now)
  wait = math.max(wait, free - now - interval * (burst - 1))
end
local blocked = tonumber(redis.call('GET', KEYS[#KEYS] .. ':blocked') or '0')
wait = math.max(wait, blocked - now)
if wait > 0 then return tostring(wait) end
for i, key in ipairs(KEYS) do
  local interval = tonumber(ARGV[2 * i])
  local free = math.max(tonumber(redis.call('GET', key) or '0'), now) + interval
  redis.call('SET', key, tostring(free), 'PX', math.ceil((free - now) * 1000) + 1000)
end
return '0'
"""


class RedisFloodGate:
    """See `core.ports.FloodGate`. Without Redis nobody waits: the messenger's own answer is then the limit."""

    def __init__(self, url: str, *, private: Rate = PRIVATE, group: Rate = GROUP) -> None:
        self._rates = {ChatKind.PRIVATE: private, ChatKind.GROUP: group}
        self._redis = redis.Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)
        self._take = self._redis.register_script(_TAKE)

    async def wait_s(self, bot_id: int, chat: Chat, *, edit: bool) -> float:
        """Take a place, or say in how many seconds one is free."""
        rates = (OVERALL, self._rates[chat.kind])
        keys = [_key(bot_id, OVERALL), _key(bot_id, rates[1], chat)]
        arguments: list[float] = [time.time()]
        for rate in rates:
            arguments += [rate.interval_s, rate.burst]
        try:
            return float(await self._take(keys=keys, args=arguments))
        except (RedisError, OSError):
            return 0.0

    async def block(self, bot_id: int, chat: Chat, seconds: float) -> None:
        """Keep everybody from a chat for a while."""
        try:
            key = f"{_key(bot_id, self._rates[chat.kind], chat)}:blocked"
            await self._redis.set(key, str(time.time() + seconds), px=int(seconds * 1000) + 1)
        except (RedisError, OSError):
            return

    async def close(self) -> None:
        """Free the connections."""
        await self._redis.aclose()


def _key(bot_id: int, rate: Rate, chat: Chat | None = None) -> str:
    place = f":{chat.external_id}" if chat else ""
    return f"konspekt:flood:{{{bot_id}}}:{rate.name}{place}"
