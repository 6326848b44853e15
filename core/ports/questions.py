"""Repositories of questions with their answers, and of the prompts they cost."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from core.model.answer import Answer, Citation, Question, QuestionState, Turn
from core.model.ids import (
    AnswerId,
    ChatId,
    NotebookId,
    PersonId,
    QuestionId,
    ReplyTo,
    SourceId,
)
from core.model.plan import PlanName


class Questions(Protocol):
    """Questions, answers and citations as rows."""

    async def add(
        self,
        notebook_id: NotebookId,
        person_id: PersonId | None,
        reply_to: ReplyTo,
        text: str,
        locale: str,
        place: tuple[ChatId, int],
    ) -> Question:
        """Record a question as queued; `place` is the chat and thread of its conversation."""
        ...

    async def allow_model(self, question_id: QuestionId) -> None:
        """Record that prompts are reserved for it."""
        ...

    async def get(self, question_id: QuestionId) -> Question | None:
        """Find a question."""
        ...

    async def hold(self, question_id: QuestionId, *, until: datetime) -> None:
        """Let nobody take it before a time; what holds it already is not touched."""
        ...

    async def wait_for(self, question_id: QuestionId, source_id: SourceId, *, until: datetime) -> None:
        """Record the source that must be read before it is answered, and until when that is waited for."""
        ...

    async def withdraw(
        self, chat_id: ChatId, thread_id: int, person_id: PersonId | None, *, now: datetime
    ) -> list[Question]:
        """End a person's questions there that are still held and that nobody has begun; give them, oldest first."""
        ...

    async def waiting_for(self, notebook_id: NotebookId, source_ids: Iterable[SourceId]) -> list[Question]:
        """List open questions that wait for one of these sources."""
        ...

    async def follow(self, source_ids: Iterable[SourceId], notebook_id: NotebookId) -> None:
        """Put open questions that wait for one of these sources to the notebook that now holds them."""
        ...

    async def lease(self, question_id: QuestionId, owner: str, *, now: datetime, seconds: float) -> Question | None:
        """Take the right to answer and count the try; None when another holds it or it is ended."""
        ...

    async def renew(self, question_id: QuestionId, owner: str, *, until: datetime) -> bool:
        """Keep the right; False when it was lost or the person asked to stop."""
        ...

    async def release(self, question_id: QuestionId, owner: str, *, retry_at: datetime | None = None) -> None:
        """Give the right back."""
        ...

    async def cancel(self, question_id: QuestionId, person_id: PersonId | None) -> bool:
        """Ask for a stop; False when it is over or not this person's."""
        ...

    async def cancel_requested(self, question_id: QuestionId) -> bool:
        """Say whether its person asked for a stop."""
        ...

    async def end(self, question_id: QuestionId, state: QuestionState) -> bool:
        """End an open question, once, without an answer; False when it was ended before."""
        ...

    async def finish(self, question_id: QuestionId, state: QuestionState, answer: Answer) -> AnswerId | None:
        """End an open question, once, with its answer and citations; None when it was ended before."""
        ...

    async def history(self, chat_id: ChatId, thread_id: int, notebook_id: NotebookId, limit: int) -> list[Turn]:
        """Load the latest answered exchanges of a conversation, oldest first."""
        ...

    async def begin_conversation(self, chat_id: ChatId, thread_id: int) -> None:
        """Let the questions so far count no more for follow-ups."""
        ...

    async def citation(self, answer_id: AnswerId, n: int) -> tuple[NotebookId, Citation, bool] | None:
        """Load one citation with its notebook and whether its source (in that version) still exists."""
        ...

    async def citation_count(self, answer_id: AnswerId) -> int:
        """Count the citations of an answer."""
        ...

    async def open_of(self, notebook_id: NotebookId) -> list[Question]:
        """List the notebook's questions that are not ended."""
        ...

    async def unfinished(self, *, now: datetime, limit: int) -> list[QuestionId]:
        """List questions that wait and that nobody holds (for the sweep)."""
        ...


class Ledger(Protocol):
    """The one book of prompts; every quota decision goes through it."""

    async def lock(self, person_id: PersonId) -> PlanName:
        """Hold the account's row until the transaction ends, and say its plan."""
        ...

    async def used(self, person_id: PersonId, *, since: datetime | None) -> int:
        """Count prompts reserved or spent after a time (None: ever). Call with the account locked."""
        ...

    async def reserve(self, person_id: PersonId, kind: str, price: int, reference: str, *, now: datetime) -> None:
        """Take prompts for one request; a second call with the same reference changes nothing."""
        ...

    async def give_back(self, reference: str) -> None:
        """Return a reservation whose call failed; a spent one stays."""
        ...

    async def spend(self, reference: str) -> None:
        """Make a reservation final."""
        ...
