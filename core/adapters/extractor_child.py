"""The process in which one extractor reads one file, and which may be killed at any moment.

It reads a pickled task from its standard input and answers on what was its standard output: frames of a length
and a pickle. Before it imports anything it moves that pipe to a descriptor of its own, so that whatever a library
prints goes to standard error instead of between the frames.
"""

from __future__ import annotations

import enum
import io
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any

LENGTH = struct.Struct(">Q")

Send = Callable[[str, object], None]
Task = Callable[[Callable[[int, int], None]], object]
"""What the child is sent: called with a progress callback, it returns the result."""


def die_with_parent(parent: int) -> None:
    """Ask the kernel to kill this process when the one that started it ends (Linux; elsewhere nothing happens)."""
    if sys.platform != "linux":
        return
    import ctypes

    set_parent_death_signal = 1  # PR_SET_PDEATHSIG of <sys/prctl.h>
    ctypes.CDLL(None, use_errno=True).prctl(set_parent_death_signal, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # it ended before the request reached the kernel
        os._exit(1)


def _private_pipe() -> int:
    """Take standard output for the frames and let everything else that is printed go to standard error."""
    frames = os.dup(1)
    os.dup2(2, 1)
    return frames


class _Portable(pickle.Pickler):
    """Pickles members of enums by their value: Python before 3.11.4 asks the reader for `getattr`, who refuses it."""

    def reducer_override(self, obj: object) -> Any:
        """Say how a member is made again; all else is pickled as usual."""
        return (type(obj), (obj.value,)) if isinstance(obj, enum.Enum) else NotImplemented


def pickled(value: object) -> bytes:
    """Pickle an answer so that every supported Python's whitelist takes it."""
    body = io.BytesIO()
    _Portable(body).dump(value)
    return body.getvalue()


def _sender(frames: int) -> Send:
    pipe = os.fdopen(frames, "wb", buffering=0)

    def send(kind: str, value: object) -> None:
        body = pickled((kind, value))
        pipe.write(LENGTH.pack(len(body)) + body)

    return send


def _portable(error: BaseException) -> tuple[str, object]:
    """Send an error of the product as it is, and of any other only the name of its class."""
    from core.errors import KonspektError

    if isinstance(error, KonspektError):
        return "raised", error
    return "broke", "out-of-memory" if isinstance(error, MemoryError) else type(error).__name__


def _match_priority() -> None:
    """Let this session be as nice as the worker that started it."""
    from core.adapters.priority import match_session

    match_session()


def main() -> None:
    """Do one task and end."""
    die_with_parent(int(sys.argv[1]))
    send = _sender(_private_pipe())
    _match_priority()
    try:
        task: Task = pickle.load(sys.stdin.buffer)
        send("result", task(lambda done, total: send("progress", (done, total))))
    except BaseException as error:  # noqa: BLE001 - a library may panic with one; the parent decides what it means
        send(*_portable(error))
    sys.stderr.flush()
    os._exit(0)  # threads that a library left behind must not keep the process alive


if __name__ == "__main__":
    main()
