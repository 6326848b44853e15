"""Statements and passages with what comparing them needs, each worked out once and only if asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from core.evidence.polarity import Polarity, polarity
from core.evidence.quotes import Normalized, normalize_for_match
from core.evidence.sentences import Span, split_sentences
from core.evidence.words import REPORTING, content_stems, stem, tokens

WINDOW = 3
"""Sentences in a row that may support one statement together."""

_DECORATION = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•]\s+|>\s*|\d{1,3}[.)]\s+)+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")


class PreparedStatement:
    """One sentence of an answer and its parts.

    Args:
        written: The sentence without citation marks; `text` is without Markdown too.
    """

    def __init__(self, written: str) -> None:
        self.written = written
        self.text = _DECORATION.sub("", written).strip()

    @cached_property
    def stems(self) -> frozenset[str]:
        """Its content stems without words that only report ("в источнике сказано")."""
        return frozenset(content_stems(self.text)) - REPORTING

    @cached_property
    def words(self) -> frozenset[str]:
        """Its stems without the numbers."""
        return frozenset(word for word in self.stems if not word[0].isdecimal())

    @cached_property
    def polarity(self) -> Polarity:
        """What it affirms and denies."""
        return polarity(self.text)


class PreparedPassage:
    """A passage text and its parts.

    Args:
        text: The passage.
        context: Title and headings, where names may stand too.
    """

    def __init__(self, text: str, context: str = "") -> None:
        self.text = text
        self.context = context

    @cached_property
    def normalized(self) -> Normalized:
        """The text for literal comparison."""
        return normalize_for_match(self.text)

    @cached_property
    def sentences(self) -> list[Span]:
        """Its sentences."""
        return split_sentences(self.text)

    @cached_property
    def stems(self) -> list[frozenset[str]]:
        """The content stems of each sentence."""
        return [frozenset(content_stems(self.text[s.start : s.end])) for s in self.sentences]

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all words of the text and its context."""
        return frozenset(stem(token.lower) for part in (self.text, self.context) for token in tokens(part))

    def windows(self) -> Iterator[tuple[int, Span, frozenset[str]]]:
        """Give every run of at most WINDOW sentences: how many, where, their stems; shorter ones before longer ones."""
        for length in range(1, WINDOW + 1):
            for first in range(len(self.sentences) - length + 1):
                last = first + length - 1
                span = Span(self.sentences[first].start, self.sentences[last].end)
                yield length, span, frozenset[str]().union(*self.stems[first : last + 1])
