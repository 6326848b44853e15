"""Does a passage hold a statement: compared word by word, without a model.

A statement is verbatim when it stands in the passage letter by letter (after normalisation) with no negation left
out; supported when enough of its content words stand together in at most three sentences, all of its numbers and
names are there and nothing is turned round; otherwise not found. A meaning-based similarity may be given to accept
paraphrases and other languages; it never overrules numbers, names and negations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.evidence.facts import names_missing, numbers_missing
from core.evidence.polarity import contradicts, polarity
from core.evidence.quotes import Normalized, leaves_out_negation, locate, normalize_for_match
from core.evidence.sentences import Span, split_sentences
from core.evidence.words import REPORTING, content_stems
from core.model.answer import Verdict

Similarity = Callable[[str, str], float]
"""Statement and source sentence to a calibrated similarity in [0, 1]."""

COVERAGE = 0.6
"""Share of the content stems that must stand in the window."""
COVERAGE_SHORT = 0.75
"""The same for statements of fewer than SHORT content stems, where one word is the whole fact."""
SHORT = 5
WINDOW = 3
"""Sentences in a row that may support one statement together."""
WIDER = 0.04
"""What a further sentence in the window costs, so that the shortest sufficient quote wins."""
CANDIDATES = 5
"""Best windows that are checked for facts and negations."""
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


class PreparedPassage:
    """A passage text with what judging needs, worked out once.

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

    def windows(self) -> Iterator[tuple[int, int]]:
        """Give all runs of at most WINDOW sentences as index ranges."""
        for first in range(len(self.sentences)):
            for last in range(first + 1, min(first + WINDOW, len(self.sentences)) + 1):
                yield first, last

    def span(self, first: int, last: int) -> Span:
        """The character range of the sentences `[first, last)`."""
        return Span(self.sentences[first].start, self.sentences[last - 1].end)


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
    literal = _verbatim(statement, passage)
    if literal:
        return Judgement(Verdict.VERBATIM, at, *literal, 1.0)
    stems = statement_stems(statement)
    ranked = sorted(_scored(stems, passage), key=lambda scored: (-scored[0], scored[1]))[:CANDIDATES]
    quotes_hold = _quotes_hold(statement, passage)
    for score, (first, last) in ranked:
        span = passage.span(first, last)
        coverage = score + WIDER * (last - first - 1)
        if quotes_hold and _holds(statement, passage, span, _enough(stems, coverage), similar):
            return Judgement(Verdict.SUPPORTED, at, *span, coverage)
    if not ranked:
        return Judgement(Verdict.NOT_FOUND, at, 0, 0, 0.0)
    return Judgement(Verdict.NOT_FOUND, at, *passage.span(*ranked[0][1]), ranked[0][0])


def _verbatim(statement: str, passage: PreparedPassage) -> Span | None:
    """The sentences round the statement if it stands there literally and whole in its meaning."""
    if len(statement_stems(statement)) < 2:
        return None
    found = locate(statement, passage.normalized)
    if found is None or leaves_out_negation(found, passage.text):
        return None
    touched = [s for s in passage.sentences if s.end > found.start and s.start < found.end]
    return Span(touched[0].start, touched[-1].end) if touched else found


def _scored(stems: frozenset[str], passage: PreparedPassage) -> Iterator[tuple[float, tuple[int, int]]]:
    if not stems:
        return
    for first, last in passage.windows():
        held = stems.intersection(*[frozenset[str]().union(*passage.stems[first:last])])
        yield len(held) / len(stems) - WIDER * (last - first - 1), (first, last)


def _enough(stems: frozenset[str], coverage: float) -> bool:
    return bool(stems) and coverage + 1e-9 >= (COVERAGE if len(stems) >= SHORT else COVERAGE_SHORT)


def _holds(statement: str, passage: PreparedPassage, span: Span, enough: bool, similar: Similarity | None) -> bool:
    text = passage.text[span.start : span.end]
    if not enough and (similar is None or similar(statement, text) < SIMILAR):
        return False
    if numbers_missing(statement, text) or names_missing(statement, f"{passage.text}\n{passage.context}"):
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
    joined = "\n\n".join(p.text[j.start : j.end] for p, j in zip(passages, alone, strict=True))
    context = "\n".join(f"{p.text}\n{p.context}" for p in passages)
    together = PreparedPassage(joined, context)
    stems = statement_stems(statement)
    coverage = len(stems & frozenset(content_stems(joined))) / max(1, len(stems))
    each_adds = all(j.coverage > 0 for j in alone)
    whole = Span(0, len(joined))
    return (
        each_adds
        and _quotes_hold(statement, together)
        and _holds(statement, together, whole, _enough(stems, coverage), None)
    )


def _supported(judgement: Judgement) -> Judgement:
    return Judgement(Verdict.SUPPORTED, judgement.passage, judgement.start, judgement.end, judgement.coverage)
