"""Who speaks, where, to which notebook, in which language: found before any handler runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from aiogram import BaseMiddleware, Bot
from aiogram.types import (
    CallbackQuery,
    Chat,
    InaccessibleMessage,
    Message,
    MessageGenerationStopped,
    TelegramObject,
    Update,
    User,
)

from bot.i18n import Texts, pick_locale
from bot.screen import Screen, answer_tap
from core.library.identify_caller import Appearance
from core.model.user import Caller, ChatKind
from core.wiring import App

ANONYMOUS_ADMIN = 1087968824
LINKED_CHANNEL = 777000
CHANNEL_BOT = 136817688
"""Accounts that Telegram puts where a message has no person: they have no quota, deck or subscription."""
UNTOLD = ""
"""Locale of an event that says nothing of the person's language: the known one stays."""
NOBODY = frozenset({ANONYMOUS_ADMIN, LINKED_CHANNEL, CHANNEL_BOT})


class CallerContext(BaseMiddleware):
    """Give handlers `caller`, `screen` and `t`; events without a chat of ours pass without them."""

    def __init__(self, app: App, texts: Texts, kick: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._texts = texts
        self._kick = kick

    async def __call__(
        self,
        handler: Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]],
        event: TelegramObject,
        data: dict[str, Any],
    ) -> Any:
        """Identify the caller in the update's transaction; a tap is answered after its commit, whatever happens."""
        assert isinstance(event, Update)
        seen = appearance(event, data["bot"], self._texts)
        if seen is None:
            return await handler(event, data) if _is_migration(event.message) else None
        caller = await self._app.identify_caller(seen)
        screen = self._screen(event, data["bot"], caller)
        data |= {"caller": caller, "screen": screen, "t": self._texts(caller.locale)}
        query = event.callback_query
        if query is not None:
            async with self._app.transactions() as tx:
                tx.after_commit(lambda: answer_tap(data["bot"], query, screen))
        return await handler(event, data)

    def _screen(self, update: Update, bot: Bot, caller: Caller) -> Screen:
        query = update.callback_query
        under = query.message if query and isinstance(query.message, Message) else None
        return Screen(
            self._app.transactions,
            bot.id,
            update.update_id,
            caller,
            self._kick,
            message=update.message if query is None else None,
            is_tap=query is not None,
            tapped=under.message_id if under else 0,
        )


def appearance(update: Update, bot: Bot, texts: Texts) -> Appearance | None:
    """Read speaker and place out of an update.

    Returns:
        None for channels' own posts and for events without a chat: nobody there can be answered. Neither for the
        news that a group has another id: a row made for it would stand in the way of the group's own.
    """
    event = update.event
    message = event.message if isinstance(event, CallbackQuery) else event
    chat: Chat | None = getattr(message, "chat", None)
    if chat is None or chat.type == "channel" or _is_migration(message):
        return None
    user = _speaker(event)
    private = chat.type == "private"
    code = user.language_code if user else None
    locale = UNTOLD if isinstance(event, MessageGenerationStopped) else pick_locale(code)
    title = chat.title or chat.full_name or ""
    return Appearance(
        bot_id=bot.id,
        person_id=user.id if user else None,
        person_name=user.full_name if user else "",
        locale=locale,
        chat_id=chat.id,
        chat_kind=ChatKind.PRIVATE if private else ChatKind.GROUP,
        chat_title=title,
        topic_id=_topic(message),
        first_title=texts(locale).plain("notebook-first") if private else title,
    )


def _is_migration(message: object) -> bool:
    return isinstance(message, Message) and bool(message.migrate_to_chat_id or message.migrate_from_chat_id)


def _speaker(event: object) -> User | None:
    """Find the person behind an event; None for channels, anonymous administrators and bots."""
    if isinstance(event, MessageGenerationStopped):  # in private chats only, whose ids are their persons'
        return User(id=event.chat.id, is_bot=False, first_name=event.chat.full_name)
    if isinstance(event, Message) and event.sender_chat is not None:
        return None
    user: User | None = getattr(event, "from_user", None)
    return None if user is None or user.id in NOBODY or user.is_bot else user


def _topic(message: object) -> int:
    """Name the forum topic of a message; General and replies outside of forums have none."""
    if not isinstance(message, Message) or isinstance(message, InaccessibleMessage):
        return 0
    return message.message_thread_id or 0 if message.is_topic_message else 0
