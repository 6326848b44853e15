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

import snowballstemmer

STOP_WORDS = frozenset(
    "а без более бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее если"
    " есть еще же за здесь и из или им их к как какая какие каким какими каких какого какое какой каком какому какую ко"
    " когда кто кем кого кому куда ли либо между меня мне многие может можно мой мы на над нам нас наш него нее ней них"
    " но ну о об однако он она они оно от откуда очень перед по под после потом потому почему при про с сам самый"
    " свой свою себя скольких сколько со так также такая такие такое такой там тем тех то тогда того тоже той только том"
    " тот ту тут ты у уже хотя чего чей чем через что чтобы чьё чье чья эта эти этим этих это этого этой этом этому этот эту"
    " я является являются являлся являлась затем кроме поэтому причем именно который которая которое которые которого"
    " которой которых которым которую котором сколь зачем насколько зато"
    " a about after again all also am an and any are as at be because been before being both but by can could did do"
    " does doing down during each few for from further had has have having he her here hers him his how however i if in"
    " into is it its just may me might more most much must my of off on once only or other our out over own same shall"
    " she should so some such than that the their them then there these they this those through to too under until up"
    " us very was we were what when where which while who whom whose why will with would you your".split()
)
"""Words without content of their own, lower case, ё as е. Negations are not among them."""

NEGATIONS = frozenset(
    "не ни нет никогда никто ничто ничего никак нигде никакой никакая никакие никакого никаких нельзя неверно неправда"
    " not no never none nobody nothing neither nor cannot without false untrue".split()
)
"""Words that turn a statement round."""

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[A-Za-z](?:\+\+|#)|[^\W\d_]+(?:['’ʼ][^\W\d_]+)?")
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
        return self.is_number or len(self.lower) > 1 or "\u0530" < self.lower


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
    """Write a number in one way: `3,50` and `3.5` are equal, `1 000` must be joined before."""
    plain = text.replace(",", ".")
    if plain.count(".") == 1:
        plain = plain.rstrip("0").rstrip(".")
    return plain.lstrip("0") or "0"


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
