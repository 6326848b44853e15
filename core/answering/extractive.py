"""An answer without a language model: the passages' best sentences, quoted and cited.

Sentences are ranked by BM25 over stems with document frequencies from the given passages, with something for their
neighbours, their passage and the title above them. Whether to answer at all is
decided by how much of the question one place covers: a question whose words stand nowhere together is refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.evidence.facts import names
from core.evidence.sentences import Span, split_sentences
from core.evidence.words import content_stems, stem, stem_set, tokens
from core.model.answer import Passage

MODEL_NAME = "extractive"
"""What `Answer.model` says for such an answer."""

MOST_SENTENCES = 5
"""Sentences of an answer: what a phone shows without scrolling."""
MOST_CHARS = 900
"""Characters of an answer, for the same reason."""
LONGEST = MOST_CHARS - len("… [999]")
"""Characters of one sentence; a longer one, mostly a table or a text without points, is cut at a space."""
COVERED = {"ru": 0.31, "en": 0.38}
"""Share of the question's weighted content stems that the best place must hold; below it the question is refused.
On 240 paragraphs this answers 0.95 of what they hold and refuses 0.91 of what they do not. Russian questions are more
inflected, so that fewer of their stems match. Other languages are measured by the lower one."""
NEAR = 0.4
"""A further sentence is taken if it scores at least this share of the best one."""
SAME = 0.7
"""Share of stems in common from which two sentences say the same."""
NEIGHBOUR = 0.3
"""What a sentence gains from the better one beside it: an answer often stands next to the question's words."""
WHOLE = 0.4
"""What a sentence gains from its passage as a whole."""
TITLE = 0.8
"""What a word counts that only the title or headings hold: a page about X seldom repeats X in every sentence."""
NAME_WEIGHT = 2.0
"""Names and numbers of the question decide whether a place is about it."""
GENERIC_WEIGHT = 0.3
"""Words that questions are made of ("как называется", "в каком году") say little about the place."""
K1, B = 1.2, 0.75
"""BM25's usual constants; they hardly matter here."""

_GENERIC = stem_set(
    "назвать называется называлась назывался называют зовут звали находится находятся расположен год году годах годы "
    "город страна страны человек имя фамилия количество стал стала носит произошло случилось значит означает бывает "
    "нужно name named called year kind type person people place happened located mean means used use"
)


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
    """A sentence of a passage with its stems and those of the title and headings above it."""

    passage: int
    span: Span
    stems: Counter[str]
    above: frozenset[str]


def extract_answer(question: str, passages: Sequence[Passage], language: str = "ru") -> ExtractiveAnswer:
    """Answer a question with the best sentences of the passages.

    Args:
        question: What the person asks.
        passages: What retrieval found, best first.
        language: Two-letter code of the question's language; sentences stay in their source's whatever it is.

    Returns:
        At most MOST_SENTENCES sentences and MOST_CHARS characters, each source's in document order; not answered if
        no place covers the question.
    """
    lines = [line for at, passage in enumerate(passages) for line in _lines(at, passage)]
    weights = _weights(question, lines)
    total = sum(weights.values())
    if not lines or not total:
        return ExtractiveAnswer(answered=False)
    coverage = max(_covered(lines, at, weights) for at in range(len(lines))) / total
    if coverage < COVERED.get(language, COVERED["ru"]):
        return ExtractiveAnswer(answered=False, coverage=coverage)
    chosen = _choose(lines, _scores(lines, weights), passages)
    return ExtractiveAnswer(True, chosen, " ".join(f"{s.text} [{s.n}]" for s in chosen), coverage)


def _lines(at: int, passage: Passage) -> list[_Line]:
    lines = []
    above = frozenset(content_stems(" ".join((passage.chunk.title, *passage.chunk.headings))))
    for span in split_sentences(passage.text):
        stems = content_stems(passage.text[span.start : span.end])
        if stems:
            lines.append(_Line(at, span, Counter(stems), above))
    return lines


def _weights(question: str, lines: Sequence[_Line]) -> dict[str, float]:
    """Weigh the question's stems by rarity among the passages; one that stands nowhere weighs most."""
    held: dict[int, set[str]] = {}
    for line in lines:
        held.setdefault(line.passage, set()).update(line.stems)
    named = names(question) | {stem(token.lower) for token in tokens(question) if token.is_number}
    weights = {}
    for word in dict.fromkeys(content_stems(question)):
        found = sum(word in stems for stems in held.values())
        rarity = math.log(1 + (len(held) - found + 0.5) / (found + 0.5)) + 0.5
        weights[word] = rarity * (NAME_WEIGHT if word in named else GENERIC_WEIGHT if word in _GENERIC else 1.0)
    return weights


def _scores(lines: Sequence[_Line], weights: dict[str, float]) -> list[float]:
    """Score each sentence by itself, its neighbours, its passage and what stands above it."""
    own = _bm25(lines, weights)
    whole = _whole(lines, weights)
    scores = []
    for at, line in enumerate(lines):
        beside = (i for i in (at - 1, at + 1) if 0 <= i < len(lines) and lines[i].passage == line.passage)
        neighbour = max((own[i] for i in beside), default=0.0)
        titled = sum(weight for word, weight in weights.items() if word in line.above and word not in line.stems)
        scores.append(own[at] + NEIGHBOUR * neighbour + WHOLE * whole[line.passage] + TITLE * titled)
    return scores


def _bm25(lines: Sequence[_Line], weights: dict[str, float]) -> list[float]:
    mean = sum(line.stems.total() for line in lines) / len(lines)
    scores = []
    for line in lines:
        norm = K1 * (1 - B + B * line.stems.total() / mean)
        held = ((weight, line.stems[word]) for word, weight in weights.items() if word in line.stems)
        scores.append(sum(weight * tf * (K1 + 1) / (tf + norm) for weight, tf in held))
    return scores


def _whole(lines: Sequence[_Line], weights: dict[str, float]) -> dict[int, float]:
    """Score each passage by what it holds of the question, repetitions counting less and less."""
    counts: dict[int, Counter[str]] = {}
    for line in lines:
        counts.setdefault(line.passage, Counter()).update(line.stems)
    return {
        passage: sum(weight * count[word] / (count[word] + 1) for word, weight in weights.items())
        for passage, count in counts.items()
    }


def _covered(lines: Sequence[_Line], at: int, weights: dict[str, float]) -> float:
    """The weight of the question's stems within a sentence, its neighbours and what stands above them."""
    around = [line for line in lines[max(0, at - 1) : at + 2] if line.passage == lines[at].passage]
    held = lines[at].above.union(*(line.stems for line in around))
    return sum(weight for word, weight in weights.items() if word in held)


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
    start, end = line.span
    cut = end - start > LONGEST
    if cut:
        space = passage.text.rfind(" ", start, start + LONGEST)
        end = space if space > start else start + LONGEST
    text = " ".join(passage.text[start:end].split()) + "…" * cut
    return ExtractedSentence(text, passage.n, start, end, score)
