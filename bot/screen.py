"""What a handler shows: messages by the outbox of the update's own transaction, a toast after its commit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError
from aiogram.types import CallbackQuery, Message

from bot.payload import Payload
from bot.views.view import View
from core.model.user import Caller, ChatKind
from core.ports import OutgoingMessage, Transactions

log = structlog.get_logger()

TOAST_LIMIT = 200
TOAST_TIMEOUT_S = 10


@dataclass(slots=True)
class Screen:
    """The chat as one update sees it; every call adds to the update's transaction.

    Attributes:
        kick: Wakes the sender once the transaction is committed.
        message: The message that spoke, None for a tap.
        is_tap: A button was tapped; it can be answered with a toast.
        tapped: Telegram's id of the message whose button was tapped, 0 for none and for one too old to be seen.
        expected: What the person's words were asked for, once looked up.
    """

    transactions: Transactions
    bot_id: int
    update_id: int
    caller: Caller
    kick: Callable[[], Awaitable[None]]
    message: Message | None = None
    is_tap: bool = False
    tapped: int = 0
    expected: tuple[str, int] | None = None
    toast_text: str = ""
    toast_alert: bool = False
    _count: int = field(default=0)

    async def send(self, *views: View) -> None:
        """Show new messages; in a group as replies to the message that asked."""
        reply = self.message.message_id if self.message and self.caller.chat.kind is ChatKind.GROUP else 0
        for view in views:
            await self._put(Payload(view, self.caller.thread_id, reply, locale=self.caller.locale))

    async def reply(self, view: View, message_id: int, *, quote: str = "") -> None:
        """Show a new message as a reply to a given one, pointing at words of it."""
        quoting = replace(view, quote=quote)
        await self._put(Payload(quoting, self.caller.thread_id, message_id, locale=self.caller.locale))

    async def edit(self, view: View) -> None:
        """Bring the message whose button was tapped to this content; a new one when there is none."""
        if not self.tapped:
            await self.send(view)
            return
        await self._put(Payload(view, self.caller.thread_id, edits=self.tapped, locale=self.caller.locale))

    def toast(self, text: str, *, alert: bool = False) -> None:
        """Answer the tap with a line, or a box to be closed."""
        self.toast_text, self.toast_alert = text[:TOAST_LIMIT], alert

    async def _put(self, payload: Payload) -> None:
        key = f"update:{self.bot_id}:{self.update_id}:{self._count}"
        self._count += 1
        async with self.transactions() as tx:
            await tx.outbox.put(OutgoingMessage(key, self.caller.chat.id, payload.pack(), priority=1))
            tx.after_commit(self.kick)


async def answer_tap(bot: Bot, query: CallbackQuery, screen: Screen) -> None:
    """End the spinner of a tapped button; one that Telegram has forgotten is no error."""
    try:
        await bot.answer_callback_query(
            query.id,
            text=screen.toast_text or None,
            show_alert=screen.toast_alert or None,
            request_timeout=TOAST_TIMEOUT_S,
        )
    except TelegramAPIError as error:
        log.info("tap_not_answered", kind=type(error).__name__)
