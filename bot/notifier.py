"""Core's port `Notifier` in Telegram's words: what workers tell goes into the outbox of their transaction."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from aiogram import Bot

from bot.drafts import GroupDrafts, PrivateDrafts
from bot.i18n import Texts
from bot.payload import Payload
from bot.reply_to import Place
from bot.views.answer import answer_views
from bot.views.burst import burst_end_view, burst_view
from bot.views.errors import error_view
from bot.views.view import View
from core.library.refresh_source import is_read
from core.model.answer import Answer, Question
from core.model.ids import AnswerId, ChatId
from core.model.user import Chat, ChatKind
from core.ports import BurstStatus, Drafts, OutgoingMessage, Transaction, Transactions

KEEPABLE_CHARACTERS = 60
"""Words as few as a greeting are no source."""
SOUND_AFTER_S = 30.0
"""Work that took longer ends in one new message with sound; a person may have put the phone away."""


@dataclass(frozen=True, slots=True)
class TelegramNotifier:
    """See `core.ports.Notifier`.

    Attributes:
        kick: Wakes the sender of this process once the transaction is committed.
    """

    texts: Texts
    bot: Bot
    transactions: Transactions
    clock: Callable[[], datetime]
    kick: Callable[[], Awaitable[None]]

    async def burst_changed(self, tx: Transaction, status: BurstStatus) -> None:
        """Bring the burst's one silent status message up to date; a long one ends in a message with sound."""
        place = replace(Place.unpack(status.burst.reply_to), chat_id=status.burst.chat_id)
        t = self.texts(place.locale)
        key = f"burst:{status.burst.id}"
        view = burst_view(t, status, now=self.clock(), group=place.reply)
        await self._put(tx, key, place, view, priority=5)
        begun_at = await tx.bursts.end_wait(status.burst.id) if _is_over(status) else None
        if begun_at is not None and self.clock() - begun_at > timedelta(seconds=SOUND_AFTER_S):
            end = replace(burst_end_view(t, status), silent=place.reply)  # groups are never disturbed
            await self._put(tx, f"{key}:end", place, end, priority=4)

    async def answered(self, tx: Transaction, question: Question, answer_id: AnswerId, answer: Answer) -> None:
        """Send the answer or the refusal, as one message or several when it is long."""
        place = _place(question)
        views = answer_views(
            self.texts(place.locale),
            answer_id,
            answer,
            question_id=question.id if _may_be_a_source(question, place) else None,
        )
        for part, view in enumerate(views):
            await self._put(tx, answer_key(question, part), place, view, priority=1)

    async def question_failed(
        self, tx: Transaction, question: Question, text_key: str, values: Mapping[str, str | int]
    ) -> None:
        """Say that a question could not be answered and why."""
        place = _place(question)
        view = error_view(self.texts(place.locale), text_key, dict(values))
        await self._put(tx, answer_key(question, 0), place, view, priority=1)

    def drafts(self, question: Question, chat: Chat) -> Drafts:
        """Open the live sight of an answer: a draft in a private chat, a message that grows in a group."""
        place = _place(question)
        if chat.kind is ChatKind.PRIVATE:
            return PrivateDrafts(self.bot, chat, place, int(question.id), self.clock)
        return GroupDrafts(self.transactions, chat, place, question, self.texts(place.locale), self.clock, self.kick)

    async def _put(self, tx: Transaction, key: str, place: Place, view: View, *, priority: int) -> None:
        reply_to = place.message_id if place.reply else 0
        payload = Payload(view, place.thread_id, reply_to, locale=place.locale)
        await tx.outbox.put(OutgoingMessage(key, place.chat_id, payload.pack(), priority))
        tx.after_commit(self.kick)


def _is_over(status: BurstStatus) -> bool:
    """Tell whether all that was sent together is read; what follows then (vectors, a summary) nobody waits for."""
    return bool(status.sources) and all(source.state.ended and is_read(source) for source in status.sources)


def answer_key(question: Question, part: int) -> str:
    """Name a part of an answer in the outbox: a repeat of the work changes it and never doubles it."""
    return f"answer:{question.id}:{part}"


def _may_be_a_source(question: Question, place: Place) -> bool:
    """Tell whether words that nothing answers may have been meant for keeping: longer ones that ask nothing."""
    return not place.reply and "?" not in question.text and len(question.text) >= KEEPABLE_CHARACTERS


def _place(question: Question) -> Place:
    """Say where an answer belongs; the row's chat counts, which may have changed since it was asked (a migration)."""
    return replace(Place.unpack(question.reply_to), chat_id=ChatId(question.chat_id))
