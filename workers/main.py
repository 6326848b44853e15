"""A worker process: `python -m workers.main questions|light|heavy` serves one queue."""

from __future__ import annotations

import argparse
import asyncio
from datetime import UTC
from functools import partial
from typing import Any

import structlog
from arq import cron, func
from arq.worker import Worker
from redis.exceptions import RedisError

from bot.face import Face, open_face
from core.adapters.queue import deserialize, queue_key, redis_settings, serialize
from core.jobs import JOBS, QueueName
from core.settings import Settings
from core.wiring import Plumbing, open_plumbing, start_logging
from workers.cron import sweep
from workers.jobs import FUNCTIONS
from workers.outside import Outside
from workers.wiring import build_work

log = structlog.get_logger()

AT_ONCE = {QueueName.QUESTIONS: 8, QueueName.LIGHT: 4, QueueName.HEAVY: 1}
"""Jobs at once: questions mostly wait for a model, a heavy document fills a core by itself."""
JOB_TIMEOUT_S = 3600
"""Longer than all deadlines of a cascade together: it only ends what the use-cases' own limits missed."""
SWEEP_SECONDS = {5, 20, 35, 50}
GIVE_BACK_S = 5.0
"""At the end a job may take so long to let go of its row."""


class OneOfEach(Worker):
    """arq's worker, which does not start a job that it is running.

    The sweep may remove the lock of a job that has begun and does not hold its row yet; arq would then run it a second
    time in this process and lose sight of the first run.
    """

    async def start_jobs(self, job_ids: list[bytes]) -> None:
        """Start those of the jobs that do not run here."""
        await super().start_jobs([job_id for job_id in job_ids if job_id.decode() not in self.tasks])


def build_worker(
    queue: QueueName, plumbing: Plumbing, face: Face, *, handle_signals: bool = True, outside: Outside | None = None
) -> Worker:
    """Build the worker of one queue; a process that runs several of them handles signals itself."""
    settings = plumbing.settings
    app = build_work(plumbing, face.notifier, face.files, outside)

    async def start(ctx: dict[str, Any]) -> None:
        await app.open()
        ctx["app"] = app
        ctx["end"] = partial(end, ctx)
        ctx["group"] = group = asyncio.TaskGroup()
        await group.__aenter__()
        ctx["sending"] = group.create_task(face.sender.run())
        await sweep(ctx)
        log.info("worker_started", queue=queue)

    async def end(ctx: dict[str, Any]) -> None:
        ctx["sending"].cancel()
        await ctx["group"].__aexit__(None, None, None)
        await face.sender.finish()
        await app.close()
        await face.close()
        await plumbing.close()

    return OneOfEach(
        functions=[
            func(_as_coroutine(FUNCTIONS[job]), name=job.name, timeout=JOB_TIMEOUT_S, keep_result=0, max_tries=10**6)
            for job in JOBS
        ],
        cron_jobs=[cron(sweep, name=f"sweep:{queue}", second=SWEEP_SECONDS, run_at_startup=False, keep_result=0)],
        queue_name=queue_key(queue),
        redis_settings=redis_settings(settings.redis.url.get_secret_value()),
        on_startup=start,
        on_shutdown=end,
        handle_signals=handle_signals,
        max_jobs=AT_ONCE[queue],
        job_timeout=JOB_TIMEOUT_S,
        keep_result=0,
        poll_delay=0.1,
        health_check_interval=30,
        job_serializer=serialize,
        job_deserializer=deserialize,
        timezone=UTC,
        log_results=False,
    )


def _as_coroutine(function: Any) -> Any:
    """Pass: arq's own types want a protocol that plain functions fulfil."""
    return function


async def serve(queue: QueueName, settings: Settings, outside: Outside | None = None) -> None:
    """Serve a queue until SIGTERM; what runs then is given back, to be run again at once by whoever is there.

    Args:
        outside: None: as the settings say.
    """
    plumbing = open_plumbing(settings)
    worker = build_worker(queue, plumbing, open_face(plumbing), outside=outside)
    (ended,) = await asyncio.gather(worker.async_run(), return_exceptions=True)
    await give_back(worker)
    try:
        await worker.close()
    except (RedisError, OSError):  # arq takes its leave of Redis before it lets us end
        await worker.ctx["end"]()
    if isinstance(ended, Exception):
        raise ended
    log.info("worker_ended", queue=queue)


async def give_back(worker: Worker) -> None:
    """End the jobs that run: arq cancels them at SIGTERM, but not when it loses Redis."""
    running = {task for task in worker.tasks.values() if not task.done()}
    for task in running:
        if not task.cancelling():
            task.cancel()
    if running:
        await asyncio.wait(running, timeout=GIVE_BACK_S)
    worker.tasks.clear()


def main() -> None:
    """Run one worker by the settings of the environment."""
    parser = argparse.ArgumentParser(prog="workers.main", description=__doc__)
    parser.add_argument("queue", type=QueueName, choices=list(QueueName))
    queue = parser.parse_args().queue
    settings = Settings()
    start_logging(settings)
    asyncio.run(serve(queue, settings))


if __name__ == "__main__":
    main()
