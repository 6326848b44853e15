"""A pass through the egress proxy: for one link, with a limit on bytes and a memory of what was refused."""

from __future__ import annotations

import base64
import secrets
from dataclasses import dataclass, field

USER = "konspekt"

PRIVATE = "private"
UNKNOWN = "unknown-host"
UNREACHABLE = "unreachable"
# Why the proxy refused a host, in a lease's `refused`.


@dataclass(slots=True)
class Lease:
    """One link's pass.

    Attributes:
        proxy: Address of the proxy, `http://127.0.0.1:port`.
        max_bytes: Of all answers together; above it every connection of this lease is cut.
        received: Bytes so far.
        refused: Host, lower case, to why nothing was dialled.
    """

    proxy: str
    max_bytes: int
    password: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    received: int = 0
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def exhausted(self) -> bool:
        """It took all it may."""
        return self.received > self.max_bytes

    @property
    def header(self) -> bytes:
        """The value of `Proxy-Authorization` that opens the way."""
        return b"Basic " + base64.b64encode(f"{USER}:{self.password}".encode())

    def why_not(self, host: str) -> str:
        """Say why a host was refused, "" when it was not."""
        return self.refused.get(host.lower().strip("[]"), "")
