"""Does a passage hold a statement.

Verbatim: it stands in the passage letter by letter (after normalisation) with no negation left out. Supported: enough
of its content words stand together in at most three sentences, all of its numbers and names are there and nothing is
turned round; or a sentence means the same, if a similarity of meaning is given. Otherwise it is not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.evidence.lexical import best_windows, hold_together, supporting_window, verbatim_window
from core.evidence.meaning import Similarity, nearest_sentence
from core.evidence.prepared import PreparedPassage, PreparedStatement
from core.model.answer import Verdict

STRENGTH = {Verdict.NOT_FOUND: 0, Verdict.SUPPORTED: 1, Verdict.VERBATIM: 2}
"""Order of verdicts."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a statement fared: the verdict and the best span, relative to the text of passage number `passage`.

    `coverage` is the share of the statement that the span holds, in [0, 1].
    """

    verdict: Verdict
    passage: int
    start: int
    end: int
    coverage: float

    @property
    def strength(self) -> tuple[int, float]:
        """To compare judgements by."""
        return STRENGTH[self.verdict], self.coverage


NOTHING = Judgement(Verdict.NOT_FOUND, 0, 0, 0, 0.0)
"""The judgement on a statement without a passage."""


def judge_statement(statement: str, passages: Sequence[str], similar: Similarity | None = None) -> Judgement:
    """Compare a statement with the passages it cites and give the strongest judgement, the first of equals.

    Args:
        statement: One sentence without citation marks; Markdown is ignored.
        passages: Texts of the cited passages; none gives NOT_FOUND.
        similar: Optional similarity of meaning.
    """
    prepared = [PreparedPassage(text) for text in passages]
    judgements = judge_each(PreparedStatement(statement), prepared, similar)
    return max(judgements, key=lambda judgement: judgement.strength, default=NOTHING)


def judge_each(
    statement: PreparedStatement, passages: Sequence[PreparedPassage], similar: Similarity | None = None
) -> list[Judgement]:
    """Judge a statement against each passage it cites; those that hold it only together support it together."""
    alone = [_judge(statement, passage, at, similar) for at, passage in enumerate(passages)]
    if len(alone) < 2 or any(j.verdict is not Verdict.NOT_FOUND or not j.coverage for j in alone):
        return alone
    texts = [passage.text[j.start : j.end] for passage, j in zip(passages, alone, strict=True)]
    if not hold_together(statement, texts, [passage.context for passage in passages]):
        return alone
    return [replace(judgement, verdict=Verdict.SUPPORTED) for judgement in alone]


def _judge(statement: PreparedStatement, passage: PreparedPassage, at: int, similar: Similarity | None) -> Judgement:
    windows = best_windows(statement, passage)
    if not windows:
        return replace(NOTHING, passage=at)
    verbatim = verbatim_window(statement, passage, windows)
    if verbatim:
        return Judgement(Verdict.VERBATIM, at, *verbatim, 1.0)
    supporting = supporting_window(statement, passage, windows)
    if supporting is None and similar is not None:
        supporting = nearest_sentence(statement, passage, similar)
    if supporting:
        return Judgement(Verdict.SUPPORTED, at, *supporting[1], supporting[0])
    return Judgement(Verdict.NOT_FOUND, at, *windows[0][1], windows[0][0])
