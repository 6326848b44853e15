"""An answer without a language model: the passages' best sentences, quoted and cited.

Sentences are ranked by BM25 over stems with document frequencies from the given passages. Whether to answer at all is
decided by how much of the question one place covers: a question whose words stand nowhere together is refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.sentences import Span, split_sentences
from core.evidence.words import content_stems
from core.model.answer import Passage

MODEL_NAME = "extractive"
"""What `Answer.model` says for such an answer."""

MOST_SENTENCES = 5
"""Sentences of an answer: what a phone shows without scrolling."""
MOST_CHARS = 900
"""Characters of an answer, for the same reason."""
COVERED = 0.5
"""Share of the question's weighted content stems that the best place must hold; below it the question is refused."""
NEAR = 0.5
"""A further sentence is taken if it scores at least this share of the best one."""
SAME = 0.7
"""Share of stems in common from which two sentences say the same."""
NEIGHBOUR = 0.35
"""What a sentence gains from the scores of the ones beside it: an answer often stands next to the question's words."""
K1, B = 1.2, 0.75
"""BM25's usual constants; they hardly matter here."""


@dataclass(frozen=True, slots=True)
class ExtractedSentence:
    """A sentence of the answer, where it stands in its passage's text, and the passage's number."""

    text: str
    n: int
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class ExtractiveAnswer:
    """The sentences in reading order; `text` joins them, each ending with its `[n]`.

    `coverage` tells how much of the question the best place held, in [0, 1].
    """

    answered: bool
    sentences: tuple[ExtractedSentence, ...] = ()
    text: str = ""
    coverage: float = 0.0


@dataclass(frozen=True, slots=True)
class _Line:
    """A sentence of a passage with its stems."""

    passage: int
    span: Span
    stems: Counter[str]


def extract_answer(question: str, passages: Sequence[Passage], language: str = "ru") -> ExtractiveAnswer:
    """Answer a question with the best sentences of the passages.

    Args:
        question: What the person asks.
        passages: What retrieval found, best first.
        language: Of the answer; sentences stay in their source's language, so it only joins them.

    Returns:
        At most MOST_SENTENCES sentences and MOST_CHARS characters, each source's in document order; not answered if
        no place covers the question.
    """
    lines = [line for at, passage in enumerate(passages) for line in _lines(at, passage)]
    wanted = set(content_stems(question))
    weights = _idf(wanted, lines)
    total = sum(weights.values())
    if not lines or not total:
        return ExtractiveAnswer(answered=False)
    scores = _smoothed(lines, _bm25(lines, weights))
    best = max(range(len(lines)), key=lambda i: (scores[i], -i))
    coverage = _coverage(lines, best, weights) / total
    if coverage < COVERED:
        return ExtractiveAnswer(answered=False, coverage=coverage)
    chosen = _choose(lines, scores, passages)
    return ExtractiveAnswer(True, chosen, " ".join(f"{s.text} [{s.n}]" for s in chosen), coverage)


def _lines(at: int, passage: Passage) -> list[_Line]:
    lines = []
    for span in split_sentences(passage.text):
        stems = content_stems(passage.text[span.start : span.end])
        if stems:
            lines.append(_Line(at, span, Counter(stems)))
    return lines


def _idf(wanted: set[str], lines: Sequence[_Line]) -> dict[str, float]:
    """Weigh the question's stems by rarity among the sentences; one that stands nowhere weighs most."""
    count = len(lines)
    found = Counter(stem for line in lines for stem in line.stems if stem in wanted)
    return {stem: math.log(1 + (count - found[stem] + 0.5) / (found[stem] + 0.5)) for stem in wanted}


def _bm25(lines: Sequence[_Line], weights: dict[str, float]) -> list[float]:
    mean = sum(line.stems.total() for line in lines) / len(lines)
    scores = []
    for line in lines:
        norm = K1 * (1 - B + B * line.stems.total() / mean)
        held = ((weight, line.stems[stem]) for stem, weight in weights.items() if stem in line.stems)
        scores.append(sum(weight * tf * (K1 + 1) / (tf + norm) for weight, tf in held))
    return scores


def _smoothed(lines: Sequence[_Line], scores: Sequence[float]) -> list[float]:
    """Let neighbours in the same passage lend their score."""
    smoothed = []
    for at, score in enumerate(scores):
        beside = (i for i in (at - 1, at + 1) if 0 <= i < len(lines) and lines[i].passage == lines[at].passage)
        smoothed.append(score + NEIGHBOUR * max((scores[i] for i in beside), default=0.0))
    return smoothed


def _coverage(lines: Sequence[_Line], best: int, weights: dict[str, float]) -> float:
    """The weight of the question's stems within the best sentence and its neighbours in its passage."""
    around = [line for line in lines[max(0, best - 1) : best + 2] if line.passage == lines[best].passage]
    return sum(weight for stem, weight in weights.items() if any(stem in line.stems for line in around))


def _choose(
    lines: Sequence[_Line], scores: Sequence[float], passages: Sequence[Passage]
) -> tuple[ExtractedSentence, ...]:
    ranked = sorted(range(len(lines)), key=lambda i: (-scores[i], i))
    floor = scores[ranked[0]] * NEAR
    taken: list[int] = []
    used = 0
    for i in ranked:
        length = lines[i].span.end - lines[i].span.start
        if scores[i] < floor or len(taken) == MOST_SENTENCES:
            break
        if (taken and used + length > MOST_CHARS) or any(_same(lines[i], lines[j]) for j in taken):
            continue
        taken.append(i)
        used += length + len(" [99] ")
    return _in_reading_order(taken, lines, scores, passages)


def _same(one: _Line, other: _Line) -> bool:
    common = (one.stems & other.stems).total()
    return common >= SAME * min(one.stems.total(), other.stems.total())


def _in_reading_order(
    taken: Sequence[int], lines: Sequence[_Line], scores: Sequence[float], passages: Sequence[Passage]
) -> tuple[ExtractedSentence, ...]:
    """Best source first, and within a source as it was written."""
    rank: dict[int, int] = {}
    for place, i in enumerate(taken):
        rank.setdefault(passages[lines[i].passage].chunk.source_id, place)

    def key(i: int) -> tuple[int, int]:
        passage = passages[lines[i].passage]
        return rank[passage.chunk.source_id], passage.start + lines[i].span.start

    return tuple(_sentence(lines[i], scores[i], passages) for i in sorted(taken, key=key))


def _sentence(line: _Line, score: float, passages: Sequence[Passage]) -> ExtractedSentence:
    passage = passages[line.passage]
    text = " ".join(passage.text[line.span.start : line.span.end].split())
    return ExtractedSentence(text[:MOST_CHARS], passage.n, line.span.start, line.span.end, score)
