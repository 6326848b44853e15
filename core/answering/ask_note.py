"""Words that were taken for the heading of what followed are asked after all."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.answering.ask_question import AskQuestion
from core.library.access import allowed_notebook
from core.library.burst_status import burst_of
from core.model.answer import Question
from core.model.ids import BurstId, ReplyTo
from core.model.user import Caller
from core.ports import Transactions


@dataclass(frozen=True, slots=True)
class AskNote:
    """Ask a burst's note once the first of its sources has been read."""

    transactions: Transactions
    ask: AskQuestion

    async def __call__(self, caller: Caller, burst_id: BurstId, reply_to: ReplyTo, *, now: datetime) -> Question:
        """Return the queued question.

        Raises:
            UserError: `burst-gone`, no right to read there, or `question-empty` without such words.
        """
        async with self.transactions() as tx:
            burst = await burst_of(tx, caller, burst_id)
            await allowed_notebook(tx, caller, burst.notebook_id)
            sources = await tx.sources.of_burst(burst_id)
            there = replace(caller, notebook_id=burst.notebook_id)
            after = sources[0].id if sources else None
            return await self.ask(there, burst.remarks.note, reply_to, now=now, after=after)
