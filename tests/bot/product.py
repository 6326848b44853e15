"""The whole product in one process: a sandbox for Telegram, the bot, and a worker for each queue."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.__main__ import serve
from bot.face import open_face
from bot.sandbox import Sandbox, start_sandbox
from core.adapters.flood import Rate, RedisFloodGate
from core.jobs import QueueName
from core.settings import Settings
from core.wiring import Plumbing, open_plumbing, start_logging
from tests.fakes.openai_server import FakeOpenAI
from workers.main import build_worker

TOKEN = "42:SANDBOX"
LEASE_S = 8.0
"""Short, so that a test of a lost worker does not wait for a minute."""
END_S = 20.0


@dataclass
class Product:
    """What runs, and the ends of it that a test may touch.

    Attributes:
        url: Of the sandbox: Bot API, people and chat page.
        models: The fake endpoint behind embeddings and, where configured, answers.
    """

    url: str
    settings: Settings
    models: FakeOpenAI
    _group: asyncio.TaskGroup
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _stop_bot: asyncio.Event = field(default_factory=asyncio.Event)

    def start_bot(self) -> None:
        """Start the bot as its process does."""
        self._stop_bot = asyncio.Event()
        self._tasks["bot"] = self._group.create_task(serve(_plumbing(self.settings), self._stop_bot))

    async def stop_bot(self) -> None:
        """End the bot as SIGTERM does."""
        self._stop_bot.set()
        await self._ended(["bot"])

    async def start_workers(self) -> None:
        """Start a worker for each queue, one after the other: each computes for a while."""
        for queue in QueueName:
            await asyncio.sleep(0)
            self._tasks[queue] = self._group.create_task(_serve_queue(queue, self.settings))

    async def stop_workers(self) -> None:
        """End the workers as SIGTERM does."""
        with warnings.catch_warnings():  # here, not in the tasks: the filters are the whole process's
            warnings.filterwarnings("ignore", "Call to deprecated close", DeprecationWarning)  # arq's own
            for queue in QueueName:
                self._tasks[queue].cancel()
            await self._ended(QueueName)

    def broken(self) -> list[str]:
        """Name the parts that have ended though nobody ended them."""
        return [f"{name}: {_why(task)}" for name, task in self._tasks.items() if task.done()]

    async def _ended(self, names: Iterable[str]) -> None:
        async with asyncio.timeout(END_S):
            await asyncio.wait([self._tasks.pop(name) for name in names])


@asynccontextmanager
async def running_product(
    settings: dict[str, Any], data: Path, models: FakeOpenAI, *, privacy: bool = True
) -> AsyncIterator[Product]:
    """Start everything, and end it: the bot first, so that what it took in is still worked on.

    The parts are owned by one task of their own, since a fixture's two halves run in different tasks.
    """
    sandbox = await start_sandbox(data / "sandbox", TOKEN, privacy=privacy)
    whole = _settings(settings, data, sandbox)
    start_logging(whole)
    started, over = asyncio.Event(), asyncio.Event()
    made: list[Product] = []
    owner = asyncio.get_running_loop().create_task(_own(whole, models, made, started, over))
    await started.wait()
    try:
        yield made[0]
    finally:
        over.set()
        await owner
        await sandbox.close()


async def _own(
    settings: Settings, models: FakeOpenAI, made: list[Product], started: asyncio.Event, over: asyncio.Event
) -> None:
    async with asyncio.TaskGroup() as group:
        product = Product(settings.telegram.api_url, settings, models, group)
        product.start_bot()
        await product.start_workers()
        made.append(product)
        started.set()
        await over.wait()
        await product.stop_bot()
        await product.stop_workers()


async def _serve_queue(queue: QueueName, settings: Settings) -> None:
    plumbing = _plumbing(settings)
    worker = build_worker(queue, plumbing, open_face(plumbing), handle_signals=False)
    try:
        await worker.async_run()
    except asyncio.CancelledError:
        task = asyncio.current_task()
        assert task is not None
        task.uncancel()  # before 3.11.3 a time-out in a task that was cancelled is one more cancellation
        raise
    finally:
        await worker.close()


def _plumbing(settings: Settings) -> Plumbing:
    """Open it with a limit of speed that people of flesh would not need: a test waits for each message."""
    plumbing = open_plumbing(settings)
    quick = RedisFloodGate(
        settings.redis.url.get_secret_value(), private=Rate("chat", 0.1, 20), group=Rate("group", 0.1, 20)
    )
    return replace(plumbing, gate=quick)


def _settings(given: dict[str, Any], data: Path, sandbox: Sandbox) -> Settings:
    groups = {
        "bot": {"token": TOKEN},
        "telegram": {"api_url": sandbox.url},
        "data": {"dir": data},
        "worker": {"lease_s": LEASE_S},
        **given,
    }
    return Settings(_env_file=None, **groups)


def _why(task: asyncio.Task[None]) -> str:
    return "cancelled" if task.cancelled() else repr(task.exception())
