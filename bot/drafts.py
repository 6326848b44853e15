"""The live sight of an answer while it is written: may be lost at any moment, never in the way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from aiogram import Bot
from aiogram.enums import ChatAction
from aiogram.exceptions import TelegramAPIError, TelegramRetryAfter
from aiogram.types import MessageEntity

from bot.callbacks import StopQuestion
from bot.i18n import Translate
from bot.payload import Payload
from bot.reply_to import Place
from bot.rich_text import render, split
from bot.views.view import Button, View
from core.errors import TransientError
from core.model.answer import Question
from core.model.user import Chat
from core.ports import OutgoingMessage, Transactions

log = structlog.get_logger()

PRIVATE_EVERY = timedelta(seconds=1)
GROUP_EVERY = timedelta(seconds=4)
"""Edits count towards a group's 20 messages a minute; the final one must find a place too."""
REFRESH_AFTER = timedelta(seconds=20)
"""A draft dies after 30 s."""
CALL_TIMEOUT_S = 5


@dataclass(slots=True)
class PrivateDrafts:
    """`sendMessageDraft`: a preview that its person can stop; `draft_id` is the question's id."""

    bot: Bot
    chat: Chat
    place: Place
    draft_id: int
    clock: Callable[[], datetime]
    _last: datetime | None = field(default=None)
    _text: str = ""

    async def show(self, text: str) -> None:
        """Show the text so far, at most once a second; without any text, "typing"."""
        now = self.clock()
        since = now - self._last if self._last else REFRESH_AFTER
        if since < PRIVATE_EVERY or (text == self._text and since < (REFRESH_AFTER if text else PRIVATE_EVERY * 4)):
            return
        self._last, self._text = now, text
        try:
            await (self._draft(text) if text else self._typing())
        except TelegramRetryAfter as error:  # whoever goes on calling is kept away longer, from the answer too
            self._last = now + timedelta(seconds=error.retry_after)
            log.info("draft_not_shown", kind=type(error).__name__)
        except TelegramAPIError as error:
            log.info("draft_not_shown", kind=type(error).__name__)

    async def close(self) -> None:
        """Nothing to do: the final message takes the draft's place."""

    async def _draft(self, text: str) -> None:
        shown, entities = split(*render(text))[0]
        await self.bot.send_message_draft(
            chat_id=self.chat.external_id,
            draft_id=self.draft_id,
            message_thread_id=self.place.thread_id or None,
            text=shown,
            entities=[MessageEntity(**entity) for entity in entities],
            can_stop=True,
            request_timeout=CALL_TIMEOUT_S,
        )

    async def _typing(self) -> None:
        await self.bot.send_chat_action(
            self.chat.external_id,
            ChatAction.TYPING,
            message_thread_id=self.place.thread_id or None,
            request_timeout=CALL_TIMEOUT_S,
        )


@dataclass(slots=True)
class GroupDrafts:
    """A message that grows by spaced edits; the final answer becomes its last content (same key in the outbox)."""

    transactions: Transactions
    chat: Chat
    place: Place
    question: Question
    t: Translate
    clock: Callable[[], datetime]
    kick: Callable[[], Awaitable[None]]
    _next: datetime | None = field(default=None)
    _text: str = ""

    async def show(self, text: str) -> None:
        """Show the text so far, as often as a group's limit allows."""
        now = self.clock()
        if not text or text == self._text or (self._next and now < self._next):
            return
        self._next, self._text = now + GROUP_EVERY, text
        shown, entities = split(*render(text + " …"))[0]
        stop = Button(self.t.plain("button-stop"), StopQuestion(question_id=self.question.id).pack())
        view = View(shown, html=False, entities=tuple(entities), keyboard=((stop,),))
        reply_to = self.place.message_id if self.place.reply else 0
        payload = Payload(view, self.place.thread_id, reply_to, locale=self.place.locale)
        try:
            async with self.transactions() as tx:
                state = await tx.questions.get(self.question.id)
                if state is None or state.state != self.question.state:
                    return  # it was ended meanwhile: the final content must stay
                await tx.outbox.put(
                    OutgoingMessage(f"answer:{self.question.id}:0", self.chat.id, payload.pack(), priority=3)
                )
                tx.after_commit(self.kick)
        except TransientError:
            log.info("draft_not_shown", kind="database")

    async def close(self) -> None:
        """Nothing to do: the final answer replaces it."""
