"""Jobs over arq: three queues in Redis, JSON messages, one lock a job.

arq is in maintenance upstream and confined to this module and `workers/`. Postgres is the truth; what Redis loses the
sweep publishes again from rows.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from arq.connections import ArqRedis, RedisSettings, create_pool
from arq.constants import in_progress_key_prefix, retry_key_prefix
from redis.exceptions import RedisError

from core.errors import TransientError
from core.jobs import Job, QueueName, job_payload

CONNECT_TIMEOUT_S = 5
CALL_TIMEOUT_S = 10
"""For one batch of jobs: whoever publishes after a commit must not hang with a hung Redis."""


def queue_key(queue: QueueName) -> str:
    """Name a queue in Redis."""
    return f"konspekt:{queue}"


def serialize(message: dict[str, Any]) -> bytes:
    """Write a message of arq as JSON; an exception in a result becomes its type's name."""
    return json.dumps(message, default=lambda value: type(value).__name__).encode()


def deserialize(data: bytes) -> dict[str, Any]:
    """Read a message of arq."""
    message: dict[str, Any] = json.loads(data)
    return message


def redis_settings(url: str) -> RedisSettings:
    """Turn an address into arq's settings, with a time-out."""
    settings = RedisSettings.from_dsn(url)
    settings.conn_timeout = CONNECT_TIMEOUT_S
    settings.conn_retries = 1
    return settings


class ArqQueue:
    """See `core.ports.JobQueue`; connects at the first use."""

    def __init__(self, url: str) -> None:
        self._settings = redis_settings(url)
        self._pool: ArqRedis | None = None

    async def publish(self, jobs: Sequence[Job]) -> None:
        """Enqueue; a job whose equal still waits or runs is not enqueued twice."""
        async with _answering():
            pool = await self._connected()
            for job in jobs:
                await pool.enqueue_job(job.name, _job_id=job.key, _queue_name=queue_key(job.queue), **job_payload(job))

    async def republish(self, jobs: Sequence[Job]) -> None:
        """Remove what a killed worker left of each job, then enqueue.

        Safe only for jobs whose rows nobody holds: the lock of arq says less than the lease in Postgres.
        """
        async with _answering():
            pool = await self._connected()
            for job in jobs:
                await pool.delete(in_progress_key_prefix + job.key, retry_key_prefix + job.key)
        await self.publish(jobs)

    async def close(self) -> None:
        """Free the connections."""
        if self._pool is not None:
            await self._pool.aclose()
            self._pool = None

    async def _connected(self) -> ArqRedis:
        if self._pool is None:
            self._pool = await create_pool(self._settings, job_serializer=serialize, job_deserializer=deserialize)
        return self._pool


@asynccontextmanager
async def _answering() -> AsyncIterator[None]:
    """Give Redis so long to answer; silence and refusals are one `TransientError`."""
    try:
        async with asyncio.timeout(CALL_TIMEOUT_S):
            yield
    except (RedisError, OSError) as error:  # a time-out is an OSError
        raise TransientError("queue-away") from error


class NoQueue:
    """A queue for a process that does the work itself (the command line): rows alone remember."""

    async def publish(self, jobs: Sequence[Job]) -> None:
        """Do nothing."""

    async def republish(self, jobs: Sequence[Job]) -> None:
        """Do nothing."""
