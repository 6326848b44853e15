"""What happens by the clock: rows that wait and that nobody holds are published again."""

from __future__ import annotations

from typing import Any

import structlog

from core.errors import TransientError
from core.jobs import AnswerQuestion, EmbedSource, IngestSource, Job
from core.library.kinds import HEAVY
from core.ports import Transactions
from workers.wiring import WorkApp

log = structlog.get_logger()

SWEEP_LIMIT = 500
"""Rows of each kind a sweep: what is left comes with the next one."""


async def sweep(ctx: dict[str, Any]) -> int:
    """Publish again what a lost queue or a killed worker left; equal jobs that still wait stay one.

    Returns:
        Jobs published.
    """
    app: WorkApp = ctx["app"]
    try:
        jobs = await waiting(app.plumbing.transactions, app)
        await app.plumbing.queue.republish(jobs)
    except TransientError as error:
        log.warning("sweep_failed", text_key=error.text_key)
        return 0
    if jobs:
        log.info("swept", count=len(jobs))
    return len(jobs)


async def waiting(transactions: Transactions, app: WorkApp) -> list[Job]:
    """Find the work that rows ask for and that nobody holds."""
    now = app.plumbing.clock()
    async with transactions() as tx:
        sources = await tx.sources.unfinished(now=now, limit=SWEEP_LIMIT)
        questions = await tx.questions.unfinished(now=now, limit=SWEEP_LIMIT)
    jobs: list[Job] = [AnswerQuestion(question_id) for question_id in questions]
    for source in sources:
        if source.state.ended:
            jobs.append(EmbedSource(source.notebook_id, source.id))
        else:
            jobs.append(IngestSource(source.notebook_id, source.id, heavy=source.kind in HEAVY))
    return jobs
