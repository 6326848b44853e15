"""The product as processes that a test starts, kills and ends, beside a sandbox with people who talk to it."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import time
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import asyncpg
import psutil

from core.jobs import QueueName
from tests.bot.people import Json, Person, Telegram, text_of, until
from tests.integration.crash import victim
from tests.integration.crash.watched import Fuse

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([victim.__name__])
DEATH_S = 30.0
END_S = 10.0
"""After SIGTERM a supervisor waits so long before it kills."""
WORKERS = tuple(QueueName)
READY = ("bot_ready", "worker_started")
"""What a process prints once it serves."""


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
    rows: asyncpg.Connection
    running: dict[str, ForkServerProcess] = field(default_factory=dict)
    _given: dict[str, dict[str, Any]] = field(default_factory=dict)
    _printed: dict[str, int] = field(default_factory=dict)

    @property
    def armed(self) -> Path:
        """The file that arms the fuses."""
        return self.folder / "armed"

    def start(self, *roles: str, point: str = "", holds: bool = False, **groups: Any) -> None:
        """Let processes run with these settings; with a point, they stop there as long as it is armed."""
        given = {**self.groups, **groups}
        for role in roles:
            if role in self.running:
                if self._given[role] == given:
                    continue
                self._kill(role)
            fuse, log = Fuse(point, self.armed, holds), self.folder / f"{role}.log"
            process = FORKS.Process(target=victim.live, args=(role, given, fuse, log), name=role)
            self._printed[role] = log.stat().st_size if log.exists() else 0
            process.start()
            self.running[role], self._given[role] = process, given

    async def restart(self, role: str, **how: Any) -> None:
        """End a process and start it anew, with a point that is armed at once."""
        await self.end(role)
        for told in self.folder.glob("armed*"):
            told.unlink()
        self.armed.touch()
        self.start(role, **how)

    async def killed(self, role: str) -> None:
        """Wait until a process has killed itself at its point."""
        process = self.running.pop(role)
        await asyncio.to_thread(process.join, DEATH_S)
        process.kill()  # one that has not come to its point must not live on beside the next
        assert process.exitcode == -signal.SIGKILL, self.log(role)
        assert not self.armed.exists()

    async def held(self, times: int = 1) -> None:
        """Wait until work has stopped at its point so many times."""

        async def look() -> bool:
            return len(list(self.folder.glob("armed.held.*"))) == times

        await until(look, f"{times} × held")

    def release(self) -> None:
        """Let what is held go on."""
        self.armed.unlink()

    async def broken(self, role: str) -> None:
        """Wait until a process has ended because it could not go on."""
        process = self.running.pop(role)
        await asyncio.to_thread(process.join, DEATH_S)
        process.kill()
        assert process.exitcode == 1, self.log(role)

    async def end(self, *roles: str) -> None:
        """End processes as an operator does, once they serve, and expect that they end well and soon."""
        for role in roles:
            if role in self.running:
                await until(lambda role=role: self._serves(role), f"{role} serving")
        ending = [(role, self.running.pop(role)) for role in roles if role in self.running]
        asked_at = time.monotonic()
        for _, process in ending:
            process.terminate()
        for role, process in ending:
            await asyncio.to_thread(process.join, asked_at + END_S - time.monotonic())
            assert process.exitcode == 0, f"{role}: {process.exitcode}\n{self.log(role)}"

    async def _serves(self, role: str) -> bool:
        log = self.folder / f"{role}.log"
        printed = log.read_bytes()[self._printed[role] :].decode() if log.exists() else ""
        return any(word in printed for word in READY)

    def close(self) -> None:
        """Kill what still runs."""
        for role in list(self.running):
            self._kill(role)

    def _kill(self, role: str) -> None:
        process = self.running.pop(role)
        process.kill()
        process.join()

    def log(self, role: str) -> str:
        """The end of what a process printed."""
        path = self.folder / f"{role}.log"
        return path.read_text()[-6000:] if path.exists() else ""

    async def eventually(self, query: str, *given: Any) -> None:
        """Wait until a query says true."""

        async def look() -> bool:
            return bool(await self.rows.fetchval(query, *given))

        try:
            await until(look, query)
        except AssertionError as error:
            logs = "\n".join(f"--- {role}\n{self.log(role)}" for role in ("bot", *WORKERS))
            raise AssertionError(f"{error}\n{logs}") from None

    async def newcomer(self) -> Person:
        """A person who has not spoken yet."""
        user = await self.telegram.call("POST", "/users", json={"first_name": "Аня", "language_code": "ru"})
        return Person(self.telegram, user)

    async def bot_says(self, person: Person, *, after: Json | None = None) -> list[str]:
        """What the bot's messages in a person's chat say now, oldest first."""
        messages = await self.telegram.call("GET", f"/users/{person.id}/chats/{person.id}/messages")
        since = after["message_id"] if after else 0
        return [text_of(message) for message in messages if message["from"]["is_bot"] and message["message_id"] > since]


async def gone(told: Path) -> bool:
    """Whether no extractor runs whose number stands in a file."""
    children = [int(path.read_text()) for path in told.parent.glob(told.name)]
    return not any(psutil.pid_exists(child) and psutil.Process(child).status() != "zombie" for child in children)
