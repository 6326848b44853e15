"""`make run` and `konspekt run`: everything on one machine, in one console, with one Ctrl-C.

Embedded Postgres and Valkey where no others are named, the migrations, the chat page where there is no BOT_TOKEN, the
bot, and a worker for each queue. What is started here is ended here; the data stay in DATA_DIR.
"""

import argparse
import asyncio
import fcntl
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from alembic.config import Config
from alembic.util import CommandError
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from alembic import command
from core.adapters.embedded_services import EmbeddedServiceError, find_running, start_embedded, stop_embedded
from core.jobs import QueueName
from core.settings import Settings
from workers.supervisor import Child, Supervisor

ROOT = Path(__file__).parents[1]

SANDBOX_TOKEN = "42:SANDBOX"
"""The emulator's own default. It guards nothing: the emulator listens on this machine only."""

LATE_S = 90.0
"""After this the console says where to go even if a process has not announced itself (LOG_LEVEL may hush it)."""


SERVICES_CHECK_S = 10.0
"""How long a died embedded service may stay away; a check costs some 30 ms."""


class StartError(Exception):
    """What prevents the start, as a sentence for the operator."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run everything until Ctrl-C; with `--services-only -- COMMAND` run a command beside the services instead.

    Returns:
        The exit code: 0 after an orderly end, 1 if something could not be kept running.
    """
    parser = argparse.ArgumentParser(prog="konspekt run", description=main.__doc__)
    parser.add_argument("--services-only", action="store_true", help="start services, migrate, run COMMAND, stop them")
    parser.add_argument("command", nargs="*", metavar="COMMAND")
    arguments = parser.parse_args(argv)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        settings = _settings()
        data_dir = settings.data.dir.expanduser().resolve()
        if arguments.services_only:
            return _run_beside(settings, data_dir, arguments.command)
        with _only_one(data_dir):
            return _run(settings, data_dir)
    except (EmbeddedServiceError, StartError) as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("Stopped")
        return 0


def say(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)


def _run(settings: Settings, data_dir: Path) -> int:
    """Start the services, migrate, keep the children running, and end the services last."""
    try:
        environment = _start_services(settings, data_dir)
        return asyncio.run(_supervise(settings, data_dir, children(settings, data_dir, environment)))
    finally:
        if stop_embedded(data_dir):
            say(f"Stopped the embedded services; the data stay in {data_dir}")


def _run_beside(settings: Settings, data_dir: Path, argv: list[str]) -> int:
    """Run a command with the services up and migrated; those that ran before go on running."""
    ran_before = find_running(data_dir) is not None
    try:
        environment = _start_services(settings, data_dir)
        return subprocess.run(argv, env={**os.environ, **environment}, check=False).returncode
    finally:
        if not ran_before:
            stop_embedded(data_dir)


def children(settings: Settings, data_dir: Path, environment: dict[str, str]) -> list[Child]:
    """Return the processes that make up the product: the chat page if it is needed, the bot, a worker a queue."""
    python = [sys.executable, "-u", "-m"]
    page = []
    if not settings.bot.token.get_secret_value():
        host, port = settings.sandbox.host, str(settings.sandbox.port)
        where = [
            "--host",
            host,
            "--port",
            port,
            "--data",
            str(data_dir / "sandbox"),
            "--token",
            SANDBOX_TOKEN,
            "--name",
            "Konspekt",
        ]
        page = [Child("sandbox", [*python, "bot.sandbox", *where], ready="sandbox ready")]
        environment = {**environment, "BOT_TOKEN": SANDBOX_TOKEN, "TELEGRAM_API_URL": f"http://{host}:{port}"}
    workers = [
        Child(f"worker-{queue}", [*python, "workers.main", queue], environment, "worker_started") for queue in QueueName
    ]
    return [*page, Child("bot", [*python, "bot"], environment, ready="bot_ready"), *workers]


def migrate(database_url: str) -> None:
    """Bring the tables up to date.

    Raises:
        StartError: The database cannot be reached or migrated.
    """
    config = Config(ROOT / "alembic.ini")
    config.set_main_option("sqlalchemy.url", database_url.replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except (OSError, SQLAlchemyError, CommandError) as error:
        raise StartError(f"The database cannot be brought up to date: {error}") from error


def _start_services(settings: Settings, data_dir: Path) -> dict[str, str]:
    """Start what is not given, migrate, and return the variables that tell a child where everything is."""
    database_url, redis_url = settings.database.url.get_secret_value(), settings.redis.url.get_secret_value()
    names = [name for name, url in (("Postgres", database_url), ("Valkey", redis_url)) if not url]
    if names:
        say(f"Starting embedded {' and '.join(names)} in {data_dir}")
    started = start_embedded(data_dir, postgres=not database_url, valkey=not redis_url)
    database_url, redis_url = database_url or started.database_url, redis_url or started.redis_url
    say("Bringing the tables up to date")
    migrate(database_url)
    return {"DATABASE_URL": database_url, "REDIS_URL": redis_url, "DATA_DIR": str(data_dir)}


async def _supervise(settings: Settings, data_dir: Path, processes: list[Child]) -> int:
    """Run the children until a signal asks for the end."""
    if processes[0].name == "sandbox":
        _check_port(settings.sandbox.host, settings.sandbox.port)
    supervisor = Supervisor(processes, say)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, supervisor.stop)
    say(f"Starting {', '.join(process.name for process in processes)}")
    async with asyncio.TaskGroup() as group:
        beside = [
            group.create_task(_announce(supervisor, settings)),
            group.create_task(_keep_services(settings, data_dir)),
        ]
        code = await supervisor.run()
        for task in beside:
            task.cancel()
    return code


async def _announce(supervisor: Supervisor, settings: Settings) -> None:
    """Say where to go as soon as everything serves."""
    try:
        await asyncio.wait_for(supervisor.ready.wait(), LATE_S)
    except TimeoutError:
        say("Not every process has said that it is ready; the lines above may say what it waits for")
    if settings.bot.token.get_secret_value():
        where = "Konspekt serves Telegram: write to your bot"
    else:
        where = f"Konspekt is ready: http://{settings.sandbox.host}:{settings.sandbox.port}/"
    say(f"\n  {where}  (Ctrl-C ends everything)\n")


async def _keep_services(settings: Settings, data_dir: Path) -> None:
    """Start an embedded service again that died; one that answers is left alone."""
    wanted = {
        "postgres": not settings.database.url.get_secret_value(),
        "valkey": not settings.redis.url.get_secret_value(),
    }
    while any(wanted.values()):
        await asyncio.sleep(SERVICES_CHECK_S)
        try:
            await asyncio.to_thread(start_embedded, data_dir, **wanted)
        except EmbeddedServiceError as error:
            say(str(error))


def _check_port(host: str, port: int) -> None:
    """Refuse to start beside somebody who listens where the chat page wants to."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            what = f"The chat page cannot listen on {host}:{port} ({error.strerror})"
            raise StartError(f"{what}. Choose another port: SANDBOX_PORT=8090") from error


def _settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(f"{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        raise StartError(f"The settings are wrong: {wrong} (.env.example explains every variable)") from error


def is_running(data_dir: Path) -> bool:
    """Tell whether `konspekt run` serves these data now."""
    if not (data_dir / "run.lock").exists():
        return False
    try:
        with _only_one(data_dir):
            return False
    except StartError:
        return True


@contextmanager
def _only_one(data_dir: Path) -> Iterator[None]:
    """Refuse to run twice on the same data."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with (data_dir / "run.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StartError(f"Konspekt already runs on {data_dir}; end it, or choose another DATA_DIR") from error
        yield


def _interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
    """Let SIGTERM end a start as Ctrl-C does: what was started is stopped."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
