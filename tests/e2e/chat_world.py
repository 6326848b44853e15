"""A sandbox in a process of its own and a bot without a library, for tests that look at the chat page."""

import asyncio
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

ROOT = Path(__file__).parents[2]
WAIT_S = 10.0
"""How long anything on the page or at the bot may take."""

Json = dict[str, Any]


@dataclass
class Server:
    """One sandbox as a process of its own, with its state in a directory."""

    data: Path
    http: aiohttp.ClientSession
    url: str = ""
    process: asyncio.subprocess.Process | None = None

    async def start(self, port: int = 0) -> None:
        options = ("--port", str(port), "--data", str(self.data), "--privacy", "off")
        command = (sys.executable, "-m", "bot.sandbox", *options)
        self.process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), 30)
        self.url = line.decode().split()[-1]

    async def stop(self) -> None:
        if self.process is not None and self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            await asyncio.wait_for(self.process.communicate(), 30)

    async def play(self, path: str, body: Json) -> Any:
        async with self.http.post(f"{self.url}/sandbox/{path}", json=body) as response:
            answer = await response.json()
            assert response.ok, answer
            return answer

    async def person(self, name: str) -> int:
        """Add a person whom the bot may write to."""
        user = await self.play("users", {"first_name": name, "language_code": "ru"})
        await self.play(f"users/{user['id']}/chats/{user['id']}/messages", {"text": "/start"})
        return int(user["id"])


@dataclass
class Bot:
    """A bot without a library: it calls, polls, and keeps what it was told."""

    server: Server
    updates: asyncio.Queue[Json] = field(default_factory=asyncio.Queue)

    async def call(self, method: str, **params: Any) -> Any:
        async with self.server.http.post(f"{self.server.url}/bot42:SANDBOX/{method}", json=params) as response:
            answer = await response.json()
            assert answer["ok"], answer
            return answer["result"]

    async def poll(self) -> None:
        offset = 0
        while True:
            for update in await self.call("getUpdates", offset=offset, timeout=30):
                offset = update["update_id"] + 1
                self.updates.put_nowait(update)

    async def told(self, kind: str, text: str = "") -> Json:
        """Wait for an update of a kind, whose message says `text` if it is given."""
        while True:
            update = await asyncio.wait_for(self.updates.get(), WAIT_S)
            if kind in update and text in str(update[kind].get("text", "")):
                return dict(update[kind])
