"""An answer without a language model: the passages' best sentences, quoted and cited.

Whether to answer at all is
decided by how much of the question one place covers: a question whose words stand nowhere together is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.sentence_scores import Line, covered_weight, read_sentences, score_sentences, weigh_question
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
    lines = read_sentences(passages)
    weights = weigh_question(question, lines)
    total = sum(weights.values())
    if not lines or not total:
        return ExtractiveAnswer(answered=False)
    coverage = max(covered_weight(lines, at, weights) for at in range(len(lines))) / total
    if coverage < COVERED.get(language, COVERED["ru"]):
        return ExtractiveAnswer(answered=False, coverage=coverage)
    chosen = _choose(lines, score_sentences(lines, weights), passages)
    return ExtractiveAnswer(True, chosen, " ".join(f"{s.text} [{s.n}]" for s in chosen), coverage)


def _choose(
    lines: Sequence[Line], scores: Sequence[float], passages: Sequence[Passage]
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


def _same(one: Line, other: Line) -> bool:
    common = (one.stems & other.stems).total()
    return common >= SAME * min(one.stems.total(), other.stems.total())


def _in_reading_order(
    taken: Sequence[int], lines: Sequence[Line], scores: Sequence[float], passages: Sequence[Passage]
) -> tuple[ExtractedSentence, ...]:
    """Best source first, and within a source as it was written."""
    rank: dict[int, int] = {}
    for place, i in enumerate(taken):
        rank.setdefault(passages[lines[i].passage].chunk.source_id, place)

    def key(i: int) -> tuple[int, int]:
        passage = passages[lines[i].passage]
        return rank[passage.chunk.source_id], passage.start + lines[i].span.start

    return tuple(_sentence(lines[i], scores[i], passages) for i in sorted(taken, key=key))


def _sentence(line: Line, score: float, passages: Sequence[Passage]) -> ExtractedSentence:
    passage = passages[line.passage]
    start, end = line.span
    cut = end - start > LONGEST
    if cut:
        space = passage.text.rfind(" ", start, start + LONGEST)
        end = space if space > start else start + LONGEST
    text = " ".join(passage.text[start:end].split()) + "…" * cut
    return ExtractedSentence(text, passage.n, start, end, score)


def join_neighbours(
    sentences: Sequence[ExtractedSentence], passages: Sequence[Passage]
) -> tuple[ExtractedSentence, ...]:
    """Join sentences that follow each other in one passage.

    Args:
        sentences: In reading order, as `extract_answer` gives them.
        passages: Those they were taken from, `n` counting from 1.

    Returns:
        Each run once, with the score of its best sentence, best first.
    """
    runs: list[ExtractedSentence] = []
    for sentence in sentences:
        last = runs[-1] if runs else None
        if (
            last is not None
            and last.n == sentence.n
            and not passages[last.n - 1].text[last.end : sentence.start].strip()
        ):
            score = max(last.score, sentence.score)
            text = f"{last.text} {sentence.text}"
            runs[-1] = ExtractedSentence(text, last.n, last.start, sentence.end, score)
        else:
            runs.append(sentence)
    return tuple(sorted(runs, key=lambda run: -run.score))


def _adjoin(one: ExtractedSentence, other: ExtractedSentence, passages: Sequence[Passage]) -> bool:
    return one.n == other.n and not passages[one.n - 1].text[one.end : other.start].strip()
