"""The openai client's exceptions in the product's terms, for every adapter that speaks its protocol.

Text keys, each behind the caller's prefix (`llm`, `embeddings`, …):
    -rate-limited      RateLimited     429, with its wait
    -timeout           TransientError  no answer, or silence in the middle of one
    -unavailable       TransientError  5xx, or no connection
    -dropped           TransientError  the connection broke in the middle
    -broken-reply      TransientError  an answer that is none: HTML, broken JSON, an error in the stream
    -empty             TransientError  an answer without content
    -auth              PermanentError  401, 403
    -no-credit         PermanentError  402, or 429 because the account is empty
    -unknown-model     PermanentError  404
    -context-too-long  PermanentError  400 or 413 because of length
    -bad-request       PermanentError  any other 4xx
    -content-filter    PermanentError  the service withheld the answer
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2
import openai

from core.errors import KonspektError, PermanentError, RateLimited, TransientError

DEFAULT_WAIT_S = 5.0
"""For a 429 that does not say how long."""
LONGEST_WAIT_S = 3600.0
"""No service's word makes us wait longer."""

_TOO_LONG = re.compile(r"context|too long|maximum.{0,20}(?:length|tokens)|too many tokens|token limit", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient_quota|billing|credit", re.IGNORECASE)
_RATE = re.compile(r"rate.?limit|too many requests|\b429\b", re.IGNORECASE)
_SIMPLE = {401: "auth", 402: "no-credit", 403: "auth", 404: "unknown-model", 413: "context-too-long"}
_TRY_AGAIN = frozenset({408, 409, 425})


@contextmanager
def translated_errors(prefix: str, *, streaming: bool = False) -> Iterator[None]:
    """Raise what the client raises as one of our errors.

    Args:
        prefix: Beginning of the text keys.
        streaming: A connection that breaks was dropped in the middle of an answer.
    """
    try:
        yield
    except (openai.OpenAIError, httpx2.HTTPError, json.JSONDecodeError, UnicodeDecodeError, TimeoutError) as error:
        raise translate(error, prefix, streaming=streaming) from error


def translate(error: Exception, prefix: str, *, streaming: bool = False) -> KonspektError:
    """Put one exception into our terms."""
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, prefix)
    if isinstance(error, (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException)):
        return TransientError(f"{prefix}-timeout")
    if isinstance(error, (openai.APIConnectionError, httpx2.HTTPError)):
        return TransientError(f"{prefix}-dropped" if streaming else f"{prefix}-unavailable")
    if isinstance(error, openai.APIError):
        return _of_event(error, prefix)
    return TransientError(f"{prefix}-broken-reply")


def error_text(error: openai.APIError) -> str:
    """Everything the service said, to look for known words in; never to be shown."""
    return f"{error.code} {error.type} {error.message} {error.body}"[:4000]


def _of_status(error: openai.APIStatusError, prefix: str) -> KonspektError:
    status, said = error.status_code, error_text(error)
    if status == 429:
        if _NO_CREDIT.search(said):
            return PermanentError(f"{prefix}-no-credit")
        return RateLimited(f"{prefix}-rate-limited", retry_after_s=_wait_s(error.response.headers))
    if status >= 500 or status in _TRY_AGAIN:
        return TransientError(f"{prefix}-unavailable", {"status": status})
    if status in _SIMPLE:
        return PermanentError(f"{prefix}-{_SIMPLE[status]}")
    if _TOO_LONG.search(said):
        return PermanentError(f"{prefix}-context-too-long")
    return PermanentError(f"{prefix}-bad-request", {"status": status})


def _of_event(error: openai.APIError, prefix: str) -> KonspektError:
    """An error that came inside a stream that had begun with 200."""
    said = error_text(error)
    if _RATE.search(said):
        return RateLimited(f"{prefix}-rate-limited", retry_after_s=DEFAULT_WAIT_S)
    if _TOO_LONG.search(said):
        return PermanentError(f"{prefix}-context-too-long")
    return TransientError(f"{prefix}-broken-reply")


def _wait_s(headers: httpx2.Headers) -> float:
    """Read how long to wait: milliseconds, seconds or an HTTP date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            return min(max(float(value) * unit, 0.0), LONGEST_WAIT_S)
        except ValueError:
            pass
    return _until(headers.get("retry-after", ""))


def _until(date: str) -> float:
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError):
        return DEFAULT_WAIT_S
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return min(max((aware - datetime.now(UTC)).total_seconds(), 0.0), LONGEST_WAIT_S)
