"""Keeps child processes running: starts them, shows their output, restarts those that die, ends them all."""

import asyncio
import ctypes
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

GRACE_S = 10.0
"""Between the request to end and the kill: what a worker may still need to give its work back."""

QUICK_S = 30.0
"""A child that dies sooner has not got going; its next start waits longer."""

MAX_QUICK_DEATHS = 5
"""In a row; with the back-off below that is half a minute of trying."""

MAX_DELAY_S = 15.0
"""The longest wait before a restart."""

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


@dataclass(frozen=True, slots=True)
class Child:
    """A process to keep running.

    Attributes:
        name: Stands before each line of its output.
        argv: The program and its arguments.
        env: Variables on top of our own.
        ready: What a line of its output says once it serves; empty if it never says so.
    """

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    ready: str = ""


class Supervisor:
    """Runs children until it is told to stop or one of them cannot be kept alive.

    Each child leads a process group of its own, so a terminal's Ctrl-C reaches only the supervisor, and what a dead
    child left behind is killed with its group. On Linux a child is told to end even when the supervisor is killed.

    Args:
        children: What to run.
        say: Takes each line for the console.
        quick_s: A shorter life counts as a quick death.
        first_delay_s: Wait before the first restart; it doubles with each quick death.
        grace_s: Wait between the request to end and the kill.
    """

    def __init__(
        self,
        children: Sequence[Child],
        say: Callable[[str], None],
        *,
        quick_s: float = QUICK_S,
        first_delay_s: float = 1.0,
        grace_s: float = GRACE_S,
    ) -> None:
        self._children, self._say = tuple(children), say
        self._quick_s, self._first_delay_s, self._grace_s = quick_s, first_delay_s, grace_s
        self._width = max((len(child.name) for child in children), default=0)
        self._stopping, self._hurried = asyncio.Event(), asyncio.Event()
        self._failed = False
        self._waiting_for = {child.name: child.ready for child in children if child.ready}
        self._ready = asyncio.Event()

    async def run(self) -> int:
        """Run the children until `stop`.

        Returns:
            0 if it was stopped, 1 if it gave up on a child.
        """
        async with asyncio.TaskGroup() as group:
            for child in self._children:
                group.create_task(self._keep(child))
        return int(self._failed)

    def stop(self) -> None:
        """Ask every child to end; asked a second time, kill them."""
        if self._stopping.is_set():
            self._hurried.set()
        self._stopping.set()

    @property
    def stopping(self) -> asyncio.Event:
        """Set as soon as the end has been asked for."""
        return self._stopping

    @property
    def ready(self) -> asyncio.Event:
        """Set once every child that announces itself has done so."""
        return self._ready

    async def _keep(self, child: Child) -> None:
        """Run a child again and again, until the stop or too many quick deaths."""
        quick_deaths = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            ending = await self._run_once(child)
            if self._stopping.is_set():
                return
            quick_deaths = quick_deaths + 1 if time.monotonic() - began < self._quick_s else 0
            if quick_deaths >= MAX_QUICK_DEATHS:
                self._give_up(child, ending)
                return
            delay_s = min(self._first_delay_s * 2 ** max(quick_deaths - 1, 0), MAX_DELAY_S)
            self._say(f"{child.name} {ending}; starting it again in {delay_s:g} s")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), delay_s)

    def _give_up(self, child: Child, ending: str) -> None:
        self._say(f"{child.name} {ending} {MAX_QUICK_DEATHS} times soon after its start; its last lines above say why")
        self._failed = True
        self.stop()

    async def _run_once(self, child: Child) -> str:
        """Run a child to its end.

        Returns:
            How it ended, in words.
        """
        async with _line_pipe() as (output, write_end):
            try:
                process = await self._start(child, write_end)
            except OSError as error:
                return f"cannot be started ({error.strerror})"
            finally:
                os.close(write_end)
            code = await self._accompany(process, output, child.name)
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    async def _start(self, child: Child, write_end: int) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *child.argv,
            env={**os.environ, **child.env},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=write_end,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_end_with_parent(os.getpid()),
        )

    async def _accompany(self, process: asyncio.subprocess.Process, output: asyncio.StreamReader, name: str) -> int:
        """Show what a child says until it ends, and clear away what it leaves behind.

        Returns:
            Its exit code, or the negative number of the signal that ended it.
        """
        async with asyncio.TaskGroup() as group:
            group.create_task(self._copy(output, name))
            ender = group.create_task(self._end_when_stopped(process))
            code = await process.wait()
            ender.cancel()
            _signal_group(process, signal.SIGKILL)
        return code

    async def _copy(self, output: asyncio.StreamReader, name: str) -> None:
        """Show a child's output line by line, its name before each."""
        rest = b""
        while chunk := await output.read(65_536):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._show(name, line)
        if rest:
            self._show(name, rest)

    def _show(self, name: str, raw: bytes) -> None:
        line = raw.decode(errors="replace").rstrip()
        self._say(f"{name:<{self._width}} | {line}")
        if name in self._waiting_for and self._waiting_for[name] in line:
            del self._waiting_for[name]
            if not self._waiting_for:
                self._ready.set()

    async def _end_when_stopped(self, process: asyncio.subprocess.Process) -> None:
        await self._stopping.wait()
        with suppress(ProcessLookupError):
            process.terminate()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurried.wait(), self._grace_s)
        _signal_group(process, signal.SIGKILL)


@asynccontextmanager
async def _line_pipe() -> AsyncIterator[tuple[asyncio.StreamReader, int]]:
    """Open a pipe for a child's output: its reader, and the end that the caller hands on and closes.

    Not asyncio's own pipe: some Python versions let `wait` wait for the end of that, which a grandchild can hold open.
    """
    read_end, write_end = os.pipe()
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_end, "rb")
    )
    try:
        yield reader, write_end
    finally:
        transport.close()


def _signal_group(process: asyncio.subprocess.Process, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _end_with_parent(parent: int) -> Callable[[], None] | None:
    """Return what a new child runs before its program: the kernel shall end it when its parent dies."""
    libc = _libc
    if libc is None:
        return None

    def arrange() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before the kernel knew
            os._exit(1)

    return arrange
