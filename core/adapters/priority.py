"""How a process lets others go first: work that nobody waits for takes the processor time that is left.

A niceness alone is not enough on Linux: where the kernel groups processes by session (`sched_autogroup_enabled`, the
default of most distributions), it holds only within a session, and every worker and every extractor leads one. The
session has a niceness of its own in `/proc/self/autogroup`, which is not inherited. In a container groups of processes
share by `cpu_shares` instead, and neither is looked at.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from threading import Event

HEAVY_NICENESS = 10
"""A tenth of the time of an ordinary process that wants the same core; all of it when none does."""

RATE_S = 0.15
"""The kernel takes one such change in a tenth of a second from all ordinary users together."""
TRIES = 5

_SESSION = Path("/proc/self/autogroup")


def step_back(niceness: int) -> None:
    """Lower the priority of this process, its session and all that it will start; call it once, at the start."""
    os.nice(niceness)
    match_session()


def match_session() -> None:
    """Give the session that this process leads the niceness that the process has inherited; elsewhere do nothing."""
    niceness = os.nice(0)
    if not niceness or os.getsid(0) != os.getpid():  # as it is anyway; or a session with others in it
        return
    for _ in range(TRIES):
        with suppress(OSError):  # no such file, or a kernel that lets nobody change it
            try:
                _SESSION.write_text(str(niceness))
            except BlockingIOError:
                Event().wait(RATE_S)
                continue
        return
