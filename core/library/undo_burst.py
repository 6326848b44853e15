"""What was just sent is taken back, read or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.billing.quota import Request, reference_of
from core.errors import UserError
from core.library.access import WRITE, allowed_notebook
from core.library.burst_status import burst_of, is_callers, tell_burst
from core.model.answer import QuestionState
from core.model.ids import BurstId
from core.model.source import Source
from core.model.user import Caller
from core.ports import BlobStore, Burst, Notifier, Transaction, Transactions

UNDO_S = 600.0
"""As long as somebody may notice what went where it does not belong; later a source is deleted in its own card."""


def may_undo(burst: Burst, *, now: datetime) -> bool:
    """Tell whether a burst is young enough to be taken back."""
    return now - burst.created_at <= timedelta(seconds=UNDO_S)


@dataclass(frozen=True, slots=True)
class UndoBurst:
    """Delete the sources of a burst with all that was made of them, and their originals."""

    transactions: Transactions
    blobs: BlobStore
    notifier: Notifier

    async def __call__(self, caller: Caller, burst_id: BurstId, *, now: datetime) -> int:
        """Return how many were taken back; what is being read is stopped by the loss of its row.

        Raises:
            UserError: `burst-gone`, `undo-too-late`, `undo-nothing`, or `source-not-yours` in a group.
        """
        async with self.transactions() as tx:
            await tx.people.lock_chat(caller.chat.id)
            burst = await burst_of(tx, caller, burst_id)
            await allowed_notebook(tx, caller, burst.notebook_id, WRITE)
            if not may_undo(burst, now=now):
                raise UserError("undo-too-late")
            mine = await self._mine(tx, caller, burst)
            await self._end_questions(tx, burst, mine)
            for source in mine:
                await tx.sources.delete(source.notebook_id, source.id)
            await tx.bursts.take_back(burst.id, len(mine))
            await tx.bursts.take_links(burst.id)
            await tell_burst(tx, self.notifier, burst.id)
            keys = [source.original_key for source in mine if source.original_key]
            tx.after_commit(lambda: self.blobs.delete(keys))
            return len(mine)

    async def _mine(self, tx: Transaction, caller: Caller, burst: Burst) -> list[Source]:
        held = await tx.sources.lock_burst(burst.id)
        if not held:
            raise UserError("undo-nothing")
        mine = [source for source in held if is_callers(caller, source)]
        if not mine:
            raise UserError("source-not-yours")
        return mine

    async def _end_questions(self, tx: Transaction, burst: Burst, sources: Sequence[Source]) -> None:
        """End what was asked under them, without a word: who takes the file back takes back the question."""
        ids = [source.id for source in sources]
        for question in await tx.questions.waiting_for(burst.notebook_id, ids):
            if await tx.questions.end(question.id, QuestionState.CANCELLED):
                await tx.ledger.give_back(reference_of(Request.ANSWER, question.id))
