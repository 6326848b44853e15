"""Takes two questions in one message apart: each has passages of its own."""

from __future__ import annotations

import re

MOST_PARTS = 4
"""Beyond that it is a questionnaire; it is searched for as it stands."""

_CUT = re.compile(
    r"(?<=[?？])\s+|\s*\n+\s*|(?<=\w{3}[.!;])\s+(?-i:(?=[A-ZА-ЯЁ]))|\s+(?=(?:и ещ[её]|а также|and also)\s*:)",
    re.IGNORECASE,
)
"""After a question mark, a line or a sentence (an initial ends none), before a linking phrase."""
_LINK = re.compile(
    r"^(?:[-–—•*]|\d+[.)])?\s*(?:(?:(?:[иа]\s+)?(?:ещ[её]|также)|кроме\s+того|[иа]|(?:and\s+)?also|and|plus|besides)\b"
    r"[\s:,–—-]*)?",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:(?:в|во|на|о|об|из|с|со|до|от|к|по|за|для|у|при|in|on|at|by|for|from|of|to|with)\s+)?"
    r"(?:кто|кого|кому|кем|ком|что|чего|чему|чем|чём|где|когда|куда|откуда|почему|зачем|как|какой|какая|какое|какие|"
    r"какого|какую|каким|каких|каком|какова|каков|каково|каковы|сколько|скольких|чей|чья|чьё|чьи|который|которая|"
    r"who|whom|whose|what|which|when|where|why|how)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3,}|\d+")


def split_question(text: str) -> tuple[str, ...]:
    """Split a message into the questions it holds.

    Returns:
        The questions without the words that link them, at least two; () when the message is one question, or more
        than `MOST_PARTS`.
    """
    parts = [_LINK.sub("", part.strip(), count=1).strip() for part in _CUT.split(text)]
    asked = [part for part in parts if _is_question(part)]
    return tuple(asked) if 2 <= len(asked) <= MOST_PARTS else ()


def _is_question(part: str) -> bool:
    if part.startswith("(") or len(_WORD.findall(part)) < 2:
        return False
    return part.endswith(("?", "？")) or bool(_ASKS.match(part))
