"""Addresses of pages: one spelling for all that lead to the same place."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from core.errors import UserError


def canonical_page(address: str) -> str:
    """Give the one spelling of an address.

    Raises:
        UserError: `link-invalid`.
    """
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").lower()
    except ValueError as error:
        raise UserError("link-invalid") from error
    if parts.scheme not in ("http", "https") or "." not in host:
        raise UserError("link-invalid")
    return urlunsplit((parts.scheme, parts.netloc.lower(), parts.path or "/", parts.query, ""))
