"""When a question may be answered: held for a moment, or until what it was written under has been read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.errors import UserError
from core.model.answer import Question, QuestionState
from core.model.ids import SourceId
from core.model.source import Source, SourceState
from core.ports import Transaction

HOLD_S = 1.3
"""Words without a question mark may belong to files that follow: clients send those within a second."""
SOURCE_WAIT_S = 900.0
"""A question written under a file waits so long for it; a book of scans takes longer, and then its person is told."""
LOOK_AGAIN_S = (1.0, 10.0)
"""Between looks at such a file, least and most: a tenth of the time waited so far."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a question is answered from: these sources first, or the notebook."""

    only: tuple[SourceId, ...] = ()


async def seconds_to_wait(tx: Transaction, question: Question, *, now: datetime) -> float | None:
    """Say after how many seconds a question should be looked at again; None: now.

    No try is counted for it, and the row itself says so, for whoever sweeps.
    """
    if question.state is not QuestionState.QUEUED:  # ended, or another's
        return None
    if question.not_before is not None and question.not_before > now:
        return (question.not_before - now).total_seconds()
    source = await _awaited(tx, question)
    left = (question.waits_until - now).total_seconds() if question.waits_until else 0.0
    if source is None or source.state.ended or left <= 0:
        return None
    least, most = LOOK_AGAIN_S
    wait = min(max((SOURCE_WAIT_S - left) / 10, least), most)
    await tx.questions.hold(question.id, until=now + timedelta(seconds=wait))
    return wait


async def scope_of(tx: Transaction, question: Question) -> Scope:
    """Say what a question that need not wait any more is answered from.

    Raises:
        UserError: `caption-source-failed` with its reason shown elsewhere, `caption-source-late`.
    """
    source = await _awaited(tx, question)
    if source is None or _is_duplicate(source):  # gone with a container's members in its place, or here already
        return Scope()
    if source.state.answers:
        return Scope((source.id,))
    raise UserError("caption-source-failed" if source.state.ended else "caption-source-late")


async def _awaited(tx: Transaction, question: Question) -> Source | None:
    if question.waits_for is None:
        return None
    return await tx.sources.get(question.notebook_id, question.waits_for)


def _is_duplicate(source: Source) -> bool:
    failed = source.state is SourceState.FAILED and source.reason is not None
    return failed and source.reason is not None and source.reason.text_key == "source-duplicate"
