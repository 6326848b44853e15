"""A question is answered: searched, written, checked, told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from core.answering.compose_answer import ComposeAnswer, Composition
from core.answering.extractive import MODEL_NAME as EXTRACTIVE
from core.answering.locate import locate
from core.answering.wait_to_answer import Scope, scope_of, seconds_to_wait
from core.answering.write_answer import refusal
from core.billing.quota import Request, prompts_left, reference_of
from core.errors import PermanentError, TransientError, UserError
from core.library.lease import Backoff, LeaseLost, LeaseTerms, hold
from core.model.answer import Answer, Question, QuestionState
from core.model.ids import ChatId, PersonId, QuestionId
from core.model.user import Chat
from core.ports import Drafts, Notifier, Transaction, Transactions

log = structlog.get_logger()

HISTORY_TURNS = 4


@dataclass(slots=True)
class _Work:
    """One try at one question."""

    question: Question
    chat: Chat
    making: Composition
    reading: int
    answerable: int
    drafts: Drafts


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer one question row, once, under a lease of it; whatever fails, its person gets one final message."""

    transactions: Transactions
    compose: ComposeAnswer
    notifier: Notifier
    terms: LeaseTerms
    backoff: Backoff
    clock: Callable[[], datetime]

    async def __call__(self, question_id: QuestionId) -> float | None:
        """Answer it, or find that there is nothing to do.

        Returns:
            Seconds after which it should be tried again; None when it has ended or is another's.
        """
        work = await self._take(question_id)
        if not isinstance(work, _Work):
            return work
        try:
            return await self._try(work)
        except asyncio.CancelledError:  # this worker is told to end: another one need not wait for the lease to run out
            async with self.transactions() as tx:
                await tx.questions.release(question_id, self.terms.owner)
            raise
        finally:
            await work.drafts.close()

    async def _try(self, work: _Work) -> float | None:
        try:
            async with hold(lambda: self._beat(work), self.terms):
                answer = await self._answer(work)
            await self._finish(work, answer)
        except LeaseLost:
            await self._stop(work)
        except TransientError as error:
            return await self._postpone(work, error)
        except PermanentError as error:
            log.error("question_failed", question_id=work.question.id, text_key=error.text_key)
            await self._fail(work.question, error.text_key, error.values)
        return None

    async def give_up(self, question_id: QuestionId) -> None:
        """End a question whose answering broke in a way nobody foresaw."""
        async with self.transactions() as tx:
            question = await tx.questions.get(question_id)
        if question is not None:
            await self._fail(question, "error-generic", {})

    async def _take(self, question_id: QuestionId) -> _Work | float | None:
        """Take a question to be answered; the seconds until it may be; or None."""
        async with self.transactions() as tx:
            asked = await tx.questions.get(question_id)
            if asked is None:
                return None
            if wait_s := await seconds_to_wait(tx, asked, now=self.clock()):
                return wait_s
            question = await tx.questions.lease(
                question_id, self.terms.owner, now=self.clock(), seconds=self.terms.seconds
            )
            if question is None:
                return None
            if self.backoff(question.tries - 1) is None:  # it killed its worker every time
                await self._fail(question, "error-generic", {})
                return None
            if await tx.questions.cancel_requested(question_id):  # stopped before it began
                await self._fail(question, "asking-stopped", {}, state=QuestionState.CANCELLED)
                return None
            try:
                scope = await scope_of(tx, question)
            except UserError as error:
                await self._fail(question, error.text_key, error.values)
                return None
            return await self._begin(tx, question, scope)

    async def _begin(self, tx: Transaction, question: Question, scope: Scope) -> _Work:
        chat = await tx.people.get_chat(ChatId(question.chat_id))
        assert chat is not None  # questions are deleted with their chat
        history = await tx.questions.history(chat.id, question.thread_id, question.notebook_id, HISTORY_TURNS)
        return _Work(
            question=question,
            chat=chat,
            making=Composition(question, history, only=scope.only),
            reading=await tx.sources.being_read(question.notebook_id),
            answerable=await tx.sources.answerable(question.notebook_id),
            drafts=self.notifier.drafts(question, chat),
        )

    async def _answer(self, work: _Work) -> Answer:
        """Answer from what it was written under, and from the notebook when that does not hold it."""
        await work.drafts.show("")
        if not work.answerable:  # no model needs to be asked what nothing says
            return replace(refusal(0, EXTRACTIVE), reading=work.reading)
        answer = await self._compose(work)
        if not answer.answered and work.making.only and work.answerable > 1:
            work.making.only = ()
            answer = await self._compose(work)
        return replace(answer, reading=work.reading)

    async def _compose(self, work: _Work) -> Answer:
        tries = work.question.tries
        return await self.compose(work.making, work.drafts.show, try_again=lambda: self.backoff(tries) is not None)

    async def _beat(self, work: _Work) -> bool:
        """Keep the lease, see whether a stop was asked for, keep the draft alive."""
        async with self.transactions() as tx:
            until = self.terms.until(self.clock())
            kept = await tx.questions.renew(work.question.id, self.terms.owner, until=until)
        if kept:
            await work.drafts.show(work.making.text)
        return kept

    async def _finish(self, work: _Work, answer: Answer) -> None:
        """Make the answer, its citations, its price and its message true at once."""
        question = work.question
        reference = reference_of(Request.ANSWER, question.id)
        model = self.compose.model
        by_model = model is not None and answer.model == model.name
        state = QuestionState.ANSWERED if answer.answered else QuestionState.REFUSED
        async with self.transactions() as tx:
            if question.person_id is not None:  # before the question: whoever stops it holds the account already
                await tx.ledger.lock(PersonId(question.person_id))
            cited = {item.source_id for item in answer.citations}
            if await tx.sources.standing(question.notebook_id, cited) != cited:
                raise TransientError("source-gone")  # deleted meanwhile: answered again without it
            answer = replace(answer, citations=await locate(tx, question.notebook_id, answer.citations))
            answer_id = await tx.questions.finish(question.id, state, answer)
            if answer_id is None:
                return
            await (tx.ledger.spend(reference) if by_model else tx.ledger.give_back(reference))
            if model is not None and question.person_id is not None:
                left = await prompts_left(tx, PersonId(question.person_id), now=self.clock())
                answer = replace(answer, prompts_left=left.left)
            await self.notifier.answered(tx, question, answer_id, answer)

    async def _stop(self, work: _Work) -> None:
        """End a stopped question with what was written; a lease lost to another worker is theirs to end."""
        async with self.transactions() as tx:
            if not await tx.questions.cancel_requested(work.question.id):
                return
        answer = await self.compose.stopped(work.making)
        if answer is not None:
            await self._finish(work, answer)
            return
        await self._fail(work.question, "asking-stopped", {}, state=QuestionState.CANCELLED)

    async def _postpone(self, work: _Work, error: TransientError) -> float | None:
        delay = self.backoff(work.question.tries)
        if delay is None:
            await self._fail(work.question, error.text_key, error.values)
            return None
        async with self.transactions() as tx:
            retry_at = self.clock() + timedelta(seconds=delay)
            await tx.questions.release(work.question.id, self.terms.owner, retry_at=retry_at)
        return delay

    async def _fail(
        self,
        question: Question,
        text_key: str,
        values: dict[str, str | int],
        *,
        state: QuestionState = QuestionState.FAILED,
    ) -> None:
        async with self.transactions() as tx:
            if await tx.questions.end(question.id, state):
                await tx.ledger.give_back(reference_of(Request.ANSWER, question.id))
                await self.notifier.question_failed(tx, question, text_key, values)
