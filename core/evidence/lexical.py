"""Does a passage hold a statement by its words.

Overlap of stems finds the place; numbers, names, quotations and negations decide whether it holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from heapq import nlargest

from core.evidence.facts import names_missing, numbers_missing
from core.evidence.polarity import contradicts, polarity
from core.evidence.prepared import PreparedPassage, PreparedStatement
from core.evidence.quotes import leaves_out_negation, locate
from core.evidence.sentences import Span
from core.evidence.words import content_stems

COVERAGE = 0.6
"""Share of the content stems that must stand in the window."""
COVERAGE_SHORT = 0.75
"""The same for statements of fewer than SHORT content stems, where one word is the whole fact."""
SHORT = 5
LITERAL_FROM = 2
"""Content stems from which a literal find means something; one word stands anywhere."""
WIDER = 0.04
"""What a further sentence in the window costs, so that the shortest sufficient quote wins."""
CANDIDATES = 8
"""Best windows that are checked for facts and negations."""
GAIN = 0.15
"""What a wider window must hold more of the words than a place within it whose facts are wrong."""
QUOTED_WORDS = 4
"""A quoted fragment from so many words on is a quotation and must be literal; shorter ones are titles."""

_QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”|\"([^\"\n]+)\"")

Window = tuple[float, Span]
"""The share of a statement's stems that a run of sentences holds, and where it stands."""


def best_windows(statement: PreparedStatement, passage: PreparedPassage) -> list[Window]:
    """Give the windows that hold most of a statement's stems, best first; [] if the statement has none."""
    stems = statement.stems
    if not stems:
        return []
    scored = []
    for order, (length, span, held) in enumerate(passage.windows()):
        coverage = len(stems & held) / len(stems)
        scored.append((coverage - WIDER * (length - 1), -order, coverage, span))
    return [(coverage, span) for _, _, coverage, span in nlargest(CANDIDATES, scored)]


def verbatim_window(statement: PreparedStatement, passage: PreparedPassage, windows: Sequence[Window]) -> Span | None:
    """Find the window in which the statement stands letter by letter and whole in its meaning."""
    if len(statement.stems) < LITERAL_FROM:
        return None
    for coverage, span in windows:
        text = passage.text[span.start : span.end]
        found = locate(statement.text, text) if coverage == 1.0 else None
        if found is not None and not leaves_out_negation(found, text):
            return span
    return None


def supporting_window(
    statement: PreparedStatement, passage: PreparedPassage, windows: Sequence[Window]
) -> Window | None:
    """Find the best window that holds the statement; narrow ones are looked at first.

    A place that has the words but not the facts cannot be saved by the number in the sentence beside it: a wider
    window round it must hold clearly more of the words.
    """
    if not quotations_hold(statement, passage):
        return None
    failed: list[Window] = []
    holding: set[Span] = set()
    for coverage, span in sorted(windows, key=lambda window: window[1].end - window[1].start):
        text = passage.text[span.start : span.end]
        words = len(statement.words & set(content_stems(text))) / max(1, len(statement.words))
        if not is_enough(statement, coverage) or any(words < least + GAIN and _overlap(span, s) for least, s in failed):
            continue
        if facts_hold(statement, text, passage.vocabulary):
            holding.add(span)
        else:
            failed.append((words, span))
    return next((window for window in windows if window[1] in holding), None)


def hold_together(statement: PreparedStatement, texts: Sequence[str], contexts: Sequence[str]) -> bool:
    """Tell whether windows of several passages hold the statement when read one after the other."""
    together = PreparedPassage("\n\n".join(texts), "\n".join(contexts))
    held = statement.stems & frozenset(content_stems(together.text))
    if not statement.stems or not is_enough(statement, len(held) / len(statement.stems)):
        return False
    return quotations_hold(statement, together) and facts_hold(statement, together.text, together.vocabulary)


def is_enough(statement: PreparedStatement, coverage: float) -> bool:
    """Tell whether so much of a statement of this length says the same."""
    return coverage + 1e-9 >= (COVERAGE if len(statement.stems) >= SHORT else COVERAGE_SHORT)


def facts_hold(statement: PreparedStatement, text: str, vocabulary: frozenset[str]) -> bool:
    """Tell whether numbers stand in the text, names in the passage's vocabulary, and nothing is turned round."""
    if numbers_missing(statement.text, text) or names_missing(statement.text, vocabulary):
        return False
    return not contradicts(statement.polarity, polarity(text))


def quotations_hold(statement: PreparedStatement, passage: PreparedPassage) -> bool:
    """Tell whether every quotation inside the statement stands in the passage letter by letter."""
    for match in _QUOTED.finditer(statement.text):
        quoted = match[1] or match[2] or match[3]
        if len(quoted.split()) >= QUOTED_WORDS and locate(quoted, passage.normalized) is None:
            return False
    return True


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
