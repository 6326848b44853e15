"""The entities Telegram finds by itself: commands, mentions, hashtags, links and e-mail addresses."""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox.limits import utf16_len

Entity = dict[str, Any]

_TLDS = (
    "com|org|net|edu|gov|mil|int|info|biz|name|pro|aero|coop|museum|io|ai|dev|app|me|tv|cc|co|ru|su|рф|ua|by|kz|uk|us|de|fr|"
    "es|it|nl|pl|cz|at|ch|se|no|fi|dk|be|pt|gr|tr|jp|cn|kr|in|br|ca|au|nz|eu|gg|ly|be|sh|xyz|online|site|store|tech|"
    "blog|cloud|page|wiki|москва"
)
"""Top domains after which a bare name is a link; a link with a scheme needs none of them."""

_HOST = r"(?:[\w-]+\.)+"
_TAIL = r"(?::\d{1,5})?(?:[/?#][^\s<>\"“”«»]*)?"

PATTERNS = (
    ("url", re.compile(rf"(?:https?|ftp|tonsite)://(?:[^\s/@<>]+@)?[\w.-]*\w{_TAIL}", re.IGNORECASE)),
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]+\.)+[a-zа-я]{2,}(?![\w-])", re.IGNORECASE)),
    ("url", re.compile(rf"(?<![\w@./-]){_HOST}(?:{_TLDS})(?![\w-]){_TAIL}", re.IGNORECASE)),
    ("bot_command", re.compile(r"(?<![\w/<>])/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z0-9_]{3,32})?(?![\w/<>@])")),
    ("mention", re.compile(r"(?<![\w/@.])@[a-zA-Z0-9_]{2,32}(?![\w@])")),
    ("hashtag", re.compile(r"(?<![\w#@/&])#(?=\w*[^\W\d_])\w{1,256}(?![\w#])")),
    ("cashtag", re.compile(r"(?<![\w$])\$(?:1INCH|[A-Z]{3,8})(?![\w$])")),
)
"""Kinds in the order in which they claim the text; nothing found later may overlap what was found before."""

_TRAILING = ".,;:!?'…"
_BRACKETS = {")": "(", "]": "[", "}": "{"}


def find_entities(text: str, taken: list[Entity] | None = None) -> list[Entity]:
    """Find what Telegram marks on its own in a text.

    Args:
        text: The cleaned text.
        taken: Entities given by the sender; code, links and mentions among them keep their place to themselves.

    Returns:
        Entities in order of their place, in UTF-16 units, none overlapping another or a taken one.
    """
    closed = {"code", "pre", "text_link", "text_mention", "custom_emoji", "date_time"}
    spans = [(e["offset"], e["offset"] + e["length"]) for e in taken or () if e["type"] in closed]
    found: list[Entity] = []
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(text):
            shown = _without_tail(match[0]) if kind == "url" else match[0]
            begin = utf16_len(text[: match.start()])
            end = begin + utf16_len(shown)
            if all(end <= low or begin >= high for low, high in spans):
                spans.append((begin, end))
                found.append({"type": kind, "offset": begin, "length": end - begin})
    return sorted(found, key=lambda entity: entity["offset"])


def _without_tail(url: str) -> str:
    """Take the punctuation off a link's end, and a closing bracket that was not opened in it."""
    while url:
        last = url[-1]
        if last in _TRAILING or (last in _BRACKETS and url.count(last) > url.count(_BRACKETS[last])):
            url = url[:-1]
        else:
            break
    return url
