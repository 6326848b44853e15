"""Everything a burst of nine things needs: the product's processes, and the services it reads with."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import psutil
from PIL import Image

from bot.sandbox import start_sandbox
from core.jobs import QueueName
from tests.bot.people import Person, Telegram
from tests.e2e.chat_world import ROOT
from tests.fakes.transcription import FakeTranscription
from tests.fakes.vision_server import VisionServer
from tests.fakes.website import Internet
from tests.fakes.youtube import FakeYoutube

TOKEN = "42:SANDBOX"
LEASE_S = 3.0
END_S = 20.0
ROLES = ("bot", *QueueName)


@dataclass
class ReadingHouse:
    """What runs; people, pages and videos are put into it by the test."""

    telegram: Telegram
    groups: dict[str, Any]
    internet: Internet
    youtube: FakeYoutube
    speech: FakeTranscription
    vision: VisionServer
    logs: Path
    processes: dict[str, asyncio.subprocess.Process] = field(default_factory=dict)

    async def start(self, *roles: str) -> None:
        """Start processes; what they print is kept."""
        for role in roles:
            command = ("-m", "tests.e2e.resident", role, json.dumps(self.groups), str(self.internet.port))
            with (self.logs / f"{role}.log").open("ab") as log:
                self.processes[role] = await asyncio.create_subprocess_exec(
                    sys.executable, *command, cwd=ROOT, stdout=log, stderr=log
                )

    async def kill(self, role: str) -> None:
        """SIGKILL."""
        process = self.processes.pop(role)
        process.kill()
        await process.wait()

    def browsers(self) -> list[psutil.Process]:
        """The browsers of the worker of links, without their helpers."""
        worker = psutil.Process(self.processes[QueueName.LIGHT].pid)
        return [
            child for child in worker.children(recursive=True)
            if "chrom" in child.name() and "--type=" not in " ".join(child.cmdline())
        ]  # fmt: skip

    async def end(self) -> None:
        """End all as an operator does."""
        for process in self.processes.values():
            process.send_signal(signal.SIGTERM)
        for process in self.processes.values():
            await asyncio.wait_for(process.wait(), END_S)

    async def newcomer(self, name: str = "Аня") -> Person:
        """A person who has not spoken yet."""
        user = await self.telegram.call("POST", "/users", json={"first_name": name, "language_code": "ru"})
        return Person(self.telegram, user)


@asynccontextmanager
async def reading_house(
    database_url: str, redis_url: str, folder: Path, pages: dict[str, Image.Image]
) -> AsyncIterator[ReadingHouse]:
    """Start the services and every process, and end them; `pages` are the pictures that the model knows."""
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(aiohttp.ClientSession())
        internet = await stack.enter_async_context(Internet())
        youtube = await stack.enter_async_context(FakeYoutube())
        speech = await stack.enter_async_context(FakeTranscription())
        vision = await stack.enter_async_context(VisionServer(pages))
        sandbox = await start_sandbox(folder / "sandbox", TOKEN)
        stack.push_async_callback(sandbox.close)
        groups = {
            "bot": {"token": TOKEN},
            "telegram": {"api_url": sandbox.url},
            "database": {"url": database_url, "pool_size": 5},
            "redis": {"url": redis_url},
            "embedding": {"base_url": vision.url, "model": "fake-embeddings"},
            "vision": {"base_url": vision.url, "model": "fake-vision"},
            "speech": {"base_url": speech.url, "model": "fake-speech"},
            "youtube": {"proxy": youtube.proxy.url, "ca_file": str(youtube.proxy.ca_file)},
            "data": {"dir": str(folder / "data")},
            "worker": {"lease_s": LEASE_S},
        }
        house = ReadingHouse(Telegram(http, sandbox.url), groups, internet, youtube, speech, vision, folder)
        await house.start(*ROLES)
        stack.push_async_callback(house.end)
        yield house
