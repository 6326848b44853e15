"""What a burst's status message tells of sources that are read: questions to begin with, and in short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.model.ids import NotebookId, SourceId
from core.model.insight import QUESTION_COUNT, QUESTIONS, SUMMARY, questions_of
from core.model.source import Source
from core.ports import Burst, BurstStatus, Transaction
from core.ports.face import Suggestion


async def status_of(tx: Transaction, burst: Burst) -> BurstStatus:
    """Load what a burst's status message shows now."""
    notebook = await tx.notebooks.get(burst.notebook_id)
    members = tuple(await tx.sources.of_burst(burst.id))
    suggestions, gist = await _told_of(tx, members)
    return BurstStatus(burst, notebook.title if notebook else "", members, suggestions, gist)


async def _told_of(tx: Transaction, members: Sequence[Source]) -> tuple[tuple[Suggestion, ...], str]:
    """Load suggestions once nothing is being read any more, and the summary of a single source."""
    answering = [source for source in members if source.state.answers and not source.muted]
    if not answering or not all(source.state.ended for source in members):
        return (), ""
    ids = [source.id for source in answering]
    notebook_id = answering[0].notebook_id
    questions = await tx.insights.of_kind(notebook_id, ids, QUESTIONS)
    gist = await tx.insights.of_kind(notebook_id, ids, SUMMARY) if len(ids) == 1 else {}
    return spread_suggestions(notebook_id, ids, questions), gist.get(ids[0], "")


def spread_suggestions(
    notebook_id: NotebookId, source_ids: Sequence[SourceId], stored: Mapping[SourceId, str]
) -> tuple[Suggestion, ...]:
    """Choose at most QUESTION_COUNT questions: the first of each source, then the second ones, and so on.

    Args:
        notebook_id: Where the sources are.
        source_ids: In the order in which they came.
        stored: The questions of those that have any, one a line.

    Returns:
        Different questions in that order.
    """
    chosen: dict[str, Suggestion] = {}
    for ordinal in range(QUESTION_COUNT):
        for source_id in source_ids:
            question = _nth(stored.get(source_id, ""), ordinal)
            if question and len(chosen) < QUESTION_COUNT:
                chosen.setdefault(question.casefold(), Suggestion(notebook_id, source_id, ordinal, question))
    return tuple(chosen.values())


def _nth(stored: str, ordinal: int) -> str:
    questions = questions_of(stored)
    return questions[ordinal] if ordinal < len(questions) else ""
