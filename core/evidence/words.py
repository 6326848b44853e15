"""Words, stems and numbers of Russian and English text: what comparing two texts is made of.

Cyrillic words are stemmed by Russian rules and Latin words by English ones, as the full-text index does, so that
what the search finds the check finds too.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import snowballstemmer  # type: ignore[import-untyped]

from core.evidence.word_lists import NEGATIONS, REPORTING_WORDS, STOP_WORDS

_TOKEN = re.compile(
    r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\d+(?:[.,]\d+)*|[A-Za-z](?:\+\+|#)|[^\W\d_]+(?:['’ʼ][^\W\d_]+)?"
)
_GROUPS = re.compile(r"(?<=\d)[ \u00a0\u202f,](?=\d{3}(?!\d))")
_APOSTROPHE = str.maketrans("’ʼ", "''")
_COMBINING_STRESS = re.compile("[\u0300\u0301\u00ad\u200b-\u200d\u2060\ufeff]")
_LOCAL = threading.local()


class Token(NamedTuple):
    """A word or number and where it stands; `lower` has ё as е."""

    start: int
    end: int
    raw: str
    lower: str

    @property
    def is_number(self) -> bool:
        """Whether it begins with a digit."""
        return self.raw[0].isdecimal()

    @property
    def is_content(self) -> bool:
        """Whether it carries meaning by itself: no stop word, no negation, no single letter."""
        if self.lower in STOP_WORDS or self.lower in NEGATIONS or self.lower.endswith("n't"):
            return False
        return self.is_number or len(self.lower) > 1 or self.lower > "\u0530"


def tokens(text: str) -> Iterator[Token]:
    """Walk over the words and numbers of a text in order."""
    for match in _TOKEN.finditer(text):
        raw = match.group()
        yield Token(match.start(), match.end(), raw, fold(raw))


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """Bring a word to its comparable spelling: NFKC, lower case, ё as е, no stress marks, straight apostrophe."""
    plain = unicodedata.normalize("NFKC", word).lower().replace("ё", "е").translate(_APOSTROPHE)
    return _COMBINING_STRESS.sub("", plain)


@lru_cache(maxsize=50_000)
def stem(lower: str) -> str:
    """Stem a folded word: Cyrillic by Russian, Latin by English rules; numbers and the rest stay as they are."""
    if not lower or lower[0].isdecimal():
        return number(lower)
    language = "russian" if "а" <= lower[0] <= "я" else "english" if lower[0].isascii() else ""
    return str(_stemmer(language).stemWord(lower)) if language else lower


def number(text: str) -> str:
    """Write a number in one way: `3,50` and `3.5` are equal, and so are `1 000`, `1,000` and `1000`."""
    plain = _GROUPS.sub("", text).replace(",", ".")
    if plain.count(".") == 1:
        plain = plain.rstrip("0").rstrip(".")
    return plain.lstrip("0") or "0"


def stem_set(words: str) -> frozenset[str]:
    """Stem words that stand between spaces."""
    return frozenset(stem(fold(word)) for word in words.split())


def content_stems(text: str) -> list[str]:
    """List the stems of the words that carry meaning, in order, with repetitions."""
    return [stem(token.lower) for token in tokens(text) if token.is_content]


def _stemmer(language: str) -> snowballstemmer.RussianStemmer:
    """Give this thread's stemmer: the library's objects hold state and are not safe to share."""
    found = getattr(_LOCAL, language, None)
    if found is None:
        found = snowballstemmer.stemmer(language)
        setattr(_LOCAL, language, found)
    return found


REPORTING = frozenset(stem(word) for word in REPORTING_WORDS)
"""Stems of words that only say who reports; a statement need not find them in its passage."""
