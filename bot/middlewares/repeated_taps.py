"""A button tapped twice in a row is tapped once: the second tap is answered, and nothing more."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from aiogram import BaseMiddleware
from aiogram.types import CallbackQuery, TelegramObject

SAME_TAP_S = 1.0
"""Two taps of one button within this are one: a finger trembles, or a phone sends again what seemed lost."""

Place = tuple[int, int, int]
"""Person, chat and message."""


class RepeatedTaps(BaseMiddleware):
    """Let through the first of a person's equal taps that follow each other under one message.

    Rows alone decide what has an effect once; this only spares people the error that the second tap would earn
    ("is deleted already"). So it is kept in this process, and lost with it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[Place, tuple[str, int, float]] = {}

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
        self._last = {place: tap for place, tap in self._last.items() if now - tap[2] < SAME_TAP_S}
        under = query.message
        place = (query.from_user.id, under.chat.id if under else 0, under.message_id if under else 0)
        data = query.data or ""
        known, first, _ = self._last.get(place, ("", update_id, now))
        if known == data and first != update_id:
            return True
        self._last[place] = (data, update_id, now)
        return False
