"""The sentences of a Markdown text as a person reads them, without marks of layout."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.evidence.sentences import Span, split_sentences
from core.evidence.words import content_stems, fold, stem, tokens

READ_CHARACTERS = 120_000
"""Insights by rule are made from the beginning of a long text: what is worth asking first stands there."""

LONGEST_JOINED = 400
"""Characters of a sentence that is put together again."""

_BULLET = re.compile(r"\A(?:(?:[-*+•–—]|\d{1,3}[.)])\s+|>\s*)+")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_REFERENCE = re.compile(r"\s?\[\^?\d[\d,;–\s-]*\]")
_EMPHASIS = re.compile(r"\*{1,3}|~~|`|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)")
_STRESS = re.compile("[\u0300\u0301\u00ad\u200b]")
_NOT_PROSE = re.compile(r"[ \t]*(?:#|\||```|~~~|!\[)")
_OPEN_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,80}>")


@dataclass(frozen=True, slots=True)
class PlainSentence:
    """A sentence as one line of plain words, where it begins in the text, and its content stems in order."""

    text: str
    start: int
    stems: tuple[str, ...]


def plain(markdown: str) -> str:
    """Write a piece of Markdown as one line of plain words."""
    line = _BULLET.sub("", " ".join(markdown.split()))
    line = _OPEN_TAG.sub("", _REFERENCE.sub("", _LINK.sub(r"\1", line)))
    return " ".join(_STRESS.sub("", _EMPHASIS.sub("", line)).split())


def sentences(text: str) -> Iterator[PlainSentence]:
    """Walk over the sentences of a text's beginning; headings, tables, code and what has no content word are none."""
    read = text[:READ_CHARACTERS]
    spans = split_sentences(read)
    for span in _whole(spans if len(text) == len(read) else spans[:-1], read):
        line_start = read.rfind("\n", 0, span.start) + 1
        if _NOT_PROSE.match(read, line_start):
            continue
        line = plain(read[span.start : span.end])
        stems = tuple(content_stems(line))
        if stems:
            yield PlainSentence(line, span.start, stems)


def _whole(spans: Sequence[Span], text: str) -> Iterator[Span]:
    """Join what was parted inside parentheses: "Нева (фин. Neva) — река" is one sentence."""
    held: Span | None = None
    for span in spans:
        joined = Span(held.start, span.end) if held else span
        piece = text[joined.start : joined.end]
        if held and (len(piece) > LONGEST_JOINED or "\n\n" in piece):
            yield held
            joined, piece = span, text[span.start : span.end]
        held = joined if piece.count("(") > piece.count(")") else None
        if held is None:
            yield joined
    if held:
        yield held


class Capitals:
    """Which words a text writes with a capital because they are names.

    Args:
        text: The whole text; its words are looked at once, when first needed.
    """

    def __init__(self, text: str) -> None:
        self._text = text[:READ_CHARACTERS]

    @cached_property
    def _counts(self) -> tuple[Counter[str], Counter[str]]:
        small, capital = Counter[str](), Counter[str]()
        for token in tokens(self._text):
            if token.raw[0].islower():
                small[stem(token.lower)] += 1
            elif not _SENTENCE_START.search(self._text[max(0, token.start - 12) : token.start]):
                capital[stem(token.lower)] += 1
        return small, capital

    def is_common(self, word: str) -> bool | None:
        """Tell a common word from a name by how the text writes it; None when it never stands inside a sentence."""
        small, capital = self._counts
        stemmed = stem(fold(word))
        if small[stemmed] or capital[stemmed]:
            return small[stemmed] > capital[stemmed]
        return True if word.lower().endswith(_COMMON_ENDINGS) else None

    def lowered(self, phrase: str, *, unsure: bool = True) -> str:
        """Write a phrase as it would stand inside a sentence: its first letter small unless it begins with a name.

        Args:
            phrase: One or more words of the beginning of a sentence.
            unsure: What to do with a word that may be a name: keep it, or (False) give "".
        """
        first, _, rest = phrase.partition(" ")
        bare = next(iter(tokens(first)), None)
        if bare is None or not first[0].isupper() or any(letter.isupper() for letter in first[1:]):
            return phrase
        common = self.is_common(bare.raw)
        if rest[:1].isupper() and first.endswith(_ADJECTIVE_ENDINGS) and not first.endswith(_COMMON_ENDINGS):
            return phrase  # "Северная Корея"
        if common is None and rest[:1].islower() and first.endswith(_ADJECTIVE_ENDINGS):
            common = True  # "Немецкий психолог"
        if common is None and not unsure:
            return ""
        if common is None:
            common = (
                rest[:1].islower() and "а" <= first[0].lower() <= "я"
            )  # an English sentence often begins with a name
        return phrase[0].lower() + phrase[1:] if common else phrase


_SENTENCE_START = re.compile(r"(?:^|[.!?…:»\"”)\]]\s|\n)[\s\"'«“(*_#>|–—-]*$")
_ADJECTIVE_ENDINGS = ("ый", "ий", "ой", "ая", "яя", "ое", "ее", "ые", "ие")
_COMMON_ENDINGS = (
    "ние", "ость", "ство", "тель", "ный", "ная", "ное", "ные", "логия", "изм", "tion", "ness", "ment", "ity",
)  # fmt: skip
"""How words end that are hardly ever names by themselves."""
