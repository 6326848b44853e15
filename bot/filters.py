"""What a message is, as handlers ask it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiogram import Bot
from aiogram.filters import BaseFilter
from aiogram.types import Message

from core.model.user import Caller, ChatKind
from core.wiring import App


@dataclass(frozen=True, slots=True)
class WordsFor:
    """What a person's words were asked for, and the row they concern."""

    kind: str
    reference: int


class ExpectedInput(BaseFilter):
    """Pass words that were asked for; asking is over then. Several of these share one look into the database."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    async def __call__(self, message: Message, caller: Caller, app: App, screen: Any) -> bool | dict[str, Any]:
        """Give the handler `words_for`."""
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

    Gives the handler `words`: the text without the mention.
    """

    async def __call__(self, message: Message, bot: Bot) -> bool | dict[str, Any]:
        """Look at the reply and at the entities, whose offsets count UTF-16 units."""
        text = message.text or message.caption or ""
        me = await bot.me()
        for entity in message.entities or message.caption_entities or []:
            named = entity.extract_from(text)
            if entity.type == "mention" and named.lower() == f"@{me.username}".lower():
                return {"words": text.replace(named, "", 1).strip()}
        answered = message.reply_to_message
        if answered is not None and answered.from_user is not None and answered.from_user.id == bot.id:
            return {"words": text.strip()}
        return False
