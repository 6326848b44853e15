"""The product as processes that a test starts, kills and ends, with one person who talks to it."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import asyncpg

from core.jobs import QueueName
from tests.bot.people import Json, Person, Telegram, text_of, until
from tests.integration.crash import victim
from tests.integration.crash.watched import Fuse

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([victim.__name__])
END_S = 30.0
ROLES = ("bot", *QueueName)


@dataclass
class House:
    """What runs and where it keeps things.

    Attributes:
        groups: Settings of every process.
        rows: A connection to the product's database.
    """

    folder: Path
    groups: dict[str, Any]
    telegram: Telegram
    person: Person
    rows: asyncpg.Connection
    running: dict[str, ForkServerProcess] = field(default_factory=dict)

    @property
    def armed(self) -> Path:
        """The file that arms the fuses."""
        return self.folder / "armed"

    def start(self, *roles: str, point: str = "", holds: bool = False) -> None:
        """Start processes; with a point, they stop there once it is armed."""
        for role in roles:
            given = (role, self.groups, Fuse(point, self.armed, holds), self.folder / f"{role}.log")
            process = FORKS.Process(target=victim.live, args=given, name=role)
            process.start()
            self.running[role] = process

    def arm(self) -> None:
        """Let the point be reached from now on."""
        self.armed.touch()

    async def killed(self, role: str) -> None:
        """Wait until a process has killed itself at its point."""
        process = self.running.pop(role)
        await asyncio.to_thread(process.join, END_S)
        assert process.exitcode == -signal.SIGKILL, self.log(role)
        assert not self.armed.exists()

    async def end(self, *roles: str) -> None:
        """End processes as an operator does, and expect that they end well."""
        processes = {role: self.running.pop(role) for role in roles}
        for process in processes.values():
            process.terminate()
        for role, process in processes.items():
            await asyncio.to_thread(process.join, END_S)
            assert process.exitcode == 0, f"{role}: {process.exitcode}\n{self.log(role)}"

    def log(self, role: str) -> str:
        """What a process printed."""
        path = self.folder / f"{role}.log"
        return path.read_text()[-6000:] if path.exists() else ""

    async def eventually(self, query: str, *given: Any) -> None:
        """Wait until a query says true."""

        async def look() -> bool:
            return bool(await self.rows.fetchval(query, *given))

        try:
            await until(look, query)
        except AssertionError as error:
            logs = "\n".join(f"--- {role}\n{self.log(role)}" for role in ROLES)
            raise AssertionError(f"{error}\n{logs}") from None

    async def bot_says(self) -> list[Json]:
        """The bot's messages in the person's chat, oldest first, as they are."""
        messages = await self.telegram.call("GET", f"/users/{self.person.id}/chats/{self.person.id}/messages")
        return [message for message in messages if message["from"]["is_bot"] and text_of(message)]
