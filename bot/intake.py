"""Updates come in: each has its effect once, is confirmed only after that, and one chat goes in order.

Polling confirms by the offset of the next call. The offset is the oldest update that is not finished, so whatever a
kill interrupts is delivered again; what is delivered again while it still runs, or was committed, is known and skipped.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog
from aiogram import Bot, Dispatcher
from aiogram.exceptions import TelegramAPIError, TelegramConflictError, TelegramNetworkError, TelegramRetryAfter
from aiogram.types import Update

from core.errors import TransientError
from core.ports import Transactions

log = structlog.get_logger()

POLL_S = 25
POLL_TIMEOUT_S = POLL_S + 10
BATCH = 100
AT_ONCE = 32
"""Updates of different chats handled at once."""
PEEK_S = 0.5
"""While an update takes long, others are asked for so often."""
DRAIN_S = 4.0
"""For what was taken in when the process is told to end: it is killed after ten."""
RETRY_S = (0.2, 1.0, 3.0, 10.0)
"""Pauses before an update is tried again while the database is away; the last one repeats."""


@dataclass(slots=True)
class ApplyUpdate:
    """One update, in one transaction: its mark, its rows, its replies."""

    bot: Bot
    dispatcher: Dispatcher
    transactions: Transactions

    async def __call__(self, update: Update) -> bool:
        """Handle it; False when it had its effect before.

        Raises:
            TransientError: The database is away; nothing happened.
        """
        async with self.transactions() as tx:
            if not await tx.updates.begin(self.bot.id, update.update_id):
                return False
            await self.dispatcher.feed_update(self.bot, update)
        return True


def lane_of(update: Update) -> int:
    """Name the queue of an update: its chat's, so that a tap waits for the message before it."""
    event = update.event
    message = getattr(event, "message", None) or event
    chat = getattr(message, "chat", None) or getattr(event, "chat", None)
    user = getattr(event, "from_user", None)
    return chat.id if chat else user.id if user else 0


@dataclass(slots=True)
class Lanes:
    """Runs updates: one chat in order, several chats at once, the unfinished ones known.

    The lanes are owned by the task group of `run`.
    """

    apply: Callable[[Update], Awaitable[bool]]
    group: asyncio.TaskGroup
    unfinished: set[int] = field(default_factory=set)
    _done: set[int] = field(default_factory=set)
    _waiting: dict[int, deque[Update]] = field(default_factory=dict)
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    _finished: asyncio.Event = field(default_factory=asyncio.Event)

    def put(self, update: Update) -> bool:
        """Queue an update; False when it is here already."""
        if update.update_id in self.unfinished or update.update_id in self._done:
            return False
        self.unfinished.add(update.update_id)
        lane = lane_of(update)
        if lane in self._waiting:
            self._waiting[lane].append(update)
        else:
            self._waiting[lane] = deque([update])
            self.group.create_task(self._drive(lane))
        return True

    def confirmable(self, newest: int) -> int:
        """Say from which update on Telegram shall deliver; what is below never comes again and is forgotten."""
        offset = min(self.unfinished, default=newest + 1)
        self._done = {update_id for update_id in self._done if update_id >= offset}
        return offset

    async def progress(self) -> None:
        """Wait until some update has finished since the last call."""
        await self._finished.wait()
        self._finished.clear()

    async def progress_or_pause(self) -> None:
        """Wait until some update has finished, but not for long: others may have come meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PEEK_S):
                await self.progress()

    async def _drive(self, lane: int) -> None:
        waiting = self._waiting[lane]
        while waiting:
            async with self._places:
                await self._persist(waiting[0])
            done = waiting.popleft().update_id
            self.unfinished.discard(done)
            self._done.add(done)
            self._finished.set()
        del self._waiting[lane]

    async def _persist(self, update: Update) -> None:
        """Apply an update, for as long as the database needs to come back."""
        tries = 0
        while True:
            try:
                await self.apply(update)
                return
            except TransientError as error:
                log.warning("update_waits", update_id=update.update_id, error=error.text_key)
                await asyncio.sleep(RETRY_S[min(tries, len(RETRY_S) - 1)])
                tries += 1


class _TooLate(Exception):
    """The time to finish in is over."""


@dataclass(slots=True)
class Polling:
    """Long polling that loses nothing."""

    bot: Bot
    apply: Callable[[Update], Awaitable[bool]]
    allowed_updates: list[str]
    drain_s: float = DRAIN_S

    async def run(self, stop: asyncio.Event) -> None:
        """Poll until `stop`, then finish what was taken in, for at most `drain_s` seconds.

        What is not finished by then is undone; it was not confirmed, so it comes again.
        """
        try:
            async with asyncio.TaskGroup() as group:
                lanes = Lanes(self.apply, group)
                poll = group.create_task(self._poll(lanes))
                await stop.wait()
                poll.cancel()
                await self._drain(lanes)
        except* _TooLate:
            log.warning("updates_left", count=len(lanes.unfinished))

    async def _poll(self, lanes: Lanes) -> None:
        newest = 0
        while True:
            offset = lanes.confirmable(newest)
            updates = await self._fetch(offset if newest else None)
            fresh = [lanes.put(update) for update in updates]
            newest = max([newest, *(update.update_id for update in updates)])
            if updates and not any(fresh):
                await lanes.progress_or_pause()  # the same ones again

    async def _fetch(self, offset: int | None) -> list[Update]:
        try:
            return await self.bot.get_updates(
                offset=offset,
                limit=BATCH,
                timeout=POLL_S,
                allowed_updates=self.allowed_updates,
                request_timeout=POLL_TIMEOUT_S,
            )
        except TelegramRetryAfter as error:
            await asyncio.sleep(error.retry_after)
        except TelegramConflictError:
            log.error("another_poller")
            await asyncio.sleep(RETRY_S[-1])
        except (TelegramNetworkError, TelegramAPIError) as error:
            log.warning("poll_failed", kind=type(error).__name__)
            await asyncio.sleep(RETRY_S[1])
        return []

    async def _drain(self, lanes: Lanes) -> None:
        try:
            async with asyncio.timeout(self.drain_s):
                while lanes.unfinished:
                    await lanes.progress()
        except TimeoutError as error:
            raise _TooLate from error
