"""One function a job: message in, one use-case called. The outermost boundary of a worker."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from arq import Retry

from core import jobs
from core.errors import TransientError
from core.model.ids import NotebookId, QuestionId, SourceId
from workers.wiring import WorkApp

log = structlog.get_logger()

Context = dict[str, Any]
Work = Callable[[], Awaitable[float | None]]
DATABASE_AWAY_S = 5.0
"""When not even the row can be reached, the message itself waits."""


async def ingest_source(ctx: Context, notebook_id: int, source_id: int, heavy: bool) -> None:
    """Read one source."""
    app: WorkApp = ctx["app"]
    key = NotebookId(notebook_id), SourceId(source_id)
    await _run(lambda: app.ingest_source(*key), lambda: app.ingest_source.give_up(*key))


async def embed_source(ctx: Context, notebook_id: int, source_id: int) -> None:
    """Give a source vectors and insights."""
    app: WorkApp = ctx["app"]
    key = NotebookId(notebook_id), SourceId(source_id)
    await _run(lambda: app.embed_source(*key), lambda: app.embed_source.give_up(*key))


async def answer_question(ctx: Context, question_id: int) -> None:
    """Answer one question."""
    app: WorkApp = ctx["app"]
    key = QuestionId(question_id)
    await _run(lambda: app.answer_question(key), lambda: app.answer_question.give_up(key))


FUNCTIONS: dict[type[jobs.Job], Callable[..., Awaitable[None]]] = {
    jobs.IngestSource: ingest_source,
    jobs.EmbedSource: embed_source,
    jobs.AnswerQuestion: answer_question,
}
"""Each job's function; a test insists that none is missing and that names and fields agree."""


async def _run(work: Work, give_up: Callable[[], Awaitable[None]]) -> None:
    """Do the work; a wish to be tried again becomes the queue's delay."""
    try:
        again_in_s = await attempt(work, give_up)
    except TransientError as error:
        log.warning("job_waits", text_key=error.text_key)
        raise Retry(defer=DATABASE_AWAY_S) from error
    if again_in_s is not None:
        raise Retry(defer=again_in_s)


async def attempt(work: Work, give_up: Callable[[], Awaitable[None]]) -> float | None:
    """Do the work once; a bug ends the row with a reason.

    Nothing a person waits for stays open because of an error that nobody foresaw.

    Returns:
        Seconds after which it should be tried again; None when it has ended.

    Raises:
        TransientError: Not even the row could be reached.
    """
    try:
        return await work()
    except TransientError:
        raise
    except Exception as error:
        log.exception("job_broke", kind=type(error).__name__)
        await give_up()
        return None
