"""Real worker processes, one a queue, beside a bench that gives them work as the bot does."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from pydantic import SecretStr

from bot.sandbox import start_sandbox
from core.adapters.embedded_services import start_embedded, stop_embedded
from core.jobs import QueueName
from core.library.add_source import Incoming
from core.library.identify_caller import Appearance
from core.model.ids import ReplyTo
from core.model.plan import PlanName
from core.model.source import Source
from core.model.user import Caller, ChatKind
from core.settings import DatabaseSettings, DataSettings, RedisSettings, Settings
from core.wiring import App, build_app, open_plumbing
from workers.local_owner import NOBODY, Told
from workers.standalone import migrate

TOKEN = "42:SANDBOX"
START_S = 120.0
END_S = 20.0
LOG_TAIL = 4000
LOOK_S = 0.01
"""Between looks at a source: small beside what is measured."""
READY = b"worker_started"


@dataclass(slots=True)
class Peak:
    """The most memory that was seen, in bytes: of the process alone, and with everything below it."""

    own: int = 0
    whole: int = 0

    def look(self, pid: int) -> None:
        """Take the present memory in."""
        with suppress(psutil.Error):
            process = psutil.Process(pid)
            own = process.memory_info().rss
            below = 0
            for child in process.children(recursive=True):
                with suppress(psutil.Error):
                    below += child.memory_info().rss
            self.own, self.whole = max(self.own, own), max(self.whole, own + below)


@dataclass(slots=True)
class Beside:
    """What runs: the workers, and the use-cases of a face that has one notebook."""

    app: App
    caller: Caller
    workers: dict[str, subprocess.Popen[bytes]]
    peaks: dict[str, Peak] = field(default_factory=dict)

    async def add(self, incoming: Incoming) -> Source:
        """Give the workers a source to read."""
        added = await self.app.add_source(self.caller, incoming, ReplyTo(""), now=self.app.clock())
        assert not added.duplicate
        return added.source

    async def now(self, source: Source) -> Source:
        """Look at a source."""
        return await self.app.get_source(self.caller, source.notebook_id, source.id)

    async def latency(self, incoming: Incoming) -> float:
        """Add a source and return the seconds until it answers."""
        begun = time.perf_counter()
        source = await self.add(incoming)
        while not (current := await self.now(source)).state.ended:  # noqa: ASYNC110 (another process reads)
            await asyncio.sleep(LOOK_S)
        seconds = time.perf_counter() - begun
        assert current.state.answers, current.reason
        return seconds

    async def watch(self) -> None:
        """Look at the workers' memory until cancelled."""
        while True:
            for name, worker in self.workers.items():
                await asyncio.to_thread(self.peaks.setdefault(name, Peak()).look, worker.pid)
            await asyncio.sleep(0.25)


@asynccontextmanager
async def workers_beside(modules: dict[str, Sequence[str]] | None = None) -> AsyncIterator[Beside]:
    """Start services, an emulator and the workers in a folder of their own; end them all afterwards.

    Args:
        modules: Name to what Python is given after `-m`; the product's three workers without.
    """
    with tempfile.TemporaryDirectory(prefix="konspekt-bench-") as name:
        folder = Path(name)
        sandbox = await start_sandbox(folder / "sandbox", TOKEN)
        started = await asyncio.to_thread(start_embedded, folder / "data", postgres=True, valkey=True)
        await asyncio.to_thread(migrate, started.database_url)
        given = {
            "BOT_TOKEN": TOKEN,
            "TELEGRAM_API_URL": sandbox.url,
            "DATABASE_URL": started.database_url,
            "REDIS_URL": started.redis_url,
            "DATA_DIR": str(folder / "data"),
        }
        plumbing = open_plumbing(
            Settings(
                database=DatabaseSettings(url=SecretStr(started.database_url)),
                redis=RedisSettings(url=SecretStr(started.redis_url)),
                data=DataSettings(dir=folder / "data"),
            )
        )
        app = build_app(plumbing, Told(), file_limit_bytes=None)
        chosen = modules or {str(queue): ("workers.main", queue) for queue in QueueName}
        workers = {name: _start(module, given, folder / f"{name}.log") for name, module in chosen.items()}
        try:
            await _serving([folder / f"{name}.log" for name in workers])
            yield Beside(app, await _owner(app), workers)
        except BaseException:
            for name in workers:
                print(f"--- {name}\n{(folder / f'{name}.log').read_text()[-LOG_TAIL:]}", flush=True)
            raise
        finally:
            await asyncio.to_thread(_end, list(workers.values()))
            await plumbing.close()
            await sandbox.close()
            await asyncio.to_thread(stop_embedded, folder / "data")


def _start(module: Sequence[str], given: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(
            [sys.executable, "-m", *module],
            env={**os.environ, **given},
            cwd=Path(__file__).parents[2],
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


async def _serving(logs: Sequence[Path]) -> None:
    async with asyncio.timeout(START_S):
        while not all(READY in log.read_bytes() for log in logs):  # noqa: ASYNC110 (another process writes)
            await asyncio.sleep(0.1)


def _end(workers: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask them to end, then kill them with what they left behind."""
    for worker in workers:
        worker.terminate()
    for worker in workers:
        with suppress(subprocess.TimeoutExpired):
            worker.wait(END_S)
        with suppress(ProcessLookupError):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()


async def _owner(app: App) -> Caller:
    caller = await app.identify_caller(
        Appearance(NOBODY, NOBODY, "bench", "en", NOBODY, ChatKind.PRIVATE, "bench", 0, "bench")
    )
    assert caller.person is not None
    async with app.transactions() as tx:
        await tx.people.set_plan(caller.person.id, PlanName.OPERATOR)
    return caller
