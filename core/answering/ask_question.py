"""A person asks; the question becomes a row that a worker answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.answering.wait_to_answer import HOLD_S, SOURCE_WAIT_S
from core.billing.quota import Request, reserve
from core.errors import UserError
from core.jobs import AnswerQuestion
from core.library.access import allowed_notebook
from core.model.answer import Question
from core.model.ids import QuestionId, ReplyTo, SourceId
from core.model.user import Caller, ChatKind
from core.ports import Transaction, Transactions

QUESTION_LIMIT = 4000
"""Characters of a question; a longer text is something to keep, not to ask."""


@dataclass(frozen=True, slots=True)
class AskQuestion:
    """Record a question, take its price, send it to be answered.

    Attributes:
        has_model: A language model is configured; without one answers are extractive and cost nothing.
    """

    transactions: Transactions
    has_model: bool

    async def __call__(
        self,
        caller: Caller,
        text: str,
        reply_to: ReplyTo,
        *,
        now: datetime,
        hold: bool = False,
        after: SourceId | None = None,
    ) -> Question:
        """Return the queued question.

        At zero prompts, and for senders without an account, the answer is extractive.

        Args:
            caller: Who asks.
            text: The words.
            reply_to: Where the answer goes.
            now: The time.
            hold: The words may belong to what is sent next (`TakeIn` withdraws them then): they wait for it shortly.
            after: The source that they were written under: it is read first.

        Raises:
            UserError: Nothing was asked, too much was asked, or the notebook has nothing to answer from.
        """
        asked = text.strip()
        if not asked:
            raise UserError("question-empty")
        if len(asked) > QUESTION_LIMIT:
            raise UserError("question-too-long", {"limit": QUESTION_LIMIT})
        async with self.transactions() as tx:
            notebook = await allowed_notebook(tx, caller, caller.notebook_id)
            if not notebook.source_count and not hold:
                raise UserError("notebook-empty-group" if caller.chat.kind is ChatKind.GROUP else "notebook-empty")
            person_id = caller.person.id if caller.person else None
            place = (caller.chat.id, caller.thread_id)
            question = await tx.questions.add(notebook.id, person_id, reply_to, asked, caller.locale, place)
            await self._take_price(tx, caller, question, now)
            if hold:
                await tx.questions.hold(question.id, until=now + timedelta(seconds=HOLD_S))
            if after is not None:
                await tx.questions.wait_for(question.id, after, until=now + timedelta(seconds=SOURCE_WAIT_S))
            tx.publish(AnswerQuestion(question.id))
            return question

    async def _take_price(self, tx: Transaction, caller: Caller, question: Question, now: datetime) -> None:
        if not self.has_model or caller.person is None:
            return
        if await reserve(tx, caller.person.id, Request.ANSWER, question.id, now=now) is not None:
            await tx.questions.allow_model(question.id)


@dataclass(frozen=True, slots=True)
class BeginConversation:
    """Start afresh: follow-up questions lean on nothing said before."""

    transactions: Transactions

    async def __call__(self, caller: Caller) -> None:
        """Forget the exchanges of this chat or topic for what comes."""
        async with self.transactions() as tx:
            await tx.questions.begin_conversation(caller.chat.id, caller.thread_id)


@dataclass(frozen=True, slots=True)
class GetQuestion:
    """Load a person's own question."""

    transactions: Transactions

    async def __call__(self, caller: Caller, question_id: QuestionId) -> Question:
        """Return it, or raise `question-gone`."""
        async with self.transactions() as tx:
            question = await tx.questions.get(question_id)
            if question is None or caller.person is None or question.person_id != caller.person.id:
                raise UserError("question-gone")
            return question


@dataclass(frozen=True, slots=True)
class StopQuestion:
    """A person stops their own answer while it is written."""

    transactions: Transactions

    async def __call__(self, caller: Caller, question_id: QuestionId) -> bool:
        """Return False when it is over already, or another's; what was asked anonymously is nobody's to stop."""
        if caller.person is None:
            return False
        async with self.transactions() as tx:
            return await tx.questions.cancel(question_id, caller.person.id)
