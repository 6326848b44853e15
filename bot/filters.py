"""What a message is, as handlers ask it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiogram import Bot
from aiogram.filters import BaseFilter
from aiogram.types import Message, MessageEntity

from bot.incoming import is_for_keeping
from core.model.user import Caller, ChatKind
from core.wiring import App


@dataclass(frozen=True, slots=True)
class WordsFor:
    """What a person's words were asked for, and the row they concern."""

    kind: str
    reference: int


class ExpectedInput(BaseFilter):
    """Pass words that were asked for; asking is over then. Several of these share one look into the database.

    A forward or a long paste is no title that somebody typed: it is kept as ever, and the words are still asked for.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind

    async def __call__(self, message: Message, caller: Caller, app: App, screen: Any) -> bool | dict[str, Any]:
        """Give the handler `words_for`."""
        if is_for_keeping(message):
            return False
        if screen.expected is None:
            screen.expected = await app.take_input(caller, now=app.clock()) or ("", 0)
        kind, reference = screen.expected
        return {"words_for": WordsFor(kind, reference)} if kind == self._kind else False


class PrivateChat(BaseFilter):
    """Pass what is said in a private chat."""

    async def __call__(self, _message: Message, caller: Caller) -> bool:
        """Look at the chat."""
        return caller.chat.kind is ChatKind.PRIVATE


class AddressesBot(BaseFilter):
    """Pass a group's message that speaks to the bot: a reply to its message, or a mention of it.

    A command does not, even as a reply: it is another handler's, or another bot's. Gives the handler `words`: the
    text without the mention.
    """

    async def __call__(self, message: Message, bot: Bot) -> bool | dict[str, Any]:
        """Look at the entities, then at the reply."""
        text = message.text or message.caption or ""
        entities = message.entities or message.caption_entities or []
        if any(entity.type == "bot_command" and entity.offset == 0 for entity in entities):
            return False
        name = f"@{(await bot.me()).username}".lower()
        for entity in entities:
            if entity.type == "mention" and entity.extract_from(text).lower() == name:
                return {"words": _without(text, entity)}
        return {"words": text.strip()} if _is_ours(message.reply_to_message, bot.id) else False


def _without(text: str, entity: MessageEntity) -> str:
    """Cut an entity out of a text; its offsets count UTF-16 units, two for an emoji."""
    units = text.encode("utf-16-le")
    before, after = units[: 2 * entity.offset], units[2 * (entity.offset + entity.length) :]
    return (before + after).decode("utf-16-le").strip()


def _is_ours(answered: Message | None, bot_id: int) -> bool:
    """Tell whether a message is one that the bot wrote; a topic it opened makes nobody speak to it."""
    if answered is None or answered.from_user is None or answered.forum_topic_created is not None:
        return False
    return answered.from_user.id == bot_id
