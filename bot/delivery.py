"""One message brought to a chat: sent or edited, with what Telegram refuses of it given up step by step."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace

from aiogram import Bot
from aiogram.exceptions import TelegramBadRequest

from bot.i18n import Texts
from bot.payload import Payload
from bot.telegram_calls import edit_call, send_call
from bot.views.groups import group_hint_view

CALL_TIMEOUT_S = 20


@dataclass(frozen=True, slots=True)
class Delivery:
    """Makes the calls; what it cannot get past is raised as aiogram raises it."""

    bot: Bot
    texts: Texts

    async def bring(self, payload: Payload, chat_id: int, message_id: int) -> int:
        """Bring a message of the chat to this content, or a new one where there is none (0) or none any more.

        Returns:
            Telegram's id of the message that shows it.
        """
        if message_id and await self._edit(payload, chat_id, message_id):
            return message_id
        return await self._send(payload, chat_id)

    async def _edit(self, payload: Payload, chat_id: int, message_id: int) -> bool:
        """Edit; False when there is nothing to edit any more."""
        try:
            await self.bot(edit_call(payload, chat_id, message_id), request_timeout=CALL_TIMEOUT_S)
        except TelegramBadRequest as error:
            if "message is not modified" in error.message:
                return True
            if "can't parse entities" in error.message and _is_formatted(payload):
                return await self._edit(_plain(payload), chat_id, message_id)
            if "to edit not found" in error.message or "can't be edited" in error.message:
                return False
            raise
        return True

    async def _send(self, payload: Payload, chat_id: int) -> int:
        """Send; a formatting, a reply or a topic that Telegram refuses costs just that, not the words."""
        try:
            message = await self.bot(send_call(payload, chat_id), request_timeout=CALL_TIMEOUT_S)
        except TelegramBadRequest as error:
            less = self._less(payload, error.message)
            if less is None:
                raise
            return await self._send(less, chat_id)
        return int(message.message_id)

    def _less(self, payload: Payload, refusal: str) -> Payload | None:
        """Give up what was refused; None when nothing is left to be given up."""
        if payload.reply_to and re.search("repl|QUOTE", refusal):
            return payload.without_reply()
        if _is_formatted(payload) and "can't parse entities" in refusal:
            return _plain(payload)
        if payload.thread_id and "thread not found" in refusal:
            return replace(payload, thread_id=0)
        if payload.thread_id and "TOPIC_CLOSED" in refusal:
            closed = group_hint_view(self.texts(payload.locale), "group-topic-closed")
            return Payload(closed, locale=payload.locale)
        return None


def _is_formatted(payload: Payload) -> bool:
    return payload.view.html or bool(payload.view.entities)


def _plain(payload: Payload) -> Payload:
    """Keep the words and drop the formatting."""
    text = html.unescape(re.sub(r"<[^<>]+>", "", payload.view.text)) if payload.view.html else payload.view.text
    return replace(payload, view=replace(payload.view, text=text, html=False, entities=()))
