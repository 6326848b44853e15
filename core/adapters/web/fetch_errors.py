"""What went wrong on the way to a page, sorted by who must act."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import urlsplit

import httpx2

from core.adapters.web.lease import PRIVATE, UNKNOWN, Lease
from core.errors import KonspektError, PermanentError, RateLimited, TransientError, UserError

LOGIN_HOSTS = frozenset(
    {
        "accounts.google.com",
        "passport.yandex.ru",
        "login.microsoftonline.com",
        "login.live.com",
        "id.vk.com",
        "id.vk.ru",
    }
)
# Where a link that is not open to everybody is redirected.

MAX_WAIT_S = 600.0
# A server that asks for a longer pause is tried again by the queue's own plan.


def answered(response: httpx2.Response) -> None:
    """Let a good answer pass.

    Raises:
        UserError: `link-not-found`, `link-login`.
        TransientError: 429 and 5xx.
        PermanentError: `link-refused`: any other status above 299.
    """
    if urlsplit(str(response.url)).hostname in LOGIN_HOSTS:
        raise UserError("link-login")
    status = response.status_code
    if status < 300:
        return
    if status in (404, 410):
        raise UserError("link-not-found")
    challenged = "challenge" in response.headers.get("cf-mitigated", "")
    if status == 429 and not challenged:
        raise RateLimited("link-unreachable", {"code": "http-429"}, _wait(response))
    if status >= 500 and not challenged:
        raise TransientError("link-unreachable", {"code": f"http-{status}"})
    raise PermanentError("link-refused", {"code": f"http-{status}"})


def _wait(response: httpx2.Response) -> float:
    with suppress(ValueError):
        return min(MAX_WAIT_S, max(1.0, float(response.headers.get("Retry-After", ""))))
    return 30.0


def refused_by(lease: Lease, host: str) -> KonspektError:
    """Word why the proxy dialled nothing."""
    why = lease.why_not(host)
    if why == PRIVATE:
        return UserError("link-private")
    if why == UNKNOWN:
        return UserError("link-not-found")
    return TransientError("link-unreachable", {"code": why})


def broken(error: Exception, lease: Lease, host: str) -> KonspektError:
    """Translate an error of the HTTP client."""
    if lease.why_not(host):
        return refused_by(lease, host)
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol | UnicodeError):
        return UserError("link-invalid")
    if isinstance(error, httpx2.DecodingError | httpx2.RemoteProtocolError):
        return PermanentError("link-refused", {"code": type(error).__name__})
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return PermanentError("link-refused", {"code": "certificate"})
    return TransientError("link-unreachable", {"code": type(error).__name__})
