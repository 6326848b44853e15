"""arq as the workers use it."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from arq import func
from arq.constants import in_progress_key_prefix

from core.adapters.queue import ArqQueue, deserialize, queue_key, redis_settings, serialize
from core.jobs import AnswerQuestion, QueueName
from core.model.ids import QuestionId
from tests.bot.people import until
from workers.main import OneOfEach

JOB = AnswerQuestion(QuestionId(5))


@pytest.mark.filterwarnings("ignore:Call to deprecated close:DeprecationWarning")  # arq's own
async def test_a_job_whose_lock_was_removed_is_not_started_twice_in_a_process(redis_url: str) -> None:
    starts, go_on = 0, asyncio.Event()

    async def answer_question(_ctx: dict[str, Any], question_id: int) -> None:
        nonlocal starts
        starts += 1
        await go_on.wait()

    async def started() -> bool:
        return starts > 0

    async def looked_again() -> bool:
        return len(looks) > 2

    async def done() -> bool:
        return not await worker.pool.zcard(queue_key(QueueName.QUESTIONS))

    class Watched(OneOfEach):
        async def start_jobs(self, job_ids: list[bytes]) -> None:
            looks.append(len(job_ids))
            await super().start_jobs(job_ids)

    looks: list[int] = []
    worker = Watched(
        functions=[func(answer_question, name=JOB.name)], queue_name=queue_key(JOB.queue), poll_delay=0.01,
        redis_settings=redis_settings(redis_url), handle_signals=False, keep_result=0,
        job_serializer=serialize, job_deserializer=deserialize,
    )  # fmt: skip
    queue = ArqQueue(redis_url)
    await queue.publish([JOB])
    async with asyncio.TaskGroup() as group:
        running = group.create_task(worker.async_run())
        await until(started, "its start")
        await queue.republish([JOB])
        assert not await worker.pool.exists(in_progress_key_prefix + JOB.key)
        looks.clear()
        await until(looked_again, "the worker's next look at the queue")
        assert starts == 1
        go_on.set()
        await until(done, "its end")
        assert (worker.jobs_complete, worker.jobs_failed) == (1, 0)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    await worker.close()
    await queue.close()
