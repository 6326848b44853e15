"""Which language a text is in: by its script when short, by its letters' statistics when long."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import Protocol

LONG_ENOUGH = 200
"""Letters from which statistics are more often right than the script alone."""
SAMPLE = 20_000
"""Characters looked at; a language does not change after so many."""
CYRILLIC_SHARE = 0.3
"""Share of Cyrillic letters from which a text is held for Cyrillic: terms and names in it are often Latin."""
ENGLISH_SHARE = 0.15
"""Share of the commonest English words from which a text runs in English (ordinary prose has a quarter)."""

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset({"the", "of", "and", "to", "in", "is", "that", "for", "was", "with", "as", "are", "by", "on", "a"})
_CYRILLIC_LANGUAGES = frozenset({"ru", "uk", "be", "bg", "mk", "sr", "kk", "ky", "mn"})


class _Identifier(Protocol):
    def rank(self, text: str) -> list[tuple[str, float]]: ...


def detect_language(text: str) -> str:
    """Name the language of a text as a two-letter code.

    Short texts (questions) are Russian when Cyrillic, English otherwise; long ones are looked at more closely where
    py3langid is installed, and never against their script.
    """
    sample = text[:SAMPLE]
    letters = len(_LETTER.findall(sample))
    script = script_language(sample)
    identifier = _identifier() if letters >= LONG_ENOUGH else None
    if identifier is None:
        return script
    cyrillic = script == "ru"
    return next((code for code, _ in identifier.rank(sample) if (code in _CYRILLIC_LANGUAGES) == cyrillic), script)


def script_language(text: str) -> str:
    """Name "ru" for a text with enough Cyrillic letters, else "en"."""
    letters = len(_LETTER.findall(text))
    return "ru" if letters and len(_CYRILLIC.findall(text)) >= CYRILLIC_SHARE * letters else "en"


def part_language(text: str, whole: str) -> str:
    """Name the language of a part of a text whose language is `whole`: that one, unless the part is plainly another.

    A list of foreign names in a Russian text is still Russian: only running words make a part English.
    """
    words = [word.lower() for word in _WORD.findall(text)]
    cyrillic = sum(bool(_CYRILLIC.match(word)) for word in words)
    if whole in _CYRILLIC_LANGUAGES:
        english = sum(word in _ENGLISH for word in words)
        return "en" if cyrillic < 0.1 * len(words) and english > ENGLISH_SHARE * len(words) else whole
    return "ru" if cyrillic > 0.5 * len(words) else whole


@lru_cache(maxsize=1)
def _identifier() -> _Identifier | None:
    """Load the statistics (0.5 s) when first needed; None where they are not installed."""
    try:
        identifier: _Identifier = import_module("py3langid")
    except ImportError:
        return None
    return identifier
