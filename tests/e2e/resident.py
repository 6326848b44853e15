"""One process of the product, as it is started everywhere, but for the Internet: public names lead to a site here.

`python -m tests.e2e.resident bot|questions|light|heavy SETTINGS PORT`, the settings as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys

import bot.__main__ as bot_process
from core.jobs import QueueName
from core.settings import Settings
from core.wiring import start_logging
from tests.fakes.website import SITE
from workers import main as worker_process
from workers.outside import Network, build_outside


def main() -> None:
    """Serve until SIGTERM."""
    role, groups, port = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
    settings = Settings(_env_file=None, **groups)
    start_logging(settings)
    if role == "bot":
        asyncio.run(bot_process.serve_until_signal(settings))
        return

    async def resolve(_host: str, _port: int) -> list[str]:
        return [SITE]

    async def dial(_address: str, _port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", port)

    outside = build_outside(settings, network=Network(resolve, dial))
    asyncio.run(worker_process.serve(QueueName(role), settings, outside))


if __name__ == "__main__":
    main()
