"""Does a passage hold a statement: compared word by word, without a model.

A statement is verbatim when it stands in the passage letter by letter (after normalisation) with no negation left
out; supported when enough of its content words stand together in at most three sentences, all of its numbers and
names are there and nothing is turned round; otherwise not found. A meaning-based similarity may be given to accept
paraphrases and other languages; it never overrules numbers, names and negations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from core.evidence.facts import names_missing, numbers_missing
from core.evidence.polarity import contradicts, polarity
from core.evidence.prepared import PreparedPassage
from core.evidence.quotes import leaves_out_negation, locate
from core.evidence.sentences import Span
from core.evidence.words import REPORTING, content_stems
from core.model.answer import Verdict

Similarity = Callable[[str, str], float]
"""Statement and source sentence to a calibrated similarity in [0, 1]."""

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
SIMILAR = 0.85
"""Similarity from which a paraphrase counts as supported."""
QUOTED_WORDS = 4
"""A quoted fragment from so many words on is a quotation and must be literal; shorter ones are titles."""

_QUOTED = re.compile(r"«([^«»]+)»|“([^“”]+)”|\"([^\"\n]+)\"")
_DECORATION = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•]\s+|>\s*|\d{1,3}[.)]\s+)+|[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a statement fared: the verdict and the best span, relative to the text of passage number `passage`."""

    verdict: Verdict
    passage: int
    start: int
    end: int
    coverage: float


def judge_statement(statement: str, passages: Sequence[str], similar: Similarity | None = None) -> Judgement:
    """Compare a statement with the passages it cites and give the best judgement.

    Args:
        statement: One sentence without citation marks; Markdown is ignored.
        passages: Texts of the cited passages; none gives NOT_FOUND.
        similar: Optional similarity of meaning.
    """
    return best(judge_each(statement, [PreparedPassage(text) for text in passages], similar))


def judge_each(
    statement: str, passages: Sequence[PreparedPassage], similar: Similarity | None = None
) -> list[Judgement]:
    """Judge a statement against each passage it cites; those that hold it only together support it together."""
    plain = _DECORATION.sub("", statement).strip()
    alone = [_judge(plain, passage, at, similar) for at, passage in enumerate(passages)]
    if len(alone) < 2 or any(j.verdict is not Verdict.NOT_FOUND for j in alone):
        return alone
    return alone if not _hold_together(plain, passages, alone) else [_supported(j) for j in alone]


def best(judgements: Sequence[Judgement]) -> Judgement:
    """Pick the strongest judgement, the first of equals; without any, nothing was found."""
    if not judgements:
        return Judgement(Verdict.NOT_FOUND, 0, 0, 0, 0.0)
    return max(judgements, key=lambda j: (STRENGTH[j.verdict], j.coverage))


STRENGTH = {Verdict.NOT_FOUND: 0, Verdict.SUPPORTED: 1, Verdict.VERBATIM: 2}
"""Order of verdicts."""


def statement_stems(statement: str) -> frozenset[str]:
    """The content stems of a statement without words that only report ("в источнике сказано")."""
    return frozenset(content_stems(statement)) - REPORTING


def _judge(statement: str, passage: PreparedPassage, at: int, similar: Similarity | None) -> Judgement:
    stems = statement_stems(statement)
    ranked = _ranked(stems, passage)
    if not ranked:
        return Judgement(Verdict.NOT_FOUND, at, 0, 0, 0.0)
    verbatim = _verbatim(statement, stems, passage, ranked)
    if verbatim:
        return Judgement(Verdict.VERBATIM, at, *verbatim, 1.0)
    supporting = _supporting(statement, stems, passage, ranked, similar)
    if supporting:
        return Judgement(Verdict.SUPPORTED, at, *supporting[1], supporting[0])
    return Judgement(Verdict.NOT_FOUND, at, *ranked[0][1], ranked[0][0])


def _supporting(
    statement: str,
    stems: frozenset[str],
    passage: PreparedPassage,
    ranked: Sequence[tuple[float, Span]],
    similar: Similarity | None,
) -> tuple[float, Span] | None:
    """The best window that holds the statement; narrow ones are looked at first.

    A place that has the words but not the facts cannot be saved by the number in the sentence beside it: a wider
    window round it must hold clearly more of the words.
    """
    if not _quotes_hold(statement, passage):
        return None
    failed: list[tuple[float, Span]] = []
    holding: set[Span] = set()
    for coverage, span in sorted(ranked, key=lambda window: window[1].end - window[1].start):
        words = _word_coverage(stems, passage.text[span.start : span.end])
        if any(words < least + GAIN and _overlap(span, place) for least, place in failed):
            continue
        enough = _enough(stems, coverage)
        if _holds(statement, passage, span, enough, similar):
            holding.add(span)
        elif enough:
            failed.append((words, span))
    return next((window for window in ranked if window[1] in holding), None)


def _word_coverage(stems: frozenset[str], text: str) -> float:
    """The share of the stems without the numbers."""
    words = {word for word in stems if not word[0].isdecimal()}
    return len(words & set(content_stems(text))) / max(1, len(words))


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _ranked(stems: frozenset[str], passage: PreparedPassage) -> list[tuple[float, Span]]:
    """The best windows with the share of the statement's stems that they hold; shorter and earlier ones first."""
    if not stems:
        return []
    scored = []
    for order, (span, held) in enumerate(passage.windows()):
        coverage = len(stems & held) / len(stems)
        longer = order // max(1, len(passage.sentences))
        scored.append((coverage - WIDER * longer, -order, coverage, span))
    return [(coverage, span) for _, _, coverage, span in nlargest(CANDIDATES, scored)]


def _verbatim(
    statement: str, stems: frozenset[str], passage: PreparedPassage, ranked: Sequence[tuple[float, Span]]
) -> Span | None:
    """The window in which the statement stands literally and whole in its meaning."""
    if len(stems) < LITERAL_FROM:
        return None
    for coverage, span in ranked:
        text = passage.text[span.start : span.end]
        found = locate(statement, text) if coverage == 1.0 else None
        if found is not None and not leaves_out_negation(found, text):
            return span
    return None


def _enough(stems: frozenset[str], coverage: float) -> bool:
    return coverage + 1e-9 >= (COVERAGE if len(stems) >= SHORT else COVERAGE_SHORT)


def _holds(statement: str, passage: PreparedPassage, span: Span, enough: bool, similar: Similarity | None) -> bool:
    text = passage.text[span.start : span.end]
    if not enough and (similar is None or similar(statement, text) < SIMILAR):
        return False
    if numbers_missing(statement, text) or names_missing(statement, passage.vocabulary):
        return False
    return not contradicts(polarity(statement), polarity(text))


def _quotes_hold(statement: str, passage: PreparedPassage) -> bool:
    """Every quotation inside the statement must be literal."""
    for match in _QUOTED.finditer(statement):
        quoted = match[1] or match[2] or match[3]
        if len(quoted.split()) >= QUOTED_WORDS and locate(quoted, passage.normalized) is None:
            return False
    return True


def _hold_together(statement: str, passages: Sequence[PreparedPassage], alone: Sequence[Judgement]) -> bool:
    """Tell whether the best windows of all passages, each adding something, hold the statement when joined."""
    if any(j.coverage == 0 for j in alone):
        return False
    joined = "\n\n".join(p.text[j.start : j.end] for p, j in zip(passages, alone, strict=True))
    together = PreparedPassage(joined, "\n".join(p.context for p in passages))
    stems = statement_stems(statement)
    enough = _enough(stems, len(stems & frozenset(content_stems(joined))) / len(stems))
    return _quotes_hold(statement, together) and _holds(statement, together, Span(0, len(joined)), enough, None)


def _supported(judgement: Judgement) -> Judgement:
    return replace(judgement, verdict=Verdict.SUPPORTED)
