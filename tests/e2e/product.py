"""The whole product as `make run` starts it, in a process of its own and a folder of its own."""

import asyncio
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.chat_world import ROOT

READY_S = 120
STOP_S = 40


@dataclass
class Product:
    """`konspekt run` without a bot token: services, bot, workers and chat page."""

    data: Path
    port: int
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def start(self, **environment: str) -> None:
        """Start it and wait until it says that it is ready."""
        given = {**os.environ, "DATA_DIR": str(self.data), "SANDBOX_PORT": str(self.port), **environment}
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "workers.standalone", cwd=ROOT, env=given, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT, limit=2**20,
        )  # fmt: skip
        async with asyncio.timeout(READY_S):
            while "is ready" not in await self.line():
                pass

    async def line(self) -> str:
        """Read the next line of its console."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = (await self.process.stdout.readline()).decode()
        assert line, "the product ended"
        return line

    async def drain(self) -> None:
        """Read its console so that it never waits for a reader."""
        while True:
            await self.line()

    async def stop(self) -> int:
        """Press Ctrl-C; return the exit code."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGINT)
        await asyncio.wait_for(self.process.communicate(), STOP_S)
        assert self.process.returncode is not None
        return self.process.returncode
