"""The browser seen from outside: its process group."""

from __future__ import annotations

import os

import psutil


def group_of(mark: str) -> int:
    """Find the process group of the browser that was started with a mark in its command line.

    Raises:
        LookupError: It is gone, or leads no group of its own.
    """
    for process in psutil.Process().children(recursive=True):
        try:
            if any(mark in argument for argument in process.cmdline()):
                group = os.getpgid(process.pid)
                if group != os.getpgid(0):
                    return group
        except (psutil.Error, ProcessLookupError):
            continue
    raise LookupError(mark)
