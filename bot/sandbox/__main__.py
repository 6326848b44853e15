"""python -m bot.sandbox: run the emulator until it is interrupted."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from bot.sandbox.server import start_sandbox


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bot.sandbox", description="A Telegram Bot API emulator.")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=8081, help="port, 0 for a free one (default: %(default)s)")
    parser.add_argument("--data", default="sandbox-data", help="directory of the state (default: %(default)s)")
    parser.add_argument("--token", default="42:SANDBOX", help="the bot's token (default: %(default)s)")
    parser.add_argument("--name", help="the bot's name (default: as before, at first Sandbox)")
    parser.add_argument("--privacy", choices=("on", "off"), help="privacy mode in groups (default: as before)")
    parser.add_argument("--local", action="store_true", help="be a server in local mode: files of any size, by path")
    return parser.parse_args()


async def _run(arguments: argparse.Namespace) -> None:
    privacy = None if arguments.privacy is None else arguments.privacy == "on"
    try:
        sandbox = await start_sandbox(
            arguments.data,
            arguments.token,
            arguments.host,
            arguments.port,
            privacy=privacy,
            name=arguments.name,
            local=arguments.local,
        )
    except OSError:
        sys.exit(f"sandbox: cannot listen on {arguments.host}:{arguments.port} or write to {arguments.data}")
    stopped = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    print(f"sandbox ready {sandbox.url}", flush=True)
    await stopped.wait()
    await sandbox.close()


if __name__ == "__main__":
    asyncio.run(_run(_arguments()))
