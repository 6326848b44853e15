"""Addresses in links and buttons: what Telegram takes and how it keeps them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from bot.sandbox.errors import bad_request

SCHEMES = frozenset({"http", "https", "tg", "ton", "tonsite"})

USER_LINK = re.compile(r"tg://user\?id=(\d+)$")
"""A link that is a mention of a user."""


def check_url(url: str, what: str) -> None:
    """Refuse an address that Telegram refuses.

    Args:
        url: The address.
        what: What the error calls it, such as "entity URL".
    """
    reason = _url_fault(url.strip())
    if reason:
        raise bad_request(f"{what} '{url}' is invalid: {reason}")


def _url_fault(url: str) -> str:
    if not url:
        return "URL host is empty"
    scheme = re.match(r"([a-z][a-z0-9+.-]*)://", url, re.IGNORECASE)
    if scheme and scheme[1].lower() not in SCHEMES:
        return "Unsupported URL protocol"
    return "" if checked_link(url) else "Wrong HTTP URL"


def checked_link(url: str) -> str | None:
    """Return a link as Telegram keeps it (scheme and slash added), or None if it is not one."""
    url = url.strip()
    if USER_LINK.match(url):
        return url
    if re.match(r"(mailto|tel):", url, re.IGNORECASE):
        return None
    if not re.match(r"[a-z][a-z0-9+.-]*://", url, re.IGNORECASE):
        url = f"http://{url}"
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in SCHEMES or re.search(r"\s", url):
        return None
    if parts.scheme in {"http", "https"} and ("." not in host or not host.strip(".")):
        return None
    return (
        url if parts.path or parts.scheme not in {"http", "https"} else url.replace(parts.netloc, parts.netloc + "/", 1)
    )
