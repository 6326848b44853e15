"""A running browser: how it is started, how a visitor's session opens in it, and how it ends."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import structlog
from playwright.async_api import Browser, BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from core.adapters.process_group import kill_group
from core.adapters.web.browser_process import group_of
from core.adapters.web.chromium import appearance, arguments, environment, sandboxed
from core.adapters.web.lease import USER, Lease
from core.errors import TransientError

log = structlog.get_logger()

START_S = 30.0
CLOSE_S = 5.0
# A browser or page that does not close by then is killed.


@dataclass(slots=True, eq=False)
class Running:
    """A browser with what is known of it."""

    playwright: Playwright
    browser: Browser
    group: int
    served: int = 0
    active: int = 0

    def usable(self, pages: int) -> bool:
        """Say whether another page may open in it, of so many in all."""
        return self.served < pages and self.browser.is_connected()


async def start_browser(executable: str, proxy: str) -> Running:
    """Start a browser whose own traffic the proxy refuses, since it knows no password: only pages get one."""
    mark = secrets.token_hex(8)
    playwright = await async_playwright().start()
    try:
        browser = await playwright.chromium.launch(
            executable_path=executable,
            args=arguments(mark),
            env=environment(),
            chromium_sandbox=sandboxed(),
            proxy={"server": proxy},
            timeout=START_S * 1000,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
        group = await asyncio.to_thread(group_of, mark)
    except (PlaywrightError, LookupError) as error:
        await playwright.stop()
        raise TransientError("link-unreachable", {"code": "browser-no-start"}) from error
    log.info("browser_started", version=browser.version)
    return Running(playwright, browser, group)


async def end_browser(running: Running) -> None:
    """Close a browser, or kill what is left of it."""
    with suppress(PlaywrightError, TimeoutError):
        async with asyncio.timeout(CLOSE_S):
            await running.browser.close()
    kill_group(running.group)
    with suppress(PlaywrightError, TimeoutError):
        async with asyncio.timeout(CLOSE_S):
            await running.playwright.stop()


@asynccontextmanager
async def open_context(running: Running, lease: Lease) -> AsyncIterator[BrowserContext]:
    """Open a visitor's session with its own pass through the proxy, and leave no trace of it."""
    seen = appearance(running.browser.version)
    context = await running.browser.new_context(
        proxy={"server": lease.proxy, "username": USER, "password": lease.password},
        user_agent=seen.user_agent,
        viewport={"width": seen.width, "height": seen.height},
        locale=seen.locale,
        timezone_id=seen.zone,
        extra_http_headers=dict(seen.headers),
        service_workers="block",
        accept_downloads=False,
        permissions=[],
    )
    try:
        yield context
    finally:
        await asyncio.shield(_close(running, context))


async def _close(running: Running, context: BrowserContext) -> None:
    try:
        async with asyncio.timeout(CLOSE_S):
            await context.close()
    except TimeoutError:  # a script that never yields holds it
        kill_group(running.group)
    except PlaywrightError:
        pass  # it went with its browser
