"""An HTTP session that waits for nothing without end and keeps what was said of the video on the way."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import requests

CONNECT_S = 10.0
READ_S = 15.0
"""The library that uses the session knows no time-outs of its own."""


@dataclass(slots=True)
class Seen:
    """The watch page and the player's answer, as they went by; "" where they did not."""

    page: str = ""
    answer: str = ""

    def player(self) -> dict[str, Any]:
        """Return the player's answer, empty when none came or it is no object."""
        try:
            value = json.loads(self.answer)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    def keep(self, response: requests.Response, *_: object, **__: object) -> None:
        """Take a response in."""
        path = response.url.partition("?")[0]
        if path.endswith("/watch"):
            self.page = response.text
        elif path.endswith("/player"):
            self.answer = response.text


class _TimedSession(requests.Session):
    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        """Send with a time-out."""
        options.setdefault("timeout", (CONNECT_S, READ_S))
        return super().request(*arguments, **options)


def open_session(proxy: str, ca_file: str) -> tuple[requests.Session, Seen]:
    """Open a session through the operator's proxy, whatever the environment says."""
    session, seen = _TimedSession(), Seen()
    session.trust_env = False
    if proxy:
        session.proxies = {"http": proxy, "https": proxy}
    if ca_file:
        session.verify = ca_file
    session.hooks["response"].append(seen.keep)
    return session, seen
