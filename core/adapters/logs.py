"""Logging of every process: structlog's events and the libraries' lines in one form, on standard error.

Ids, sizes and durations go in; users' text, tokens and prompts never do. So tracebacks are printed without the values
of variables, and what looks like a bot's token is blotted out wherever a library puts it.
"""

import logging
import re
import sys
from collections.abc import Mapping
from typing import Protocol

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

TOKEN = re.compile(r"\d{2,}:[A-Za-z0-9_-]{20,}")
"""A bot's token as Telegram makes it; libraries put it into URLs."""

QUIET = ("httpx", "httpcore", "aiohttp.access", "alembic", "arq.worker", "aiogram.event")
"""Libraries that log every request; their warnings stay."""


class LogOptions(Protocol):
    """What the settings say about logging."""

    @property
    def format(self) -> str:
        """`json` for production, `console` for people."""

    @property
    def level(self) -> str:
        """Name of the least level that is shown."""


def configure_logging(log: LogOptions) -> None:
    """Set up structlog and the standard library's logging for this process.

    May be called again; the last call wins.
    """
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_shared(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(log.format))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(log.level.upper())
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def _shared() -> list[Processor]:
    """What happens to every line, ours or a library's."""
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _formatter(form: str) -> logging.Formatter:
    """Render as one JSON object a line, or as a line for people."""
    renderer: list[Processor] = (
        [structlog.processors.format_exc_info, blot_tokens, structlog.processors.JSONRenderer(ensure_ascii=False)]
        if form == "json"
        else [structlog.processors.format_exc_info, blot_tokens, _console()]
    )
    remove = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=_shared(), processors=[remove, *renderer])


def _console() -> structlog.dev.ConsoleRenderer:
    return structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback, pad_event_to=0
    )


def blot_tokens(_logger: WrappedLogger, _method: str, event: EventDict) -> Mapping[str, object]:
    """Replace every bot token in the values of a line."""
    return {key: TOKEN.sub("***", value) if isinstance(value, str) else value for key, value in event.items()}
