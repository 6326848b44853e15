"""Questions, answers and citations."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, exists, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.repositories import leases
from core.adapters.postgres.tables import answers, chat_notebooks, citations, questions, sources
from core.model.answer import Answer, Citation, Question, QuestionState, Turn, Verdict
from core.model.ids import AnswerId, ChatId, NotebookId, PersonId, QuestionId, ReplyTo, SourceId

OPEN = (QuestionState.QUEUED, QuestionState.RUNNING)


class PostgresQuestions:
    """See `core.ports.Questions`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(
        self,
        notebook_id: NotebookId,
        person_id: PersonId | None,
        reply_to: ReplyTo,
        text: str,
        locale: str,
        place: tuple[ChatId, int],
    ) -> Question:
        """Record a question as queued."""
        row = await self._connection.execute(
            insert(questions)
            .values(
                notebook_id=notebook_id,
                person_id=person_id,
                chat_id=place[0],
                thread_id=place[1],
                text=text,
                locale=locale,
                reply_to=reply_to,
            )
            .returning(questions)
        )
        return _question(row.one())

    async def allow_model(self, question_id: QuestionId) -> None:
        """Record that prompts are reserved for it."""
        await self._connection.execute(update(questions).where(questions.c.id == question_id).values(with_model=True))

    async def get(self, question_id: QuestionId) -> Question | None:
        """Find a question."""
        row = (await self._connection.execute(select(questions).where(questions.c.id == question_id))).one_or_none()
        return _question(row) if row else None

    async def hold(self, question_id: QuestionId, *, until: datetime) -> None:
        """Let nobody take it before a time."""
        free = and_(questions.c.id == question_id, questions.c.lease_owner == "")
        await self._connection.execute(update(questions).where(free).values(retry_at=until))

    async def wait_for(self, question_id: QuestionId, source_id: SourceId, *, until: datetime) -> None:
        """Record what must be read before it is answered."""
        change = update(questions).where(questions.c.id == question_id)
        await self._connection.execute(change.values(waits_for=source_id, waits_until=until))

    async def withdraw(
        self, chat_id: ChatId, thread_id: int, person_id: PersonId | None, *, now: datetime
    ) -> list[Question]:
        """End questions that are held and that nobody has begun."""
        rows = await self._connection.execute(
            update(questions)
            .where(
                questions.c.chat_id == chat_id,
                questions.c.thread_id == thread_id,
                questions.c.person_id.is_not_distinct_from(person_id),
                questions.c.state == QuestionState.QUEUED,
                questions.c.tries == 0,
                questions.c.waits_for.is_(None),
                questions.c.retry_at > now,
            )
            .values(state=QuestionState.CANCELLED)
            .returning(questions)
        )
        return sorted((_question(row) for row in rows), key=lambda question: question.id)

    async def waiting_for(self, notebook_id: NotebookId, source_ids: Iterable[SourceId]) -> list[Question]:
        """List open questions that wait for one of these sources."""
        rows = await self._connection.execute(
            select(questions).where(
                questions.c.notebook_id == notebook_id,
                questions.c.waits_for.in_(list(source_ids)),
                questions.c.state.in_(OPEN),
            )
        )
        return [_question(row) for row in rows]

    async def follow(self, source_ids: Iterable[SourceId], notebook_id: NotebookId) -> None:
        """Put open questions that wait for one of these sources to another notebook."""
        waiting = and_(questions.c.waits_for.in_(list(source_ids)), questions.c.state.in_(OPEN))
        await self._connection.execute(update(questions).where(waiting).values(notebook_id=notebook_id))

    async def lease(self, question_id: QuestionId, owner: str, *, now: datetime, seconds: float) -> Question | None:
        """Take the right to answer an open question."""
        row = await self._connection.execute(
            leases.take(questions, owner, now, seconds, state=QuestionState.RUNNING)
            .where(questions.c.id == question_id, leases.free(questions, owner, now), questions.c.state.in_(OPEN))
            .returning(questions)
        )
        found = row.one_or_none()
        return _question(found) if found else None

    async def renew(self, question_id: QuestionId, owner: str, *, until: datetime) -> bool:
        """Keep the right; False when it is lost or a stop was asked for."""
        done = await self._connection.execute(
            update(questions).where(_held(question_id, owner), ~questions.c.cancel_requested).values(lease_until=until)
        )
        return done.rowcount == 1

    async def release(self, question_id: QuestionId, owner: str, *, retry_at: datetime | None = None) -> None:
        """Give the right back."""
        await self._connection.execute(leases.give_back(questions, retry_at).where(_held(question_id, owner)))

    async def cancel(self, question_id: QuestionId, person_id: PersonId | None) -> bool:
        """Ask for a stop of one's own open question."""
        done = await self._connection.execute(
            update(questions)
            .where(
                questions.c.id == question_id,
                questions.c.person_id.is_not_distinct_from(person_id),
                questions.c.state.in_(OPEN),
            )
            .values(cancel_requested=True)
        )
        return done.rowcount == 1

    async def cancel_requested(self, question_id: QuestionId) -> bool:
        """Say whether a stop was asked for."""
        found = await self._connection.execute(
            select(questions.c.cancel_requested).where(questions.c.id == question_id)
        )
        return bool(found.scalar())

    async def end(self, question_id: QuestionId, state: QuestionState) -> bool:
        """End an open question once; False when it was ended before."""
        done = await self._connection.execute(
            update(questions)
            .where(questions.c.id == question_id, questions.c.state.in_(OPEN))
            .values(state=state, lease_owner="", lease_until=None)
        )
        return done.rowcount == 1

    async def finish(self, question_id: QuestionId, state: QuestionState, answer: Answer) -> AnswerId | None:
        """End an open question once with its answer; None when it was ended before."""
        if not await self.end(question_id, state):
            return None
        notebook_id = select(questions.c.notebook_id).where(questions.c.id == question_id).scalar_subquery()
        made = await self._connection.execute(
            insert(answers)
            .values(
                notebook_id=notebook_id,
                question_id=question_id,
                answered=answer.answered,
                text=answer.text,
                unsupported=list(answer.unsupported),
                searched=answer.searched,
                used=answer.used,
                model=answer.model,
            )
            .returning(answers.c.id, answers.c.notebook_id)
        )
        row = made.one()
        if answer.citations:
            rows = [
                {**asdict(item), "notebook_id": row.notebook_id, "answer_id": row.id, "headings": list(item.headings)}
                for item in answer.citations
            ]
            await self._connection.execute(insert(citations), rows)
        return AnswerId(row.id)

    async def history(self, chat_id: ChatId, thread_id: int, notebook_id: NotebookId, limit: int) -> list[Turn]:
        """Load the latest answered exchanges, oldest first, without those that cite a deleted source."""
        begun = func.coalesce(
            select(chat_notebooks.c.conversation_after)
            .where(chat_notebooks.c.chat_id == chat_id, chat_notebooks.c.thread_id == thread_id)
            .scalar_subquery(),
            0,
        )
        stands = exists().where(sources.c.notebook_id == citations.c.notebook_id, sources.c.id == citations.c.source_id)
        cites_what_is_gone = exists().where(citations.c.answer_id == answers.c.id, ~stands)
        rows = await self._connection.execute(
            select(questions.c.text, answers.c.text.label("answer"))
            .join(answers, answers.c.question_id == questions.c.id)
            .where(
                questions.c.chat_id == chat_id,
                questions.c.thread_id == thread_id,
                questions.c.notebook_id == notebook_id,
                questions.c.id > begun,
                answers.c.answered,
                ~cites_what_is_gone,
            )
            .order_by(questions.c.id.desc())
            .limit(limit)
        )
        return [Turn(row.text, row.answer) for row in reversed(rows.all())]

    async def begin_conversation(self, chat_id: ChatId, thread_id: int) -> None:
        """Let the questions so far count no more for follow-ups."""
        latest = select(func.coalesce(func.max(questions.c.id), 0)).where(
            questions.c.chat_id == chat_id, questions.c.thread_id == thread_id
        )
        await self._connection.execute(
            update(chat_notebooks)
            .where(chat_notebooks.c.chat_id == chat_id, chat_notebooks.c.thread_id == thread_id)
            .values(conversation_after=latest.scalar_subquery())
        )

    async def citation(self, answer_id: AnswerId, n: int) -> tuple[NotebookId, Citation, bool] | None:
        """Load one citation with its notebook and whether its source still stands."""
        stands = exists().where(
            sources.c.notebook_id == citations.c.notebook_id,
            sources.c.id == citations.c.source_id,
            sources.c.version == citations.c.version,
        )
        row = (
            await self._connection.execute(
                select(citations, stands.label("stands")).where(citations.c.answer_id == answer_id, citations.c.n == n)
            )
        ).one_or_none()
        return (NotebookId(row.notebook_id), _citation(row), row.stands) if row else None

    async def citation_count(self, answer_id: AnswerId) -> int:
        """Count the citations of an answer."""
        found = await self._connection.execute(
            select(func.count()).select_from(citations).where(citations.c.answer_id == answer_id)
        )
        return found.scalar_one()

    async def open_of(self, notebook_id: NotebookId) -> list[Question]:
        """List the notebook's open questions."""
        rows = await self._connection.execute(
            select(questions).where(questions.c.notebook_id == notebook_id, questions.c.state.in_(OPEN))
        )
        return [_question(row) for row in rows]

    async def unfinished(self, *, now: datetime, limit: int) -> list[QuestionId]:
        """List open questions that nobody holds."""
        rows = await self._connection.execute(
            select(questions.c.id)
            .where(questions.c.state.in_(OPEN), leases.free(questions, "", now))
            .order_by(questions.c.id)
            .limit(limit)
        )
        return [QuestionId(value) for value in rows.scalars()]


def _held(question_id: QuestionId, owner: str) -> ColumnElement[bool]:
    return and_(questions.c.id == question_id, leases.held(questions, owner))


def _question(row: Row[Any]) -> Question:
    return Question(
        id=QuestionId(row.id),
        notebook_id=NotebookId(row.notebook_id),
        person_id=row.person_id,
        chat_id=row.chat_id,
        thread_id=row.thread_id,
        text=row.text,
        locale=row.locale,
        state=QuestionState(row.state),
        reply_to=row.reply_to,
        tries=row.tries,
        with_model=row.with_model,
        not_before=row.retry_at,
        waits_for=SourceId(row.waits_for) if row.waits_for is not None else None,
        waits_until=row.waits_until,
    )


def _citation(row: Row[Any]) -> Citation:
    return Citation(
        n=row.n,
        source_id=SourceId(row.source_id),
        version=row.version,
        external_id=row.external_id,
        title=row.title,
        quote=row.quote,
        start=row.start,
        end=row.end,
        verdict=Verdict(row.verdict),
        page=row.page,
        time_s=row.time_s,
        headings=tuple(row.headings),
    )
