"""A question is answered: searched, written, checked, told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog

from core.answering.budget import budget, pack
from core.answering.gather import QUOTED_CHUNKS, gather
from core.answering.locate import locate
from core.answering.write_answer import WrittenAnswer, quote_answer
from core.billing.quota import Request, prompts_left, reference_of
from core.errors import PermanentError, TransientError
from core.evidence.words import content_stems
from core.library.lease import LeaseLost, LeaseTerms, hold
from core.model.answer import Answer, Question, QuestionState, Turn
from core.model.ids import ChatId, PersonId, QuestionId
from core.model.search import RankedChunk, SearchQuery, SearchResult
from core.model.user import Chat
from core.ports import Drafts, LanguageModel, Notifier, Transactions
from core.retrieval.embedding_model import EmbeddingModel
from core.retrieval.language import detect_language
from core.retrieval.retrieve import Retrieve

log = structlog.get_logger()

HISTORY_TURNS = 4
FOLLOW_UP_STEMS = 2
"""A question with no more content words than this leans on the one before it ("а почему?")."""

Backoff = Callable[[int], float | None]
"""Tries so far to seconds until the next; None: no more."""


@dataclass(slots=True)
class _Work:
    """One try at one question."""

    question: Question
    chat: Chat
    history: list[Turn]
    reading: int
    drafts: Drafts
    written: WrittenAnswer | None = None
    searched: int = 0


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer one question row, once, under a lease of it; whatever fails, its person gets one final message.

    Attributes:
        model: None without a configured language model: answers are extractive then.
    """

    transactions: Transactions
    retrieve: Retrieve
    embedding: EmbeddingModel
    model: LanguageModel | None
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
        if work is None:
            return None
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

    async def _take(self, question_id: QuestionId) -> _Work | None:
        async with self.transactions() as tx:
            question = await tx.questions.lease(
                question_id, self.terms.owner, now=self.clock(), seconds=self.terms.seconds
            )
            if question is None:
                return None
            if self.backoff(question.tries - 1) is None:  # it killed its worker every time
                await self._fail(question, "error-generic", {})
                return None
            chat = await tx.people.get_chat(ChatId(question.chat_id))
            assert chat is not None  # questions are deleted with their chat
            history = await tx.questions.history(chat.id, question.thread_id, question.notebook_id, HISTORY_TURNS)
            reading = await tx.sources.being_read(question.notebook_id)
        return _Work(question, chat, history, reading, self.notifier.drafts(question, chat))

    async def _answer(self, work: _Work) -> Answer:
        question = work.question
        await work.drafts.show("")
        language = detect_language(question.text)
        result = await self._search(question, with_context(question.text, work.history))
        work.searched = result.searched
        answer = None
        if self.model is not None and question.with_model:
            answer = await self._write(self.model, work, result, language)
        if answer is None:
            answer = quote_answer(question.text, language, result.chunks[:QUOTED_CHUNKS], searched=result.searched)
        return replace(answer, reading=work.reading)

    async def _write(self, model: LanguageModel, work: _Work, result: SearchResult, language: str) -> Answer | None:
        """Let the model answer; None when it cannot and no further try will help: sentences are quoted instead."""
        question = work.question
        async with self.transactions() as tx:
            materials = await gather(tx, result)
        context = pack(materials, characters=budget(model.window_tokens))
        written = work.written = WrittenAnswer(question.text, language, list(context.passages))

        async def search(query: str) -> Sequence[RankedChunk]:
            return (await self._search(question, query)).chunks[:QUOTED_CHUNKS]

        try:
            await written.write(model, work.history, search, work.drafts.show)
        except TransientError as error:
            if self.backoff(question.tries) is not None:
                raise
            log.warning("model_given_up", question_id=question.id, text_key=error.text_key)
            return None
        except PermanentError as error:
            log.error("model_refused", question_id=question.id, text_key=error.text_key)
            return None
        return written.checked(model.name, searched=result.searched)

    async def _search(self, question: Question, text: str) -> SearchResult:
        vector = await self.embedding.query_vector(text)
        query = SearchQuery(question.notebook_id, text, detect_language(text))
        if vector is not None:
            query = replace(query, model_id=vector[0], embedding=vector[1])
        return await self.retrieve(query)

    async def _beat(self, work: _Work) -> bool:
        """Keep the lease, see whether a stop was asked for, keep the draft alive."""
        async with self.transactions() as tx:
            until = self.terms.until(self.clock())
            kept = await tx.questions.renew(work.question.id, self.terms.owner, until=until)
        if kept:
            await work.drafts.show(work.written.text if work.written else "")
        return kept

    async def _finish(self, work: _Work, answer: Answer) -> None:
        """Make the answer, its citations, its price and its message true at once."""
        question = work.question
        reference = reference_of(Request.ANSWER, question.id)
        by_model = self.model is not None and answer.model == self.model.name
        state = QuestionState.ANSWERED if answer.answered else QuestionState.REFUSED
        async with self.transactions() as tx:
            if question.person_id is not None:  # before the question: whoever stops it holds the account already
                await tx.ledger.lock(PersonId(question.person_id))
            answer = replace(answer, citations=await locate(tx, question.notebook_id, answer.citations))
            answer_id = await tx.questions.finish(question.id, state, answer)
            if answer_id is None:
                return
            await (tx.ledger.spend(reference) if by_model else tx.ledger.give_back(reference))
            if self.model is not None and question.person_id is not None:
                left = await prompts_left(tx, PersonId(question.person_id), now=self.clock())
                answer = replace(answer, prompts_left=left.left)
            await self.notifier.answered(tx, question, answer_id, answer)

    async def _stop(self, work: _Work) -> None:
        """End a stopped question with what was written; a lease lost to another worker is theirs to end."""
        async with self.transactions() as tx:
            if not await tx.questions.cancel_requested(work.question.id):
                return
        written = work.written
        if written is not None and written.text.strip():
            assert self.model is not None
            await self._finish(work, written.checked(self.model.name, searched=work.searched, stopped=True))
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


def with_context(text: str, history: Sequence[Turn]) -> str:
    """Add the question before to one that says too little to be searched for alone."""
    if history and len(set(content_stems(text))) <= FOLLOW_UP_STEMS:
        return f"{history[-1].question} {text}"
    return text
