"""One page in the browser: opened, waited for, and taken as it then stands, however it resists."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

import structlog
from playwright.async_api import BrowserContext, Page, Response, Route
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from core.adapters.web.fetch_errors import refused_by
from core.adapters.web.isolated import Isolated
from core.adapters.web.lease import PRIVATE, Lease
from core.adapters.web.page_traffic import Traffic, listen
from core.errors import PermanentError, UserError

log = structlog.get_logger()

MAX_HTML = 5_000_000
# Characters: a book of 2000 pages; more is no article.

OPEN_S = 15.0
# For the document itself.

SETTLE_S = 3.0
# After the document is there, for scripts that write the article.

STABLE_S = 1.5
# Without a change of the text's length, for pages that never stop asking; three times the quiet that others need.

ASK_S = 0.5
# Between two questions how long the text is.

POLL_S = 0.1
ENOUGH_TEXT = 250
# Characters: with fewer something is still to come.

_REFUSED = re.compile(
    r"^(?!https?:|data:|blob:|about:)"
    r"|^https?:[^?#]*\.(?:mp4|webm|m3u8|ts|mp3|ogg|m4a|woff2?|ttf|otf|eot)(?:[?#]|$)",
    re.I,
)
# Schemes that are not the web's, and files without words.
# Pictures are not loaded at all (see `core.adapters.web.chromium`).


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a page holds after its scripts ran.

    Attributes:
        url: Where redirects and scripts led.
        status: Of the document, 0 when it came from none.
        html: UTF-8 text of the whole document, at most `MAX_HTML` characters.
        cut: It was longer.
    """

    url: str
    status: int
    html: str
    cut: bool = False


async def load(context: BrowserContext, url: str, lease: Lease, *, deadline_s: float) -> Rendered:
    """Open an address in a fresh context and return what is there once it stands still.

    Raises:
        UserError: `link-invalid`, `link-private`, `link-not-found`.
        TransientError: `link-unreachable`.
        PermanentError: `link-refused` with a code: `download`, `too-large`, `crashed`, `left-the-web`, `err-…`.
        TimeoutError: Nothing to read was there in time.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise UserError("link-invalid")
    await context.route(_REFUSED, _abort)
    page = await context.new_page()
    traffic = listen(context, page)
    response = await _open(page, url, lease, min(OPEN_S, deadline_s / 2))
    isolated = await Isolated.of(page)
    await _settle(isolated, traffic)
    html, cut = await _taken(isolated)
    _came_from_outside(page.url, lease)
    if lease.exhausted and len(html) < ENOUGH_TEXT:
        raise PermanentError("link-refused", {"code": "too-large"})
    return Rendered(page.url, response.status if response else 0, html, cut)


async def _abort(route: Route) -> None:
    with suppress(PlaywrightError):
        await route.abort()


async def _open(page: Page, url: str, lease: Lease, seconds: float) -> Response | None:
    """Navigate; a document that never ends is taken as far as it came."""
    try:
        response = await page.goto(url, wait_until="domcontentloaded", timeout=seconds * 1000)
    except PlaywrightTimeout:
        return None
    except PlaywrightError as error:
        _raise_known(error, url, page.url, lease)
        raise
    _came_from_outside(page.url, lease)
    return response


def _raise_known(error: PlaywrightError, url: str, now: str, lease: Lease) -> None:
    """Translate what a navigation may fail with; return for anything else."""
    text = error.message
    if "Download is starting" in text or "ERR_ABORTED" in text:
        raise PermanentError("link-refused", {"code": "download"}) from error
    hosts = [urlsplit(address).hostname or "" for address in (url, now)]
    refused = [host for host in hosts if lease.why_not(host)]
    if refused or PRIVATE in lease.refused.values():  # a redirect that led inside has no address of its own here
        raise (refused_by(lease, refused[0]) if refused else UserError("link-private")) from error
    if lease.exhausted:
        raise PermanentError("link-refused", {"code": "too-large"}) from error
    if "crashed" in text:
        raise PermanentError("link-refused", {"code": "crashed"}) from error
    if code := re.search(r"net::(ERR_\w+)", text):
        raise PermanentError("link-refused", {"code": code[1].lower().replace("_", "-")}) from error


def _came_from_outside(url: str, lease: Lease) -> None:
    """Refuse what stands there when the proxy refused the document itself, or when it is a page of the browser's."""
    parts = urlsplit(url)
    if lease.why_not(parts.hostname or ""):
        raise refused_by(lease, parts.hostname or "")
    if parts.scheme not in ("http", "https"):
        if PRIVATE in lease.refused.values():
            raise UserError("link-private")
        raise PermanentError("link-refused", {"code": "left-the-web"})


async def _settle(isolated: Isolated, traffic: Traffic) -> None:
    """Wait until the network or the text stands still, a little while at most; the page is asked seldom."""
    ends = monotonic() + SETTLE_S
    length, since, asked = -1, monotonic(), 0.0
    while (now := monotonic()) < ends:
        if traffic.quiet or now - asked >= ASK_S:
            asked, found = now, await isolated.text_length()
            if found != length:
                length, since = found, now
            if length >= ENOUGH_TEXT and (traffic.quiet or now - since >= STABLE_S):
                return
        await asyncio.sleep(POLL_S)


async def _taken(isolated: Isolated) -> tuple[str, bool]:
    """Take the document, no more of it than allowed.

    Raises:
        TimeoutError: A script that never yields holds the page.
    """
    html = await isolated.html(MAX_HTML + 1)
    if not html:
        raise TimeoutError
    return html[:MAX_HTML], len(html) > MAX_HTML
