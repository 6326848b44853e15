"""The bot's process: settings, app, polling and sending until SIGTERM."""

from __future__ import annotations

import asyncio
import signal

import structlog

from bot.dispatcher import ALLOWED_UPDATES, build_dispatcher
from bot.face import open_face
from bot.handlers.errors import Quarantine
from bot.intake import ApplyUpdate, Polling
from bot.menu import set_commands
from bot.services import outside_services
from core.settings import Settings
from core.wiring import Plumbing, build_app, open_plumbing, start_logging

log = structlog.get_logger()


async def serve_until_signal(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(sign, stop.set)
    await serve(open_plumbing(settings), stop)


async def serve(plumbing: Plumbing, stop: asyncio.Event) -> None:
    """Serve updates until `stop`; what was taken in is finished first, and the plumbing is closed."""
    face = open_face(plumbing)
    try:
        app = build_app(plumbing, face.notifier, file_limit_bytes=face.file_limit_bytes)
        dispatcher = build_dispatcher(app, face.texts, outside_services(plumbing.settings), face.sender.kick)
        apply = Quarantine(ApplyUpdate(face.bot, dispatcher, app.transactions))
        async with asyncio.TaskGroup() as group:
            beside = [
                group.create_task(face.sender.run()),
                group.create_task(set_commands(face.bot, face.texts)),
            ]
            me = await face.bot.me()
            log.info("bot_ready", username=me.username)
            await Polling(face.bot, apply, ALLOWED_UPDATES).run(stop)
            for task in beside:
                task.cancel()
        await face.sender.finish()
    finally:
        await face.close()
        await plumbing.close()


def main() -> None:
    """Run the bot by the settings of the environment."""
    settings = Settings()
    start_logging(settings)
    asyncio.run(serve_until_signal(settings))


if __name__ == "__main__":
    main()
