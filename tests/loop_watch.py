"""Notices that something blocked the event loop, on a machine that others use too."""

import asyncio
import sys
import threading
import time
import traceback
from types import TracebackType
from typing import Self

BEAT_S = 0.05
"""Between two signs of life asked of the loop."""


class LoopWatch:
    """Watches the running loop from a thread while a test runs.

    A late sign of life alone proves little on a busy machine. The loop counts as blocked if its thread computed for
    longer than the limit, or if it was later than the limit and the time by which the watching thread was late itself.

    Args:
        limit_s: The longest time the loop may be late.
        computing_s: The longest time its thread may compute at a stretch; None: as long as it may be late.
    """

    def __init__(self, limit_s: float, *, computing_s: float | None = None) -> None:
        self.limit_s = limit_s
        self.computing_s = limit_s if computing_s is None else computing_s
        self.blocked: list[str] = []
        self._stop = threading.Event()
        self._loop = asyncio.get_running_loop()
        self._clock = time.pthread_getcpuclockid(threading.get_ident())
        self._thread_id = threading.get_ident()
        self._thread = threading.Thread(target=self._watch, name="loop-watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(BEAT_S):
            self._beat()

    def _beat(self) -> None:
        """Ask for one sign of life and judge how late it came."""
        alive = threading.Event()
        asked, cpu_before, starved, stack = time.monotonic(), time.clock_gettime(self._clock), 0.0, ""
        self._loop.call_soon_threadsafe(alive.set)
        while True:
            before = time.monotonic()
            if alive.wait(BEAT_S):
                break
            starved += time.monotonic() - before - BEAT_S
            if self._stop.is_set() or not self._loop.is_running():
                return  # between two tests nothing drives the loop
            if not stack and time.monotonic() - asked > min(self.limit_s, self.computing_s) / 2:
                stack = self._stack()
        late, computed = time.monotonic() - asked, time.clock_gettime(self._clock) - cpu_before
        if computed > self.computing_s or late - starved > self.limit_s:
            self.blocked.append(f"the event loop stood still for {late:.2f} s ({computed:.2f} s computing) at\n{stack}")

    def _stack(self) -> str:
        frame = sys._current_frames().get(self._thread_id)
        return "".join(traceback.format_stack(frame)[-6:])
