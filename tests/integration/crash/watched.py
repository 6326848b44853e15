"""The product's ports, wrapped so that a test can stop a process at a named point of its work.

A point is a moment and what it is about: `called texts.save`, `before commit questions.finish`, `after commit
sources.lease`, `opening transaction`, `publishing embed_source`, `running extractor`, `before sendMessage`, `after
editMessageText`.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from aiogram import Bot
from aiogram.client.session.middlewares.base import BaseRequestMiddleware
from aiogram.methods import TelegramMethod

from core.adapters.killable import KillableRunner
from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.adapters.queue import ArqQueue
from core.jobs import Job
from core.model.document import Document
from core.ports import Transaction
from core.ports.documents import ExtractionRequest, Extractor, Progress

REPOSITORIES = ("sources", "texts", "vectors", "questions", "outbox", "updates")
LOOK_S = 0.01


@dataclass(frozen=True)
class Fuse:
    """Stops this process at one point as long as the file is there.

    Attributes:
        point: Where; "" never.
        armed: The file. A kill removes it first, so it happens once; a hold lasts until somebody removes it.
        holds: Wait instead of dying, and say so in files `<armed>.held.<n>`.
    """

    point: str
    armed: Path
    holds: bool = False

    async def reached(self, *points: str) -> None:
        """Die or wait if this is the point."""
        if self.point not in points or not self.armed.exists():
            return
        if self.holds:
            await self._hold()
            return
        self.armed.unlink()
        os.kill(os.getpid(), signal.SIGKILL)

    async def _hold(self) -> None:
        held = len(list(self.armed.parent.glob(f"{self.armed.name}.held.*")))
        self.armed.with_name(f"{self.armed.name}.held.{held}").touch()
        while self.armed.exists():  # noqa: ASYNC110 (another process removes it)
            await asyncio.sleep(LOOK_S)


class WatchedTransactions(PostgresTransactions):
    """Transactions that tell of their calls, their beginning and their end."""

    def __init__(self, fuse: Fuse, *given: Any) -> None:
        super().__init__(*given)
        self._fuse = fuse

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Transaction]:
        await self._fuse.reached("opening transaction")
        async with super().__call__() as tx:
            joined = isinstance(tx.sources, _WatchedRepository)
            called: set[str] = set()
            if not joined:
                for name in REPOSITORIES:
                    setattr(tx, name, _WatchedRepository(getattr(tx, name), name, called, self._fuse))
            yield tx
            if not joined:
                await self._fuse.reached(*(f"before commit {name}" for name in called))
        if not joined:
            await self._fuse.reached(*(f"after commit {name}" for name in called))


class _WatchedRepository:
    """A repository whose calls that found something are noted."""

    def __init__(self, inner: Any, name: str, called: set[str], fuse: Fuse) -> None:
        self._inner, self._name, self._called, self._fuse = inner, name, called, fuse

    def __getattr__(self, method: str) -> Callable[..., Awaitable[Any]]:
        call = getattr(self._inner, method)

        async def watched(*given: Any, **named: Any) -> Any:
            result = await call(*given, **named)
            if result is None or result:
                self._called.add(f"{self._name}.{method}")
                await self._fuse.reached(f"called {self._name}.{method}")
            return result

        return watched


class WatchedQueue(ArqQueue):
    """A queue that tells of a job before it is published; the sweep's jobs pass."""

    def __init__(self, fuse: Fuse, url: str) -> None:
        super().__init__(url)
        self._fuse = fuse

    async def publish(self, jobs: Sequence[Job]) -> None:
        await self._fuse.reached(*(f"publishing {job.name}" for job in jobs))
        await super().publish(jobs)


class WatchedRunner(KillableRunner):
    """A runner that tells when its child is there, and writes the child's number beside the fuse."""

    fuse: Fuse

    async def run(self, extractor: Extractor, request: ExtractionRequest, progress: Progress) -> Document:
        async with asyncio.TaskGroup() as group:
            work = group.create_task(super().run(extractor, request, progress))
            if self.fuse.point == "running extractor" and self.fuse.armed.exists():
                child = await _child()
                self.fuse.armed.with_suffix(".child").write_text(str(child.pid))
                await self.fuse.reached("running extractor")
            return await work


async def _child() -> psutil.Process:
    while True:
        for child in psutil.Process().children():
            if "core.adapters.extractor_child" in child.cmdline():
                return child
        await asyncio.sleep(LOOK_S)


class WatchedCalls(BaseRequestMiddleware):
    """Tells of every call of the Bot API, before it is made and after its answer."""

    def __init__(self, fuse: Fuse) -> None:
        self._fuse = fuse

    async def __call__(self, make_request: Any, bot: Bot, method: TelegramMethod[Any]) -> Any:
        name = type(method).__api_method__
        await self._fuse.reached(f"before {name}")
        answer = await make_request(bot, method)
        await self._fuse.reached(f"after {name}")
        return answer
