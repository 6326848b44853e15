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

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_LETTER = re.compile(r"[^\W\d_]")
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
    """Name the language of a part of a text whose language is `whole`: that one unless the script speaks against it."""
    if not _LETTER.search(text):
        return whole
    script = script_language(text)
    return whole if (whole in _CYRILLIC_LANGUAGES) == (script == "ru") else script


@lru_cache(maxsize=1)
def _identifier() -> _Identifier | None:
    """Load the statistics (0.5 s) when first needed; None where they are not installed."""
    try:
        identifier: _Identifier = import_module("py3langid")
    except ImportError:
        return None
    return identifier
