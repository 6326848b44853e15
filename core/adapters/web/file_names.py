"""What a file behind a link is called: by its headers (RFC 6266, RFC 5987), else by its address."""

from __future__ import annotations

import re
from urllib.parse import unquote, unquote_to_bytes, urlsplit

MAX_NAME = 200
# Characters; file systems take 255 bytes.

_EXTENDED = re.compile(r"""filename\*\s*=\s*["']?([\w!#$%&+^`{}~.-]{1,40})'[^']{0,20}'([^;"\s]{1,2000})""", re.I)
_QUOTED = re.compile(r'filename\s*=\s*"((?:[^"\\]|\\.){1,2000})"', re.I)
_TOKEN = re.compile(r"""filename\s*=\s*([^;"\s]{1,2000})""", re.I)
_UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|]+")


def file_name(disposition: bytes, url: str) -> str:
    """Name a file; "" when neither header nor address does.

    Args:
        disposition: The `Content-Disposition` header as it came, b"" for none: servers put UTF-8 and cp1251 there raw.
        url: After redirects.
    """
    named = _by_header(disposition) or unquote(urlsplit(url).path.rpartition("/")[2])
    return _UNSAFE.sub("_", named).strip(" .")[-MAX_NAME:]


def _by_header(raw: bytes) -> str:
    header = _decoded(raw)
    if extended := _EXTENDED.search(header):
        try:
            return unquote_to_bytes(extended[2]).decode(extended[1])
        except (LookupError, UnicodeDecodeError):
            pass
    if quoted := _QUOTED.search(header):
        plain = re.sub(r"\\(.)", r"\1", quoted[1])
    elif token := _TOKEN.search(header):
        plain = token[1]
    else:
        return ""
    return unquote(plain) if re.search(r"%[0-9A-Fa-f]{2}", plain) else plain


def _decoded(raw: bytes) -> str:
    for encoding in ("utf-8", "cp1251"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")
