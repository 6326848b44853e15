"""The menu of commands, for each language, private chats and groups."""

import asyncio

import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError
from aiogram.types import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from bot.i18n import DEFAULT_LOCALE, LOCALES, Texts

log = structlog.get_logger()

PRIVATE = ("sources", "notebooks", "new", "language", "help")
"""Five: everything else is reached by buttons."""
GROUP = ("ask", "add", "sources", "help")
RETRY_S = 30


async def set_commands(bot: Bot, texts: Texts) -> None:
    """Tell Telegram the menu; tried until it is taken, in the background."""
    while True:
        try:
            for locale in LOCALES:
                await _set(bot, texts, locale)
            return
        except TelegramAPIError as error:
            log.warning("menu_not_set", kind=type(error).__name__)
            await asyncio.sleep(RETRY_S)


async def _set(bot: Bot, texts: Texts, locale: str) -> None:
    t = texts(locale)
    code = None if locale == DEFAULT_LOCALE else locale
    for names, scope in ((PRIVATE, BotCommandScopeAllPrivateChats()), (GROUP, BotCommandScopeAllGroupChats())):
        commands = [BotCommand(command=name, description=t.plain(f"command-{name}")) for name in names]
        await bot.set_my_commands(commands, scope=scope, language_code=code)
