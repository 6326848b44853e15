"""What both embedded servers need: running a command, waiting for an answer, ending a process."""

import importlib.util
import os
import pwd
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

START_TIMEOUT_S = 120.0
"""A cold, shared machine has been seen to take over 10 s for a start, and crash recovery comes on top."""

STOP_TIMEOUT_S = 60.0
"""A clean stop writes what is in memory; after that the process is killed, which both servers survive."""

POLL_S = 0.05
"""Between two looks at a server that starts or stops; a look costs a few milliseconds."""


class EmbeddedServiceError(RuntimeError):
    """An embedded server could not be installed, started or asked; the message is for the operator."""


def run_command(argv: Sequence[str], *, user: pwd.struct_passwd | None, cwd: Path, timeout_s: float) -> str:
    """Run a command to its end, as another user if one is given.

    Output goes through a pipe, so the command must not leave a daemon behind that keeps it open.

    Returns:
        What it printed.

    Raises:
        EmbeddedServiceError: It failed, was not there or took too long.
    """
    identity = {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    try:
        done = subprocess.run(
            list(argv),
            cwd=cwd,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=True,
            **identity,  # type: ignore[call-overload]  # three optional keywords of one call
        )
    except subprocess.CalledProcessError as error:
        raise EmbeddedServiceError(f"{Path(argv[0]).name} failed: {error.stdout.strip()[-2000:]}") from error
    except subprocess.TimeoutExpired as error:
        raise EmbeddedServiceError(f"{Path(argv[0]).name} did not end within {timeout_s:.0f} s") from error
    except OSError as error:
        raise EmbeddedServiceError(f"{argv[0]} cannot be run: {error.strerror}") from error
    return str(done.stdout)


def wait_until(condition: Callable[[], bool], *, timeout_s: float) -> bool:
    """Look at a condition until it holds.

    Returns:
        False if it did not hold within the time.
    """
    deadline = time.monotonic() + timeout_s
    pause = threading.Event()  # never set: these functions run before an event loop does, or in a thread
    while not condition():
        if time.monotonic() > deadline:
            return False
        pause.wait(POLL_S)
    return True


def process_of(pid_file: Path, *, name: str, cwd: Path) -> psutil.Process | None:
    """Return the live server that a pid file names.

    A number alone proves nothing after a reboot or a `kill -9`: another process may have got it. The server is known
    by its program and by its working directory.

    Args:
        pid_file: Its first line is the number.
        name: Name of the program.
        cwd: The server's working directory, resolved.
    """
    try:
        process = psutil.Process(int(pid_file.read_text().split("\n", 1)[0]))
        alive = process.status() != psutil.STATUS_ZOMBIE and process.name().startswith(name)
        return process if alive and Path(process.cwd()) == cwd else None
    except (OSError, ValueError, psutil.Error):
        return None


def end_process(process: psutil.Process, signal_number: int) -> None:
    """Ask a process to end, wait, and kill it if it does not."""
    try:
        process.send_signal(signal_number)
        if not wait_until(lambda: _ended(process), timeout_s=STOP_TIMEOUT_S):
            process.kill()
            wait_until(lambda: _ended(process), timeout_s=STOP_TIMEOUT_S)
    except psutil.NoSuchProcess:
        return


def _ended(process: psutil.Process) -> bool:
    """Tell whether a process is gone; in a container whose first process reaps nobody it stays as a zombie."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def installed_folder(package: str, *, instead: str) -> Path:
    """Return the folder of an installed package without importing it: what it does at import is not wanted here.

    Args:
        package: Name of a top-level package that ships a server.
        instead: The variable that names a server of one's own.

    Raises:
        EmbeddedServiceError: It is not installed.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedServiceError(f"Set {instead}, or install konspekt[embedded] for an embedded server")
    return Path(spec.submodule_search_locations[0])
