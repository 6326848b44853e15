"""A button tapped twice in a row is tapped once: the second tap is answered, and nothing more."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from aiogram import BaseMiddleware
from aiogram.types import CallbackQuery, TelegramObject

SAME_TAP_S = 1.0
"""Two taps of one button within this are one: a finger trembles, or a phone sends again what seemed lost."""

Tap = tuple[int, int, int, str]


class RepeatedTaps(BaseMiddleware):
    """Let through the first of the equal taps of a person.

    Rows alone decide what has an effect once; this only spares people the error that the second tap would earn
    ("is deleted already"). So it is kept in this process, and lost with it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._taps: dict[Tap, tuple[int, float]] = {}

    async def __call__(
        self,
        handler: Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]],
        event: TelegramObject,
        data: dict[str, Any],
    ) -> Any:
        """Handle the tap unless an equal one has just been; an update that is tried again is no second tap."""
        assert isinstance(event, CallbackQuery)
        if self._is_repeated(event, data["event_update"].update_id):
            return None
        return await handler(event, data)

    def _is_repeated(self, query: CallbackQuery, update_id: int) -> bool:
        now = self._clock()
        self._taps = {tap: known for tap, known in self._taps.items() if now - known[1] < SAME_TAP_S}
        under = query.message
        tap = (query.from_user.id, under.chat.id if under else 0, under.message_id if under else 0, query.data or "")
        first, _ = self._taps.setdefault(tap, (update_id, now))
        return first != update_id
