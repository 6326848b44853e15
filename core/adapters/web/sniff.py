"""Is what a server answered a page? Its bytes say it, where they are plain; else its headers."""

from __future__ import annotations

import re

SNIFFED_BYTES = 2048
# Enough for a byte order mark, comments and the first tag.

_FILES = (
    b"%PDF-",
    b"PK\x03\x04",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",  # old office files
    b"{\\rtf",
    b"AT&TFORM",  # DJVU
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"II*\x00",
    b"MM\x00*",
    b"ID3",
    b"OggS",
    b"fLaC",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf",
    b"\x1aE\xdf\xa3",  # Matroska, WebM
)
_PAGE = re.compile(
    rb"(?:\s|<!--.{0,1500}?-->|<\?xml[^>]{0,200}\?>)*<(?:!doctype\s+html|html|head|body|title|meta|script|div|p)[\s>]",
    re.I | re.S,
)
_PAGE_TYPES = frozenset({"text/html", "application/xhtml+xml"})
_UNSURE_TYPES = frozenset(
    {"", "text/plain", "application/octet-stream", "text/xml", "application/xml", "unknown/unknown"}
)


def is_page(media_type: str, start: bytes, *, attached: bool) -> bool:
    """Say whether it is HTML.

    A PDF that calls itself a page is a file, and a page that calls itself a PDF (a login form, as a rule) is a page.

    Args:
        media_type: Lower case, without parameters, "" when the server said none.
        start: The first bytes, at least `SNIFFED_BYTES` of them if there are so many.
        attached: The server asks to save it: then HTML is a file too, unless it only looks like another type's error.
    """
    if start.startswith(_FILES) or start[4:8] == b"ftyp":
        return False
    looks = bool(_PAGE.match(start.removeprefix(b"\xef\xbb\xbf")))
    if attached:
        return looks and media_type not in _PAGE_TYPES | _UNSURE_TYPES
    if media_type in _PAGE_TYPES:
        return True
    return looks and (media_type in _UNSURE_TYPES or not media_type.startswith("text/"))
