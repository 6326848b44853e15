"""Transactions: what becomes true together, what follows the commit, and what a lost database looks like."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from sqlalchemy.exc import DBAPIError, IntegrityError

from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.adapters.queue import ArqQueue
from core.errors import TransientError
from core.jobs import AnswerQuestion, QueueName
from core.model.answer import Answer, Citation, QuestionState, Verdict
from core.model.chunk import ChunkDraft
from core.model.document import Document
from core.model.ids import QuestionId, ReplyTo, SourceId
from core.model.source import Attempt, Origin, Outcome, Reason, SourceKind, Upload
from core.model.user import ChatKind
from core.ports import NewSource, OutgoingMessage, SourceUpdate, Transaction
from tests.integration.rows import BOT_ID, NOW, Rows, open_rows

NOWHERE = "unix:///nowhere/valkey.sock"
pytestmark = pytest.mark.usefixtures("no_blocking")


@pytest.fixture
async def rows(database: str, redis_url: str) -> AsyncIterator[Rows]:
    async with open_rows(database, redis_url) as opened:
        yield opened


class Broken(Exception):
    """What a use-case may raise."""


def _mark(tx: Transaction, number: int) -> None:
    """Ask for a job and a call after the commit."""
    tx.publish(AnswerQuestion(QuestionId(number)))


async def _title(rows: Rows, notebook_id: int) -> str:
    return str(await rows.sql("SELECT title FROM notebooks WHERE id = :id", id=notebook_id))


async def test_jobs_and_calls_follow_the_commit(rows: Rows) -> None:
    caller = await rows.caller()
    seen: list[str] = []

    async def look() -> None:
        seen.append(await _title(rows, caller.notebook_id))

    async with rows.transactions() as tx:
        await tx.notebooks.rename(caller.notebook_id, "Физика")
        _mark(tx, 1)
        tx.after_commit(look)
        assert await rows.published(QueueName.QUESTIONS) == []
    assert seen == ["Физика"]
    assert await rows.published(QueueName.QUESTIONS) == ["answer_question:1"]


async def test_nothing_follows_a_transaction_that_failed(rows: Rows) -> None:
    caller = await rows.caller()
    called = []

    async def call() -> None:
        called.append(1)

    async def work() -> None:
        async with rows.transactions() as tx:
            await tx.notebooks.rename(caller.notebook_id, "Физика")
            _mark(tx, 1)
            tx.after_commit(call)
            raise Broken

    with pytest.raises(Broken):
        await work()
    assert await _title(rows, caller.notebook_id) == "Мой первый блокнот"
    assert not called
    assert await rows.published(QueueName.QUESTIONS) == []


async def test_an_inner_transaction_that_fails_takes_its_rows_jobs_and_calls_with_it_and_no_others(rows: Rows) -> None:
    caller = await rows.caller()
    called: list[str] = []

    def note(tx: Transaction, word: str) -> None:
        async def call() -> None:
            called.append(word)

        tx.after_commit(call)

    async def inside() -> None:
        async with rows.transactions() as inner:
            await inner.notebooks.rename(caller.notebook_id, "Внутренний")
            _mark(inner, 2)
            note(inner, "inner")
            raise Broken

    async with rows.transactions() as tx:
        _mark(tx, 1)
        note(tx, "outer before")
        await tx.notebooks.rename(caller.notebook_id, "Внешний")
        with pytest.raises(Broken):
            await inside()
        _mark(tx, 3)
        note(tx, "outer after")
    assert await _title(rows, caller.notebook_id) == "Внешний"
    assert called == ["outer before", "outer after"]
    assert sorted(await rows.published(QueueName.QUESTIONS)) == ["answer_question:1", "answer_question:3"]


async def test_an_inner_transaction_commits_with_the_outer_one_only(rows: Rows) -> None:
    caller = await rows.caller()

    async def work() -> None:
        async with rows.transactions():
            async with rows.transactions() as inner:
                await inner.notebooks.rename(caller.notebook_id, "Внутренний")
                _mark(inner, 1)
            raise Broken

    with pytest.raises(Broken):
        await work()
    assert await _title(rows, caller.notebook_id) == "Мой первый блокнот"
    assert await rows.published(QueueName.QUESTIONS) == []


async def test_a_task_started_inside_a_transaction_has_its_own(rows: Rows) -> None:
    caller = await rows.caller()
    committed, closed = asyncio.Event(), asyncio.Event()

    async def beside() -> None:
        async with rows.transactions() as tx:
            await tx.notebooks.rename(caller.notebook_id, "Рядом")
        committed.set()
        await closed.wait()
        async with rows.transactions() as tx:  # what it was started in is over
            await tx.notebooks.archive(caller.notebook_id, True)

    async def work(group: asyncio.TaskGroup) -> None:
        async with rows.transactions():
            group.create_task(beside())
            await committed.wait()
            raise Broken

    async with asyncio.TaskGroup() as group:
        with pytest.raises(Broken):
            await work(group)
        closed.set()
    assert await _title(rows, caller.notebook_id) == "Рядом"
    assert await rows.sql("SELECT archived FROM notebooks WHERE id = :id", id=caller.notebook_id)


async def test_rows_stand_when_the_queue_is_away(rows: Rows) -> None:
    caller = await rows.caller()
    queue = ArqQueue(NOWHERE)
    async with PostgresTransactions(rows.engine, queue)() as tx:
        await tx.notebooks.rename(caller.notebook_id, "Без очереди")
        _mark(tx, 1)
    assert await _title(rows, caller.notebook_id) == "Без очереди"
    await queue.close()


async def _cut(rows: Rows, tx: Transaction) -> None:
    """Break the connection of a transaction, as a server that stops does."""
    number = (await tx.connection.exec_driver_sql("SELECT pg_backend_pid()")).scalar()  # type: ignore[attr-defined]
    await rows.sql("SELECT pg_terminate_backend(:number, 5000)", number=number)


async def test_a_lost_connection_is_transient_for_whoever_catches_errors_inside(rows: Rows) -> None:
    caller = await rows.caller()

    async def rename() -> None:
        async with rows.transactions() as tx:
            await tx.notebooks.rename(caller.notebook_id, "Потеряно")

    async def work() -> None:
        async with rows.transactions() as tx:
            await _cut(rows, tx)
            try:
                await rename()
            except TransientError:
                told.append("inside")
            await rename()  # as whoever tells of an error would

    told: list[str] = []
    with pytest.raises(TransientError):
        await work()
    assert told == ["inside"]
    async with rows.transactions() as tx:
        assert (await tx.notebooks.get(caller.notebook_id)) is not None


async def test_a_database_that_cannot_be_reached_is_transient(rows: Rows, database_url: str) -> None:
    async with open_rows(database_url.replace("run", "nowhere"), NOWHERE) as away:
        with pytest.raises(TransientError):
            async with away.transactions():
                raise AssertionError("unreachable")


async def test_a_deadlock_is_transient_for_the_one_that_loses(rows: Rows) -> None:
    one, other = await rows.caller(), await rows.caller()
    both = asyncio.Barrier(2)

    async def rename(*callers: object) -> str:
        first, second = callers
        try:
            async with rows.transactions() as tx:
                await tx.people.lock_chat(first.chat.id)  # type: ignore[attr-defined]
                await both.wait()
                await tx.people.lock_chat(second.chat.id)  # type: ignore[attr-defined]
        except TransientError:
            return "lost"
        return "won"

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(rename(one, other)), group.create_task(rename(other, one))]
    assert sorted(task.result() for task in tasks) == ["lost", "won"]


async def test_what_no_time_heals_is_no_transient_error(rows: Rows) -> None:
    with pytest.raises(IntegrityError):
        async with rows.transactions() as tx:
            await tx.outbox.put(OutgoingMessage("orphan", 10**9, "{}"))  # type: ignore[arg-type]
    with pytest.raises(DBAPIError):
        async with rows.transactions() as tx:
            await tx.questions.get(QuestionId(2**63))  # a forged button: no bigint


DIRTY = "a\x00b\ud800c"
CLEAN = "a\ufffdb\ufffdc"


async def test_s1_no_text_column_loses_its_transaction_to_nul_or_a_lone_surrogate(rows: Rows) -> None:
    caller = await rows.caller(DIRTY)
    upload = Upload(text=DIRTY, file_name=DIRTY, media_type=DIRTY, caption=DIRTY)
    new = NewSource(
        caller.notebook_id, SourceKind.TEXT, DIRTY, upload, Origin(author=DIRTY, link=DIRTY), None, None, DIRTY, DIRTY
    )
    document = Document(text=f"{DIRTY} трамвай", title=DIRTY)
    draft = ChunkDraft(0, 0, len(document.text), document.text, headings=(DIRTY,))
    citation = Citation(1, SourceId(1), 1, DIRTY, DIRTY, DIRTY, 0, 1, Verdict.VERBATIM, headings=(DIRTY,))
    answer = Answer(True, DIRTY, (citation,), 1, 1, DIRTY, (DIRTY,))
    async with rows.transactions() as tx:
        await tx.people.chat(BOT_ID, 77, ChatKind.GROUP, DIRTY)
        await tx.people.expect_input(caller.chat.id, caller.person.id, DIRTY, 1, until=NOW)  # type: ignore[union-attr]
        notebook = await tx.notebooks.add(DIRTY, DIRTY, None)
        await tx.notebooks.rename(notebook.id, DIRTY)
        source = await tx.sources.add(new)
        assert (await tx.sources.duplicate(new)) is not None
        await tx.sources.lease(source.notebook_id, source.id, DIRTY, now=NOW, seconds=60)
        assert await tx.sources.renew(source.notebook_id, source.id, DIRTY, until=NOW + timedelta(1))
        attempt = Attempt(DIRTY, Outcome.WON, DIRTY, 0.1)
        change = SourceUpdate(
            title=DIRTY, reason=Reason(DIRTY, {DIRTY: DIRTY}), content_hash=DIRTY, original_key=DIRTY, language=DIRTY,
            extractor=DIRTY, attempts=(attempt,),
        )  # fmt: skip
        await tx.sources.update(source.notebook_id, source.id, change)
        await tx.texts.save(source.notebook_id, source.id, document, [draft], "ru")
        await tx.insights.put(source.notebook_id, source.id, "summary", DIRTY, "ru")
        model = await tx.vectors.model(DIRTY, 2)
        missing = await tx.vectors.missing(source.notebook_id, source.id, model, 9)
        await tx.vectors.add(source.notebook_id, source.id, model, {missing[0][0]: [0.6, 0.8]})
        assert await tx.vectors.cached(model, [document.text]) != {}
        burst = await tx.bursts.join(caller.chat.id, caller.notebook_id, ReplyTo(DIRTY), now=NOW, window_s=3)
        assert burst.reply_to == CLEAN
        question = await tx.questions.add(caller.notebook_id, None, ReplyTo(DIRTY), DIRTY, DIRTY, (caller.chat.id, 0))
        await tx.questions.lease(question.id, DIRTY, now=NOW, seconds=60)
        assert await tx.questions.finish(question.id, QuestionState.ANSWERED, answer) is not None
        await tx.ledger.reserve(caller.person.id, DIRTY, 1, DIRTY, now=NOW)  # type: ignore[union-attr]
        await tx.ledger.spend(DIRTY)
        await tx.outbox.put(OutgoingMessage(DIRTY, caller.chat.id, DIRTY))
        assert await tx.outbox.ref(DIRTY) == ""
    assert await rows.sql("SELECT text FROM answers WHERE question_id = :id", id=question.id) == CLEAN
    assert await rows.sql("SELECT upload->>'text' FROM sources WHERE id = :id", id=source.id) == CLEAN
    assert await rows.sql("SELECT text FROM chunks WHERE source_id = :id", id=source.id) == f"{CLEAN} трамвай"
    assert await rows.sql("SELECT count(*) FROM postings WHERE source_id = :id", id=source.id) > 0
