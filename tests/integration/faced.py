"""The use-cases behind a real face: what they tell lands in the outbox, and nothing is sent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bot.face import open_face
from core.settings import Settings
from core.wiring import App, build_app, open_plumbing, utc_now
from tests.fakes.openai_server import FakeOpenAI
from tests.integration.rows import Rows, open_rows
from workers.wiring import WorkApp, build_work


@asynccontextmanager
async def faced(
    database: str, redis_url: str, folder: Path, *, with_model: bool, clock: Callable[[], datetime] = utc_now
) -> AsyncIterator[tuple[App, WorkApp, Rows]]:
    """Wire a face's use-cases and a worker's over one database."""
    async with FakeOpenAI() as models, open_rows(database, redis_url) as rows:
        groups = {
            "bot": {"token": "42:SANDBOX"},
            "telegram": {"api_url": "http://127.0.0.1:9"},  # nobody sends here
            "database": {"url": database},
            "redis": {"url": redis_url},
            "embedding": {"base_url": models.url, "model": "fake-embeddings"},
            "data": {"dir": folder},
        }
        if with_model:
            groups["llm"] = {"base_url": models.url, "model": "fake-model"}
        plumbing = replace(open_plumbing(Settings(_env_file=None, **groups)), clock=clock)
        face = open_face(plumbing)
        work = build_work(plumbing, face.notifier, None)
        yield build_app(plumbing, face.notifier, file_limit_bytes=None), work, rows
        await work.close()
        await face.close()
        await plumbing.close()
