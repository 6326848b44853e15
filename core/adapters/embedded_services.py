"""Starts, finds and stops the embedded Postgres and Valkey below the data directory.

Both servers outlive the process that starts them: a command starts them once and the next one finds them running.
They listen on Unix sockets only, in a directory that nobody but the owner can enter, so no port and no password
is open to other users of the machine. `services.json` (mode 0600) remembers where the sockets are; what it says is
believed only after the server has answered. A file lock serialises two processes that start at once.

    DATA/services.json  what was started, and where its sockets are
    DATA/services.lock  held while somebody starts or stops
    DATA/postgres/      Postgres' own files        DATA/postgres.log  its log
    DATA/valkey/        Valkey's own files and log
    DATA/run/           the sockets, unless the path is too long or too odd for one
"""

import fcntl
import json
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from core.adapters.embedded_postgres import PostgresServer
from core.adapters.embedded_process import EmbeddedServiceError
from core.adapters.embedded_valkey import ValkeyServer

__all__ = ["EmbeddedServiceError", "EmbeddedServices", "find_running", "start_embedded", "stop_embedded"]

MAX_RUN_DIR_BYTES = 80
"""A socket's path has at most 107 bytes, and `/.s.PGSQL.5432` follows the directory; the rest is in reserve."""

PLAIN_PATH = re.compile(r"[A-Za-z0-9/._-]+")
"""A path that means the same inside a URL, in Postgres' configuration and to a client that does not unquote."""


@dataclass(frozen=True, slots=True)
class EmbeddedServices:
    """Where the running services answer.

    Attributes:
        database_url: SQLAlchemy form, `postgresql+asyncpg://…`; empty if Postgres was not asked for.
        redis_url: `unix://…`; empty if Valkey was not asked for.
    """

    database_url: str = ""
    redis_url: str = ""


def start_embedded(data_dir: Path, *, postgres: bool, valkey: bool) -> EmbeddedServices:
    """Start what is asked for and does not run yet, and return where it answers.

    Blocks for some seconds the first time (`initdb`); returns within a fraction of one when the servers run.
    What an earlier call started goes on running, asked for or not.

    Raises:
        EmbeddedServiceError: A server cannot be installed or started; its message is for the operator.
    """
    if not (postgres or valkey):
        return EmbeddedServices()
    data_dir = data_dir.expanduser().resolve()
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        with _locked(data_dir):
            return _start(data_dir, postgres=postgres, valkey=valkey)
    except OSError as error:
        raise EmbeddedServiceError(f"{error.filename or data_dir}: {error.strerror}") from error


def _start(data_dir: Path, *, postgres: bool, valkey: bool) -> EmbeddedServices:
    run_dir, known = _run_dir(data_dir), _load(data_dir)
    _save(data_dir, run_dir, known.database_url, known.redis_url)  # a start that fails leaves nothing unknown behind
    database_url = _postgres(data_dir, run_dir).ensure_running() if postgres else ""
    redis_url = _valkey(data_dir, run_dir).ensure_running() if valkey else ""
    _save(data_dir, run_dir, database_url or known.database_url, redis_url or known.redis_url)
    return EmbeddedServices(database_url, redis_url)


def find_running(data_dir: Path) -> EmbeddedServices | None:
    """Tell where the services below a data directory answer, without starting any.

    Returns:
        Each URL whose server answered just now, the others empty; None if no server answered.
    """
    data_dir = data_dir.expanduser().resolve()
    state, run_dir = _load(data_dir), _saved_run_dir(data_dir)
    if run_dir is None:
        return None
    database_url = state.database_url if state.database_url and _postgres(data_dir, run_dir).answers() else ""
    redis_url = state.redis_url if state.redis_url and _valkey(data_dir, run_dir).answers() else ""
    return EmbeddedServices(database_url, redis_url) if database_url or redis_url else None


def stop_embedded(data_dir: Path) -> bool:
    """Stop what runs below a data directory; its data stay.

    Returns:
        True if anything ran.
    """
    data_dir = data_dir.expanduser().resolve()
    if not (data_dir / "services.lock").exists():
        return False
    with _locked(data_dir):
        run_dir = _saved_run_dir(data_dir) or data_dir / "run"
        stopped = [server.stop() for server in (_valkey(data_dir, run_dir), _postgres(data_dir, run_dir))]
        (data_dir / "services.json").unlink(missing_ok=True)
        shutil.rmtree(run_dir, ignore_errors=True)
    return any(stopped)


def _postgres(data_dir: Path, run_dir: Path) -> PostgresServer:
    return PostgresServer(data_dir / "postgres", run_dir, data_dir / "postgres.log")


def _valkey(data_dir: Path, run_dir: Path) -> ValkeyServer:
    return ValkeyServer(data_dir / "valkey", run_dir)


@contextmanager
def _locked(data_dir: Path) -> Iterator[None]:
    """Hold the data directory's lock; the kernel drops it when the holder dies."""
    with (data_dir / "services.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run_dir(data_dir: Path) -> Path:
    """Return the directory of the sockets, the one of last time if it is still there."""
    saved = _saved_run_dir(data_dir)
    if saved is not None:
        return saved
    own = data_dir / "run"
    if _fits(own):
        own.mkdir(mode=0o700, exist_ok=True)
        own.chmod(0o700)
        return own
    # A fresh random name: nobody else can have made the directory, or guess it.
    parent = Path(tempfile.gettempdir()).resolve()
    return Path(tempfile.mkdtemp(prefix="konspekt-", dir=parent if _fits(parent / "konspekt-12345678") else "/tmp"))


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) <= MAX_RUN_DIR_BYTES and PLAIN_PATH.fullmatch(str(path)) is not None


def _read_state(data_dir: Path) -> dict[str, str]:
    """Return what `services.json` says; a missing or torn file says nothing."""
    try:
        state = json.loads((data_dir / "services.json").read_text())
    except (OSError, ValueError):
        return {}
    return {key: value for key, value in state.items() if isinstance(value, str)} if isinstance(state, dict) else {}


def _load(data_dir: Path) -> EmbeddedServices:
    state = _read_state(data_dir)
    return EmbeddedServices(state.get("database_url", ""), state.get("redis_url", ""))


def _saved_run_dir(data_dir: Path) -> Path | None:
    """Return the saved directory of the sockets; None if there is none, or it is not ours, or the data were moved."""
    state = _read_state(data_dir)
    if state.get("data_dir") != str(data_dir) or "run_dir" not in state:
        return None
    run_dir = Path(state["run_dir"])
    return run_dir if _is_ours(run_dir, data_dir) else None


def _is_ours(run_dir: Path, data_dir: Path) -> bool:
    """Tell whether nobody else can have made or entered a directory (a temporary one may be gone and made anew)."""
    try:
        status = run_dir.lstat()
    except OSError:
        return False
    cluster = data_dir / "postgres"
    owners = {os.geteuid(), cluster.stat().st_uid} if cluster.exists() else {os.geteuid()}
    return stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o077 and status.st_uid in owners


def _save(data_dir: Path, run_dir: Path, database_url: str, redis_url: str) -> None:
    """Replace `services.json` in one step, so that a reader never sees half of it."""
    services = EmbeddedServices(database_url, redis_url)
    state = {"data_dir": str(data_dir), "run_dir": str(run_dir), **asdict(services)}
    new = data_dir / "services.json.new"
    new.touch(mode=0o600)
    new.write_text(json.dumps(state, indent=2) + "\n")
    new.replace(data_dir / "services.json")
