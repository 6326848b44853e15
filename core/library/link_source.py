"""A link as something to be kept."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from core.library.add_source import Incoming
from core.library.links import parse_link
from core.model.source import Origin, Upload

LABEL_CHARACTERS = 60
"""Of an address that stands for a title: one line of a phone, twice."""


def link_source(address: str, *, caption: str = "", origin: Origin | None = None) -> Incoming:
    """Make a source of an address; it has no title until it is read.

    Raises:
        UserError: `link-invalid`, `youtube-bad-id`.
    """
    link = parse_link(address)
    upload = Upload(url=link.url, caption=caption)
    return Incoming(link.kind, "", upload, origin or Origin(), canonical_url=link.canonical)


def link_label(address: str) -> str:
    """Word an address for people who have no title of it: host and path, shortened in the middle of neither."""
    bare = address.split("://", 1)[-1]
    try:
        parts = urlsplit(f"//{bare}")
    except ValueError:
        return _short(bare)
    host = (parts.hostname or "").removeprefix("www.")
    query = f"?{parts.query}" if parts.query else ""
    return _short(host + unquote(parts.path).rstrip("/") + query)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LABEL_CHARACTERS else line[: LABEL_CHARACTERS - 1] + "…"
