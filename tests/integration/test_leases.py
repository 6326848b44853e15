"""Leases of rows: one worker at a time, and one that has lost its row writes nothing more to it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bot.i18n import Texts
from bot.notifier import TelegramNotifier
from core.adapters.files import DiskBlobs
from core.adapters.killable import KillableRunner
from core.errors import PermanentError, TransientError, UserError
from core.ingest.embed_source import EmbedSource
from core.ingest.expand_source import ExpandSource
from core.ingest.fetch_original import FetchOriginal
from core.ingest.ingest_source import IngestSource
from core.ingest.read_source import ReadSource
from core.ingest.save_text import SaveText
from core.ingest.status import ShowBurst
from core.jobs import AnswerQuestion, QueueName
from core.library.lease import LeaseLost, LeaseTerms, hold
from core.model.answer import Answer, Question, QuestionState
from core.model.chunk import ChunkDraft
from core.model.document import Document
from core.model.ids import QuestionId
from core.model.source import Source, SourceKind, SourceState, Stage
from core.ports import Inspected, SourceUpdate
from core.retrieval.embedding_model import EmbeddingModel
from tests.integration.rows import NOW, Rows, open_rows

SECONDS = 60.0
Late = Callable[[float], datetime]


@pytest.fixture
async def rows(database: str, redis_url: str) -> AsyncIterator[Rows]:
    async with open_rows(database, redis_url) as opened:
        yield opened


def _at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


class Leased:
    """A source or a question behind the same few calls."""

    def __init__(self, rows: Rows, row: Source | Question) -> None:
        self.rows, self.row = rows, row
        self.source = isinstance(row, Source)
        self.key: tuple[Any, ...] = (row.notebook_id, row.id) if isinstance(row, Source) else (row.id,)

    async def take(self, owner: str, at_s: float = 0.0) -> int | None:
        """Take it; the tries made with this one."""
        async with self.rows.transactions() as tx:
            repository: Any = tx.sources if self.source else tx.questions
            taken = await repository.lease(*self.key, owner, now=_at(at_s), seconds=SECONDS)
            return taken.tries if taken else None

    async def renew(self, owner: str, at_s: float) -> bool:
        async with self.rows.transactions() as tx:
            repository: Any = tx.sources if self.source else tx.questions
            return bool(await repository.renew(*self.key, owner, until=_at(at_s + SECONDS)))

    async def release(self, owner: str, retry_s: float | None = None) -> None:
        async with self.rows.transactions() as tx:
            repository: Any = tx.sources if self.source else tx.questions
            await repository.release(*self.key, owner, retry_at=None if retry_s is None else _at(retry_s))

    async def waits(self, at_s: float) -> bool:
        """Whether the sweep would find it."""
        async with self.rows.transactions() as tx:
            if self.source:
                return self.row.id in [one.id for one in await tx.sources.unfinished(now=_at(at_s), limit=1000)]
            return self.row.id in await tx.questions.unfinished(now=_at(at_s), limit=1000)


@pytest.fixture(params=["source", "question"])
async def leased(rows: Rows, request: pytest.FixtureRequest) -> Leased:
    caller = await rows.caller()
    return Leased(rows, await (rows.source(caller) if request.param == "source" else rows.question(caller)))


async def test_one_worker_at_a_time_holds_a_row(leased: Leased) -> None:
    assert await leased.waits(0)
    assert await leased.take("one") == 1
    assert await leased.take("other", 59) is None
    assert not await leased.waits(59)
    assert await leased.renew("one", 59)
    assert await leased.take("other", 118) is None


async def test_a_dead_workers_row_is_free_when_its_lease_ran_out_and_lost_to_it(leased: Leased) -> None:
    await leased.take("dead")
    assert await leased.waits(SECONDS)
    assert await leased.take("other", SECONDS) == 2
    assert not await leased.renew("dead", SECONDS)
    await leased.release("dead")
    assert await leased.take("third", SECONDS + 1) is None


async def test_a_row_given_back_is_free_at_once_or_at_its_time(leased: Leased) -> None:
    await leased.take("one")
    await leased.release("one")
    assert await leased.take("other") == 2
    await leased.release("other", retry_s=30)
    assert await leased.take("one", 29) is None
    assert not await leased.waits(29)
    assert await leased.waits(30)
    assert await leased.take("one", 30) == 3


async def test_a_hundred_takers_of_a_row_are_one(rows: Rows) -> None:
    leased = Leased(rows, await rows.question(await rows.caller()))
    taken = await asyncio.gather(*(leased.take(f"worker {number}") for number in range(100)))
    assert [tries for tries in taken if tries] == [1]


async def test_a_question_ends_once(rows: Rows) -> None:
    question = await rows.question(await rows.caller())
    answer = Answer(True, "Да.", (), 1, 1, "model")

    async def finish() -> bool:
        async with rows.transactions() as tx:
            return await tx.questions.finish(question.id, QuestionState.ANSWERED, answer) is not None

    assert sorted(await asyncio.gather(*(finish() for _ in range(5)))) == [False] * 4 + [True]
    assert await rows.sql("SELECT count(*) FROM answers WHERE question_id = :id", id=question.id) == 1


async def test_work_that_is_cancelled_inside_a_transaction_leaves_nothing_of_it(rows: Rows) -> None:
    caller = await rows.caller()
    writing = asyncio.Event()

    async def lost() -> bool:
        await writing.wait()
        return False

    async def work() -> None:
        async with hold(lost, LeaseTerms("me", seconds=0.04)), rows.transactions() as tx:
            await tx.notebooks.rename(caller.notebook_id, "Наполовину")
            writing.set()
            await tx.connection.execute(text("SELECT pg_sleep(30)"))  # type: ignore[attr-defined]

    with pytest.raises(LeaseLost):
        await work()
    assert await rows.sql("SELECT title FROM notebooks WHERE id = :id", id=caller.notebook_id) == "Мой первый блокнот"
    assert rows.engine.pool.checkedout() == 0  # type: ignore[attr-defined]


# --- a worker that has lost its row ---


@dataclass(frozen=True)
class Seen:
    """What an inspector found."""

    kind: SourceKind
    pages: int


class Readers:
    """Two workers' use-cases; what the first one does at the decisive moment is the test's."""

    def __init__(self, rows: Rows, folder: Path) -> None:
        self.rows, self.folder = rows, folder
        self.meanwhile: Callable[[], Awaitable[Inspected]] | None = None
        self.now = NOW

    def ingest(self, owner: str) -> IngestSource:
        blobs = DiskBlobs(self.folder)
        return IngestSource(
            transactions=self.rows.transactions,
            blobs=blobs,
            read=ReadSource(
                fetch=FetchOriginal(self.rows.transactions, blobs, None),
                inspect=self._inspect,
                cascades={},
                runner=KillableRunner(),
                blobs=blobs,
            ),
            expand=ExpandSource(self.rows.transactions, blobs, openers={}),
            save=SaveText(),
            show=self._show(),
            terms=LeaseTerms(owner, SECONDS),
            backoff=lambda tries: 5.0 if tries < 5 else None,
            clock=lambda: self.now,
        )

    def embed(self, owner: str, model: EmbeddingModel) -> EmbedSource:
        terms = LeaseTerms(owner, SECONDS)
        return EmbedSource(self.rows.transactions, model, self._show(), terms, lambda _: 5.0, lambda: self.now)

    def _show(self) -> ShowBurst:
        """Sources without a burst are shown nowhere, so this speaks to nobody."""
        none: Any = None
        return ShowBurst(TelegramNotifier(Texts.load(), none, self.rows.transactions, lambda: self.now, none))

    async def _inspect(self, *_: object, **__: object) -> Inspected:
        assert self.meanwhile is not None
        return await self.meanwhile()


@pytest.fixture
def readers(rows: Rows, tmp_path: Path) -> Readers:
    return Readers(rows, tmp_path)


@pytest.fixture
async def source(rows: Rows, tmp_path: Path) -> Source:
    """A file that waits to be read."""
    path = tmp_path / "lecture.pdf"
    path.write_bytes(b"%PDF-1.7")
    return await rows.source(await rows.caller(), str(path))


async def _finished_by_another(readers: Readers, source: Source) -> None:
    """Let the lease run out and another worker bring the source to its end."""
    readers.now = _at(SECONDS + 1)
    async with readers.rows.transactions() as tx:
        assert await tx.sources.lease(source.notebook_id, source.id, "other", now=readers.now, seconds=SECONDS)
        ready = SourceUpdate(state=SourceState.READY, stage=Stage.DONE)
        await tx.sources.update(source.notebook_id, source.id, ready)
        await tx.sources.release(source.notebook_id, source.id, "other")


@pytest.mark.parametrize("error", [UserError("source-damaged"), PermanentError("x"), TransientError("y"), None])
async def test_a_worker_that_lost_its_source_changes_nothing_of_it(
    rows: Rows, readers: Readers, source: Source, error: Exception | None
) -> None:
    async def meanwhile() -> Inspected:
        await _finished_by_another(readers, source)
        if error is not None:
            raise error
        return Seen(SourceKind.PDF, 1)

    readers.meanwhile = meanwhile
    assert await readers.ingest("slow")(source.notebook_id, source.id) is None
    async with rows.transactions() as tx:
        now = await tx.sources.get(source.notebook_id, source.id)
    assert now is not None
    assert now.reason is None
    assert (now.state, now.stage) == (SourceState.READY, Stage.DONE)


async def test_giving_up_leaves_another_workers_source_alone(rows: Rows, readers: Readers, source: Source) -> None:
    async with rows.transactions() as tx:
        await tx.sources.lease(source.notebook_id, source.id, "other", now=NOW, seconds=SECONDS)
    await readers.ingest("slow").give_up(source.notebook_id, source.id)
    async with rows.transactions() as tx:
        now = await tx.sources.get(source.notebook_id, source.id)
        assert await tx.sources.renew(source.notebook_id, source.id, "other", until=_at(99))
    assert now is not None
    assert now.state is SourceState.QUEUED


async def test_a_source_that_broke_its_worker_ends_with_a_reason(rows: Rows, readers: Readers, source: Source) -> None:
    await readers.ingest("me").give_up(source.notebook_id, source.id)
    async with rows.transactions() as tx:
        now = await tx.sources.get(source.notebook_id, source.id)
    assert now is not None
    assert now.reason is not None
    assert (now.state, now.stage, now.reason.text_key) == (SourceState.FAILED, Stage.DONE, "source-broke")


async def test_a_source_whose_worker_died_every_time_is_not_tried_for_ever(
    rows: Rows, readers: Readers, source: Source
) -> None:
    for _ in range(5):
        async with rows.transactions() as tx:
            assert await tx.sources.lease(source.notebook_id, source.id, "dead", now=readers.now, seconds=SECONDS)
        readers.now += timedelta(seconds=SECONDS)
    assert await readers.ingest("me")(source.notebook_id, source.id) is None
    state = "SELECT state || ' ' || lease_owner FROM sources WHERE id = :id"
    assert await rows.sql(state, id=source.id) == "failed "


@pytest.mark.parametrize("point", ["reading", "embedding"])
async def test_work_that_is_cancelled_gives_its_row_back(
    rows: Rows, readers: Readers, source: Source, point: str
) -> None:
    working = asyncio.Event()

    async def for_ever(*_: object) -> Any:
        working.set()
        await asyncio.Event().wait()

    readers.meanwhile = for_ever
    work: Any = readers.ingest("me")
    if point == "embedding":
        await _store(rows, source)
        work = readers.embed("me", _model(rows, for_ever))
    async with asyncio.TaskGroup() as group:
        task = group.create_task(work(source.notebook_id, source.id))
        await working.wait()
        task.cancel()
    assert task.cancelled()
    async with rows.transactions() as tx:
        assert await tx.sources.lease(source.notebook_id, source.id, "other", now=NOW, seconds=SECONDS)


async def test_a_worker_that_lost_its_source_adds_no_vectors(rows: Rows, readers: Readers, source: Source) -> None:
    await _store(rows, source)

    async def meanwhile(texts: list[str]) -> list[list[float]]:
        await _finished_by_another(readers, source)
        return [[0.6, 0.8] for _ in texts]

    assert await readers.embed("slow", _model(rows, meanwhile))(source.notebook_id, source.id) is None
    assert await rows.sql("SELECT count(*) FROM vectors WHERE source_id = :id", id=source.id) == 0
    assert await rows.sql("SELECT progress_done FROM sources WHERE id = :id", id=source.id) == 0


async def _store(rows: Rows, source: Source) -> None:
    document = Document("Трамваи ходят по кругу.")
    async with rows.transactions() as tx:
        await tx.texts.save(source.notebook_id, source.id, document, [ChunkDraft(0, 0, 23, document.text)], "ru")
        await tx.sources.update(source.notebook_id, source.id, SourceUpdate(state=SourceState.READY, stage=Stage.EMBED))


def _model(rows: Rows, embed: Callable[..., Awaitable[Any]]) -> EmbeddingModel:
    """An embedding model that computes what the test says."""

    class Chosen:
        model_id, dimensions, max_tokens = "chosen", 2, 512
        embed_passages = staticmethod(embed)

    chosen: Any = Chosen()
    return EmbeddingModel(chosen, rows.transactions)


# --- what Redis thinks of it ---


async def test_a_job_locked_by_a_dead_worker_is_free_again_when_it_is_republished(rows: Rows) -> None:
    job = AnswerQuestion(QuestionId(7))
    await rows.queue.publish([job])
    pool = await rows.queue._connected()
    await pool.set(f"arq:in-progress:{job.key}", b"1")
    await rows.queue.republish([job])
    assert not await pool.exists(f"arq:in-progress:{job.key}")
    assert await rows.published(QueueName.QUESTIONS) == [job.key]


async def test_equal_jobs_that_wait_are_one(rows: Rows) -> None:
    job = AnswerQuestion(QuestionId(8))
    await rows.queue.publish([job, job])
    await rows.queue.republish([job])
    assert await rows.published(QueueName.QUESTIONS) == [job.key]
