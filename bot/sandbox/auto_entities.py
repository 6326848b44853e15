"""The entities Telegram finds by itself: commands, mentions, hashtags, links and e-mail addresses.

Source:
    `find_entities`, `match_urls` and `fix_url` in TDLib's MessageEntity.cpp.
"""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox.entity_rules import drop_intersecting, order
from bot.sandbox.limits import utf16_len

Entity = dict[str, Any]

_TOP_DOMAINS = (
    "com org net edu gov mil int info biz name pro aero coop museum travel jobs mobi cat tel asia post io ai dev "
    "app me tv cc co ru su ua by kz uz kg am ge az md ee lv lt uk us de fr es it nl pl cz sk at ch se no fi dk be "
    "pt gr tr jp cn kr in br ca au nz eu gg ly to sh im is ie il ir mx ar cl id my sg th vn hk tw za ng ke eg sa "
    "ae ro hu bg rs hr si lu xyz online site store shop tech blog cloud page wiki club live news world space "
    "website link click work media agency digital academy school science education university institute wien "
    "berlin london moscow рф москва дети рус бел укр қаз"
)
"""Top domains after which a name without a scheme is a link; Telegram's own list has some 1,400."""

_KNOWN = frozenset(_TOP_DOMAINS.split())

_DOMAIN = r"(?:[A-Za-z0-9._~-]|[^\x00-\xbf\s\u2000-\u206f])+"
_URL = re.compile(
    r"(?:(?P<scheme>[A-Za-z0-9+-]+)://)?"
    rf"(?P<user>[^\s/\[\]{{}}()'`<>\"@«»]+@)?(?P<domain>{_DOMAIN})(?P<port>:\d{{1,5}})?"
    r"(?P<path>[/?#][^\s<>\"«»]*)?"
)
_TG_URL = re.compile(r"(?:tg|ton|tonsite)://[a-z0-9_-]{1,253}(?:[/?#][^\s<>\"«»]*)?", re.IGNORECASE)
_EMAIL = re.compile(
    r"(?:[a-z0-9_-]{0,26}[.+:]){0,10}[a-z0-9_-]{1,35}@(?:(?:[a-z0-9][a-z0-9_-]{0,28})?[a-z0-9][.]){1,6}[a-z]{2,8}",
    re.IGNORECASE,
)
_LETTER = r"\w\u200c\xb7"
SIMPLE = (
    ("mention", re.compile(r"(?<!\w)@(?:[a-zA-Z0-9_]{4,32}|gif|vid|pic)(?!\w)")),
    ("bot_command", re.compile(r"(?<![\w/<>])/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32}(?!\w)|(?![\w@]))(?![/<>])")),
    (
        "hashtag",
        re.compile(
            rf"(?<![{_LETTER}])#(?=\d*[^\W\d]|\w*[^\W\d_])[{_LETTER}]{{1,256}}(?:@[a-zA-Z0-9_]{{3,32}})?(?![{_LETTER}]*#)"
        ),
    ),
    ("cashtag", re.compile(r"(?<![\w$])\$(?:1INCH|[A-Z]{1,8})(?![\w$])")),
)
"""Kinds that one pattern finds."""

_BAD_END = ".:;,('?!`"
_BRACKETS = {")": "(", "]": "[", "}": "{"}


def find_entities(text: str) -> list[Entity]:
    """Return what Telegram marks on its own in a text, in order, without overlaps, in UTF-16 units."""
    spans = [(kind, match.start(), match.end()) for kind, pattern in SIMPLE for match in pattern.finditer(text)]
    spans += [
        ("url", match.start(), match.start() + len(_without_bad_end(match[0]))) for match in _TG_URL.finditer(text)
    ]
    spans += [span for match in _URL.finditer(text) if (span := _url_span(text, match))]
    entities = [
        {"type": kind, "offset": utf16_len(text[:begin]), "length": utf16_len(text[begin:end])}
        for kind, begin, end in spans
    ]
    return drop_intersecting(sorted(entities, key=order))


def _url_span(text: str, match: re.Match[str]) -> tuple[str, int, int] | None:
    """Return the kind and place of a link or an address that a candidate holds."""
    begin, user, domain = match.start(), match["user"], match["domain"]
    if "." not in domain:
        return None
    address = (user or "") + domain.rstrip(".")
    if user and not match["scheme"] and _EMAIL.fullmatch(address.removeprefix("mailto:")):
        begin += len(address) - len(address.removeprefix("mailto:"))
        return "email", begin, match.start() + len(address)
    scheme = (match["scheme"] or "").lower()
    if scheme not in {"", "http", "https", "ftp", "tonsite"} or (begin and text[begin - 1] in "/#@"):
        return None
    trimmed = domain if match["port"] or match["path"] else domain.rstrip(".~-")
    if not is_domain(trimmed, has_scheme=bool(scheme)):
        return None
    head = match.start("domain") + len(trimmed) + len(match["port"] or "")
    return "url", begin, head + len(_path(match["path"] or ""))


def is_domain(domain: str, *, has_scheme: bool) -> bool:
    """Tell whether a name can be a link's host; without a scheme its top domain must be a known one."""
    parts = domain.split(".")
    if len(parts) < 2 or any(not part or len(part) > 63 or part.endswith("-") for part in parts):
        return False
    if all(part.isdecimal() for part in parts):
        return len(parts) == 4 and all(int(part) < 256 for part in parts)
    top = parts[-1]
    if len(top) < 2 or "_" in top or ("-" in top and not top.startswith("xn--")) or "_" in parts[-2]:
        return False
    return has_scheme or top.lower() in _KNOWN or top.startswith("xn--")


def _path(path: str) -> str:
    """Cut a path at a bracket that closes nothing, and take off the punctuation at its end."""
    depth = dict.fromkeys("([{", 0)
    for at, char in enumerate(path):
        if char in depth:
            depth[char] += 1
        elif char in _BRACKETS:
            depth[_BRACKETS[char]] -= 1
            if depth[_BRACKETS[char]] < 0:
                path = path[:at]
                break
    return _without_bad_end(path)


def _without_bad_end(url: str) -> str:
    return url.rstrip(_BAD_END)
