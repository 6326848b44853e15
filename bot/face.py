"""What a process needs to speak Telegram: the client, the texts, the sender and core's ports over them."""

from __future__ import annotations

from dataclasses import dataclass

from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import PRODUCTION, TelegramAPIServer

from bot.delivery import Delivery
from bot.files import PUBLIC_LIMIT_BYTES, TelegramFiles
from bot.i18n import Texts
from bot.notifier import TelegramNotifier
from bot.readable_answers import ReadableAnswers
from bot.sender import Sender
from core.settings import Settings
from core.wiring import Plumbing, worker_name

CALL_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Face:
    """The bot's side of one process; the bot and the workers each have one."""

    bot: Bot
    texts: Texts
    sender: Sender
    notifier: TelegramNotifier
    files: TelegramFiles
    file_limit_bytes: int | None

    async def close(self) -> None:
        """Close the client's connections."""
        await self.bot.session.close()


def open_face(plumbing: Plumbing) -> Face:
    """Build it; nothing connects yet."""
    settings = plumbing.settings
    bot = Bot(settings.bot.token.get_secret_value(), session=_session(settings))
    texts = Texts.load()
    sender = Sender(Delivery(bot, texts), plumbing.transactions, plumbing.gate, worker_name(), plumbing.clock)
    notifier = TelegramNotifier(
        texts=texts,
        bot=bot,
        transactions=plumbing.transactions,
        clock=plumbing.clock,
        kick=sender.kick,
    )
    local = settings.telegram.local
    return Face(bot, texts, sender, notifier, TelegramFiles(bot, local), None if local else PUBLIC_LIMIT_BYTES)


def _session(settings: Settings) -> AiohttpSession:
    url, local = settings.telegram.api_url, settings.telegram.local
    server = TelegramAPIServer.from_base(url, is_local=local) if url else PRODUCTION
    session = AiohttpSession(api=server, timeout=CALL_TIMEOUT_S)
    session.middleware(ReadableAnswers())
    return session
