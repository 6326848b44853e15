"""A process group seen from outside: how much memory it holds, and its end."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

import psutil


def kill_group(pid: int) -> None:
    """End every process of the group; the leader may be gone already while others live."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def resident_bytes(group: int) -> int:
    """Sum up the resident memory of a process group; pages that its processes share count for each of them."""
    return sum(_memory_of(pid) for pid in psutil.pids() if _group_of(pid) == group)


def _group_of(pid: int) -> int:
    with suppress(ProcessLookupError, PermissionError):
        return os.getpgid(pid)
    return -1


def _memory_of(pid: int) -> int:
    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0
