"""Does a passage hold a statement by its meaning: for other languages and paraphrases, where words do not meet.

Meaning alone cannot tell 40 from 50 or yes from no, so numbers, Latin names and negations are checked here too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from core.evidence.facts import names, numbers_missing
from core.evidence.lexical import quotations_hold
from core.evidence.polarity import contradicts, polarity
from core.evidence.prepared import PreparedPassage, PreparedStatement
from core.evidence.sentences import Span

Similarity = Callable[[str, str], float]
"""Statement and source sentence to a number of which 1 and more means: they say the same."""

E5_FLOOR = 0.84
"""Cosine of multilingual-e5 from which two sentences of different languages say the same: on 295 sentences and their
translations 0.97 are above it, of neighbouring paragraphs' best sentences 0.03."""
OTHER_FLOOR = 0.55
"""The same for a model whose cosines spread; not measured."""
SAME_LANGUAGE = 1.08
"""Within one language cosines are higher, and words that do not meet mean more."""

_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LATIN = re.compile("[a-z]", re.IGNORECASE)


class Meaning:
    """A Similarity out of vectors that were made beforehand.

    Args:
        vectors: Unit vectors of all statements and sentences that will be compared; a pair with one missing has 0.
        model_id: Decides the floor.
    """

    def __init__(self, vectors: Mapping[str, Sequence[float]], model_id: str) -> None:
        self._vectors = vectors
        self._floor = E5_FLOOR if "e5" in model_id.lower() else OTHER_FLOOR

    def __call__(self, statement: str, sentence: str) -> float:
        """Give the cosine as a share of the floor."""
        one, other = self._vectors.get(statement), self._vectors.get(sentence)
        if one is None or other is None:
            return 0.0
        return sum(x * y for x, y in zip(one, other, strict=True)) / self._floor


def nearest_sentence(
    statement: PreparedStatement, passage: PreparedPassage, similar: Similarity
) -> tuple[float, Span] | None:
    """Find the sentence that means what the statement says; None if none does or its facts are others."""
    scored = [(similar(statement.text, passage.text[s.start : s.end]), s) for s in passage.sentences]
    if not scored:
        return None
    score, span = max(scored, key=lambda pair: (pair[0], -pair[1].start))
    text = passage.text[span.start : span.end]
    foreign = is_foreign(statement.text, text)
    if score < (1.0 if foreign else SAME_LANGUAGE) or not quotations_hold(statement, passage):
        return None
    return (min(1.0, score), span) if _facts_hold(statement, text, passage, foreign) else None


def is_foreign(statement: str, source: str) -> bool:
    """Tell whether one is written in Cyrillic and the other in Latin letters."""
    return _mostly_cyrillic(statement) != _mostly_cyrillic(source)


def _facts_hold(statement: PreparedStatement, text: str, passage: PreparedPassage, foreign: bool) -> bool:
    named = names(statement.text)
    if foreign:  # a name in the other alphabet cannot be looked up
        cyrillic_source = not _mostly_cyrillic(statement.text)
        named = {name for name in named if (_CYRILLIC.match(name) is not None) == cyrillic_source}
    if numbers_missing(statement.text, text) or named - passage.vocabulary:
        return False
    said = polarity(text)
    if foreign:
        return statement.polarity.denies == said.denies
    return not contradicts(statement.polarity, said)


def _mostly_cyrillic(text: str) -> bool:
    return len(_CYRILLIC.findall(text)) > len(_LATIN.findall(text))
