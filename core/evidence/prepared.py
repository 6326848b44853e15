"""A passage with what comparing statements with it needs, each worked out once and only if asked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from core.evidence.quotes import Normalized, normalize_for_match
from core.evidence.sentences import Span, split_sentences
from core.evidence.words import content_stems, stem, tokens

WINDOW = 3
"""Sentences in a row that may support one statement together."""


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

    def windows(self) -> Iterator[tuple[Span, frozenset[str]]]:
        """Give every run of at most WINDOW sentences with its stems, shorter ones before longer ones."""
        for length in range(1, WINDOW + 1):
            for first in range(len(self.sentences) - length + 1):
                last = first + length - 1
                span = Span(self.sentences[first].start, self.sentences[last].end)
                yield span, frozenset[str]().union(*self.stems[first : last + 1])
