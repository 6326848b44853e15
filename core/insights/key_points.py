"""What a text is about, point by point, without a model: its headings, else the terms that it explains."""

from __future__ import annotations

import re

from core.evidence.words import content_stems
from core.insights.headings import headings
from core.insights.plain_sentences import PlainSentence, plain, sentences

MOST_POINTS = 8
"""Points of a text: a list that is read at one glance."""
FEWEST_HEADINGS = 3
"""Headings from which they say what the text is about."""
LONGEST_POINT = 200
"""Characters of a definition that stands for a point."""

_BOLD = re.compile(r"(?<!\*)\*\*(?!\s)([^*\n]{3,60}?)(?<!\s)\*\*(?!\*)")
_DEFINITION = re.compile(
    r"^[A-ZА-ЯЁ«][^,.;:!?—–]{2,60} "
    r"(?:[—–-] это |это |называется |называют |is (?:a|an|the|defined as) |are (?:called|defined) )"
)


def key_points(text: str) -> tuple[str, ...]:
    """List what a text is about in document order: its headings, else its definitions, else what it prints bold.

    Returns:
        At most MOST_POINTS short lines; () for a text with none of them.
    """
    outline = _outline(text)
    if len(outline) >= FEWEST_HEADINGS:
        return outline
    defined = [one.text for one in sentences(text) if _is_definition(one)]
    if len(defined) >= 2:
        return _unlike(defined)
    return _unlike([plain(match[1]).strip(" .:;") for match in _BOLD.finditer(text)])


def _outline(text: str) -> tuple[str, ...]:
    """The headings of the outermost level that has several."""
    found = headings(text)
    for level in sorted({heading.level for heading in found}):
        here = [heading.text for heading in found if heading.level == level]
        if len(here) >= FEWEST_HEADINGS:
            return _spread(_unlike(here, limit=len(here)))
    return ()


def _spread(points: tuple[str, ...]) -> tuple[str, ...]:
    """Choose evenly among too many."""
    if len(points) <= MOST_POINTS:
        return points
    return tuple(points[at * len(points) // MOST_POINTS] for at in range(MOST_POINTS))


def _is_definition(sentence: PlainSentence) -> bool:
    return len(sentence.text) <= LONGEST_POINT and _DEFINITION.match(sentence.text) is not None


def _unlike(points: list[str], limit: int = MOST_POINTS) -> tuple[str, ...]:
    """Leave out what repeats an earlier point, and what has no content word."""
    kept: dict[frozenset[str], str] = {}
    for point in points:
        stems = frozenset(content_stems(point))
        if stems and stems not in kept and len(kept) < limit:
            kept[stems] = point
    return tuple(kept.values())
