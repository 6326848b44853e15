"""The supervisor keeps children running, shows what they say, and leaves none behind."""

import asyncio
import fcntl
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
from pydantic import SecretStr

from core.jobs import QueueName
from core.settings import BotSettings, Settings
from workers.standalone import children
from workers.supervisor import MAX_QUICK_DEATHS, Child, Supervisor

ROOT = Path(__file__).parents[2]
WAIT_S = 30

READY_THEN_WAIT = "print('ready', flush=True); import signal; signal.pause()"
COUNT_TERMS = """
import os, signal, sys, threading
ended = threading.Event()
def end(number, frame):
    print("term", flush=True)
    ended.set()
signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
ended.wait()
print("bye", flush=True)
"""
IGNORE_TERM = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
while True:
    signal.pause()
"""
LEAVE_A_GRANDCHILD = """
import subprocess, sys
grandchild = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
print("grandchild", grandchild.pid, flush=True)
"""


class Console:
    """Collects the lines and lets a test wait for one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._changed = asyncio.Event()

    def say(self, line: str) -> None:
        self.lines.append(line)
        self._changed.set()

    async def seen(self, text: str, *, times: int = 1) -> str:
        """Wait until a text has been said so many times; return its last line."""
        async with asyncio.timeout(WAIT_S):
            while len(found := [line for line in self.lines if text in line]) < times:
                self._changed.clear()
                await self._changed.wait()
        return found[-1]


def python(name: str, program: str, *, ready: str = "") -> Child:
    return Child(name, [sys.executable, "-c", program], ready=ready)


@asynccontextmanager
async def running(*processes: Child, grace_s: float = WAIT_S) -> AsyncIterator[tuple[Supervisor, Console, list[int]]]:
    """A supervisor at work; its exit code is in the list afterwards."""
    console, codes = Console(), list[int]()
    supervisor = Supervisor(processes, console.say, first_delay_s=0.01, grace_s=grace_s)

    async def run() -> None:
        codes.append(await supervisor.run())

    async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as group:
        group.create_task(run())
        yield supervisor, console, codes
        supervisor.stop()


def gone(pid: int) -> bool:
    """No process has the number, or only one that nobody has reaped yet."""
    try:
        process = psutil.Process(pid)
        process.wait(WAIT_S)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return process.status() == psutil.STATUS_ZOMBIE
    return True


async def test_each_line_stands_behind_the_name_of_its_child() -> None:
    async with running(python("bot", READY_THEN_WAIT), python("sandbox", READY_THEN_WAIT)) as (_, console, _codes):
        await console.seen("ready", times=2)

    assert {"bot     | ready", "sandbox | ready"} <= set(console.lines)


async def test_a_line_longer_than_any_buffer_comes_whole() -> None:
    async with running(python("bot", "print('x' * 300_000, flush=True); import signal; signal.pause()")) as (
        _,
        console,
        _,
    ):
        assert await console.seen("x" * 300_000) == "bot | " + "x" * 300_000


async def test_ready_is_set_once_every_announced_child_has_said_so() -> None:
    loud = python("bot", READY_THEN_WAIT, ready="ready")
    async with running(loud, python("worker", "import signal; signal.pause()")) as (supervisor, _console, _codes):
        async with asyncio.timeout(WAIT_S):
            await supervisor.ready.wait()


async def test_a_child_that_dies_is_started_again() -> None:
    async with running(python("bot", "print('hello'); raise SystemExit(3)")) as (_, console, _codes):
        await console.seen("hello", times=2)
        assert "ended with code 3" in await console.seen("starting it again")


async def test_a_child_that_is_killed_is_started_again() -> None:
    program = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
    async with running(python("bot", program)) as (_, console, _):
        pid = int((await console.seen("bot | ")).split()[-1])
        os.kill(pid, signal.SIGKILL)
        await console.seen("was ended by SIGKILL")
        await console.seen("bot | ", times=2)


async def test_it_gives_up_on_a_child_that_never_gets_going_and_ends_the_others() -> None:
    async with running(python("bot", "raise SystemExit(3)"), python("worker", COUNT_TERMS)) as (_, console, codes):
        said = await console.seen("its last lines above say why")

    assert f"bot ended with code 3 {MAX_QUICK_DEATHS} times" in said
    assert codes == [1]


async def test_a_program_that_does_not_exist_is_said() -> None:
    async with running(Child("bot", ["/nowhere/at/all"])) as (_, console, codes):
        await console.seen("cannot be started (No such file or directory)", times=MAX_QUICK_DEATHS)

    assert codes == [1]


async def test_a_stop_asks_each_child_once_and_waits_for_its_end() -> None:
    async with running(python("bot", COUNT_TERMS), python("worker", COUNT_TERMS)) as (supervisor, console, codes):
        await console.seen("ready", times=2)
        supervisor.stop()
        await console.seen("bye", times=2)

    assert len([line for line in console.lines if "term" in line]) == 2
    assert codes == [0]


async def test_a_child_that_does_not_end_is_killed_after_the_grace() -> None:
    async with running(python("bot", IGNORE_TERM), grace_s=0.2) as (_, console, codes):
        await console.seen("ready")

    assert codes == [0]


async def test_a_second_stop_does_not_wait() -> None:
    async with running(python("bot", IGNORE_TERM)) as (supervisor, console, codes):
        await console.seen("ready")
        supervisor.stop()
        supervisor.stop()

    assert codes == [0]


async def test_what_a_dead_child_left_behind_is_killed_too() -> None:
    async with running(python("bot", LEAVE_A_GRANDCHILD)) as (_, console, _codes):
        pid = int((await console.seen("grandchild")).split()[-1])
        assert await asyncio.to_thread(gone, pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children with their parent")
def test_children_end_even_when_the_supervisor_is_killed() -> None:
    program = (
        "import asyncio, sys; from workers.supervisor import *;"
        "program = 'import os, signal; print(os.getpid(), flush=True); signal.pause()';"
        "child = Child('bot', [sys.executable, '-c', program]);"
        "asyncio.run(Supervisor([child], lambda line: print(line, flush=True)).run())"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True) as supervisor:
        assert supervisor.stdout is not None
        pid = int(supervisor.stdout.readline().split()[-1])
        supervisor.kill()

    assert gone(pid)


def test_without_a_token_the_bot_talks_to_the_chat_page(tmp_path: Path) -> None:
    settings = Settings(bot=BotSettings(token=SecretStr("")))

    page, bot, *workers = children(settings, tmp_path, {"DATA_DIR": str(tmp_path)})

    assert page.name == "sandbox"
    assert bot.env["TELEGRAM_API_URL"] == "http://127.0.0.1:8081"
    assert bot.env["BOT_TOKEN"] in page.argv
    assert [worker.argv[-1] for worker in workers] == list(QueueName)
    assert all(worker.env["BOT_TOKEN"] == bot.env["BOT_TOKEN"] for worker in workers)


def test_with_a_token_there_is_no_chat_page(tmp_path: Path) -> None:
    settings = Settings(bot=BotSettings(token=SecretStr("1:real")))

    names = [child.name for child in children(settings, tmp_path, {})]

    assert names == ["bot", *(f"worker-{queue}" for queue in QueueName)]


def standalone(data_dir: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "workers.standalone"],
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(data_dir), **variables},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_wrong_settings_are_named_in_a_sentence(tmp_path: Path) -> None:
    done = standalone(tmp_path, DATABASE_POOL_SIZE="many", LLM_MODLE="x")

    assert done.returncode == 1
    assert "DATABASE_POOL_SIZE" in done.stdout
    assert "LLM_MODLE" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_second_run_on_the_same_data_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "run.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = standalone(tmp_path)

    assert done.returncode == 1
    assert "already runs" in done.stdout


def test_a_taken_port_is_named_in_a_sentence(database_url: str, redis_url: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = standalone(tmp_path, DATABASE_URL=database_url, REDIS_URL=redis_url, SANDBOX_PORT=port)

    assert done.returncode == 1
    assert "SANDBOX_PORT" in done.stdout
    assert port in done.stdout


def test_a_database_that_cannot_be_reached_is_said_without_a_traceback(tmp_path: Path) -> None:
    done = standalone(tmp_path, DATABASE_URL="postgresql://nobody@127.0.0.1:1/none", REDIS_URL="redis://127.0.0.1:1")

    assert done.returncode == 1
    assert "The database cannot be brought up to date" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
