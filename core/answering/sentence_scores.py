"""Scores for the sentences of passages against a question, by BM25 over stems.

Document frequencies are those of the given passages; a sentence gains from its neighbours, its passage and the title
above it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

from core.evidence.facts import names
from core.evidence.sentences import Span, split_sentences
from core.evidence.words import content_stems, stem, stem_set, tokens
from core.model.answer import Passage

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
MENDED_FROM = 5
"""Letters of a stem from which one slip of the finger is forgiven."""
K1, B = 1.2, 0.75
"""BM25's usual constants; they hardly matter here."""

_NOT_PROSE = re.compile(r"[ \t]*(?:#|\||```|~~~|!\[)")
"""How a line begins that is a heading, a row of a table, code or a picture: it states no answer."""
_QUESTION = re.compile(r"[?？]\W*$|```")

_GENERIC = stem_set(
    "назвать называется называлась назывался называют зовут звали находится находятся расположен год году годах годы "
    "город страна страны человек имя фамилия количество стал стала носит произошло случилось значит означает бывает "
    "нужно name named called year kind type person people place happened located mean means used use"
)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a passage with its stems and those of the title and headings above it."""

    passage: int
    span: Span
    stems: Counter[str]
    above: frozenset[str]


def read_sentences(passages: Sequence[Passage]) -> list[Line]:
    """List what can be quoted of all passages in order.

    Headings, table rows, code, questions and what has no content word cannot.
    """
    return [line for at, passage in enumerate(passages) for line in _lines(at, passage)]


def _lines(at: int, passage: Passage) -> list[Line]:
    lines = []
    above = frozenset(content_stems(" ".join((passage.chunk.title, *passage.chunk.headings))))
    for span in split_sentences(passage.text):
        written = passage.text[span.start : span.end]
        stems = content_stems(written)
        line_start = passage.text.rfind("\n", 0, span.start) + 1
        quotable = not _NOT_PROSE.match(passage.text, line_start) and not _QUESTION.search(written)
        if stems and quotable:
            lines.append(Line(at, span, Counter(stems), above))
    return lines


def weigh_question(question: str, lines: Sequence[Line]) -> dict[str, float]:
    """Weigh the question's stems by rarity among the passages; one that stands nowhere weighs most."""
    held: dict[int, set[str]] = {}
    for line in lines:
        held.setdefault(line.passage, set()).update(line.stems)
    named = names(question) | {stem(token.lower) for token in tokens(question) if token.is_number}
    vocabulary = set[str]().union(*held.values())
    weights: dict[str, float] = {}
    for asked in dict.fromkeys(content_stems(question)):
        word = asked if asked in vocabulary else _mended(asked, vocabulary)
        found = sum(word in stems for stems in held.values())
        rarity = math.log(1 + (len(held) - found + 0.5) / (found + 0.5)) + 0.5
        weights[word] = rarity * (NAME_WEIGHT if word in named else GENERIC_WEIGHT if word in _GENERIC else 1.0)
    return weights


def _mended(word: str, vocabulary: Set[str]) -> str:
    """Take a word that stands nowhere for the one that it misspells by one letter, if there is such."""
    if len(word) < MENDED_FROM or word[0].isdecimal():
        return word
    return min((other for other in vocabulary if _one_slip(word, other)), default=word)


def _one_slip(one: str, other: str) -> bool:
    """Tell whether one letter more, less or else, or two letters swapped, lie between two words."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, other_rest = one[start:], other[start:]
    if len(one) == len(other):
        return rest[1:] == other_rest[1:] or (rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:])
    return rest[1:] == other_rest if len(one) > len(other) else rest == other_rest[1:]


def score_sentences(lines: Sequence[Line], weights: dict[str, float]) -> list[float]:
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


def _bm25(lines: Sequence[Line], weights: dict[str, float]) -> list[float]:
    mean = sum(line.stems.total() for line in lines) / len(lines)
    scores = []
    for line in lines:
        norm = K1 * (1 - B + B * line.stems.total() / mean)
        held = ((weight, line.stems[word]) for word, weight in weights.items() if word in line.stems)
        scores.append(sum(weight * tf * (K1 + 1) / (tf + norm) for weight, tf in held))
    return scores


def _whole(lines: Sequence[Line], weights: dict[str, float]) -> dict[int, float]:
    """Score each passage by what it holds of the question, repetitions counting less and less."""
    counts: dict[int, Counter[str]] = {}
    for line in lines:
        counts.setdefault(line.passage, Counter()).update(line.stems)
    return {
        passage: sum(weight * count[word] / (count[word] + 1) for word, weight in weights.items())
        for passage, count in counts.items()
    }


def covered_weight(lines: Sequence[Line], at: int, weights: dict[str, float]) -> float:
    """The weight of the question's stems within a sentence, its neighbours and what stands above them."""
    around = [line for line in lines[max(0, at - 1) : at + 2] if line.passage == lines[at].passage]
    held = lines[at].above.union(*(line.stems for line in around))
    return sum(weight for word, weight in weights.items() if word in held)
