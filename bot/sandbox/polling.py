"""getUpdates: long polling by one poller at a time."""

from __future__ import annotations

import asyncio

from bot.sandbox import updates
from bot.sandbox.errors import ApiError, conflict
from bot.sandbox.limits import POLL_MAX_S
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World

WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
SECOND_POLLER = "terminated by other getUpdates request; make sure that only one bot instance is running"


class Poller:
    """The one getUpdates call that may wait."""

    def __init__(self) -> None:
        self._signals: asyncio.Queue[ApiError | None] | None = None
        self._closed = False

    def end(self, reason: ApiError) -> None:
        """Make the waiting call fail."""
        if self._signals is not None:
            self._signals.put_nowait(reason)

    def close(self) -> None:
        """Make the waiting call return without updates, as the server stops."""
        self._closed = True
        if self._signals is not None:
            self._signals.put_nowait(None)

    async def get_updates(self, world: World, params: Params) -> list[Obj]:
        """Return the next updates, waiting for them as long as the bot asks.

        Raises:
            ApiError: 409, if a webhook is set or another call takes over.
        """
        if world.store.get("webhook"):
            raise conflict(WEBHOOK_ACTIVE)
        self.end(conflict(SECOND_POLLER))
        limit = params.integer("limit", 100)
        limit = limit if 1 <= limit <= 100 else 100
        with world.store.transaction():
            _settle(world, params)
        signals: asyncio.Queue[ApiError | None] = asyncio.Queue()
        self._signals = signals
        try:
            return await self._wait(world, signals, limit, min(max(params.integer("timeout"), 0), POLL_MAX_S))
        finally:
            if self._signals is signals:
                self._signals = None

    async def _wait(
        self, world: World, signals: asyncio.Queue[ApiError | None], limit: int, timeout_s: float
    ) -> list[Obj]:
        def wake() -> None:
            signals.put_nowait(None)

        world.wakers.add(wake)
        deadline = asyncio.get_running_loop().time() + timeout_s
        try:
            while not (found := _batch(world, limit)):
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0 or self._closed:
                    return []
                await _next_signal(signals, left)
            return found
        finally:
            world.wakers.discard(wake)


async def _next_signal(signals: asyncio.Queue[ApiError | None], timeout_s: float) -> None:
    try:
        reason = await asyncio.wait_for(signals.get(), timeout_s)
    except TimeoutError:
        return
    if reason is not None:
        raise reason


def _batch(world: World, limit: int) -> list[Obj]:
    with world.store.transaction():
        return updates.batch(world, limit)


def _settle(world: World, params: Params) -> None:
    offset = params.integer("offset")
    if offset < 0:
        updates.keep_last(world, -offset)
    else:
        updates.confirm(world, offset)
    if params.has("allowed_updates"):
        updates.allow(world, params.json("allowed_updates", "allowed_updates"))
