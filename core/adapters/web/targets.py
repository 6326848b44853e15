"""Where a request to the proxy wants to go."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import h11

MAX_TARGET = 16_384
# Characters of an address; servers refuse half of it.


@dataclass(frozen=True, slots=True)
class Target:
    """A host as it was named, lower case and without brackets, and what to ask it.

    Attributes:
        tunnel: A CONNECT: bytes go both ways unread.
        path: With the query, for an absolute-form request.
        authority: As the `Host` header shall say it.
    """

    host: str
    port: int
    tunnel: bool
    path: str = ""
    authority: str = ""


def target_of(request: h11.Request) -> Target | None:
    """Read the target; None for one that a proxy is not asked for."""
    try:
        target = request.target.decode("ascii")
    except UnicodeDecodeError:
        return None
    if len(target) > MAX_TARGET:
        return None
    try:
        return _tunnel(target) if request.method == b"CONNECT" else _absolute(target)
    except ValueError:  # a port that is no number, a bracket that is not closed
        return None


def _tunnel(target: str) -> Target | None:
    parts = urlsplit(f"//{target}")
    if not parts.hostname or parts.port is None or parts.path or parts.query or "@" in target:
        return None
    return Target(parts.hostname, parts.port, tunnel=True)


def _absolute(target: str) -> Target | None:
    parts = urlsplit(target)
    if parts.scheme != "http" or not parts.hostname or "@" in parts.netloc:
        return None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.hostname, parts.port or 80, tunnel=False, path=path, authority=parts.netloc)
