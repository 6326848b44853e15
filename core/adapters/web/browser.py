"""One browser for the process: started when first needed, shared by a few pages, renewed before it grows old."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import structlog
from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from core.adapters.process_group import kill_group, resident_bytes
from core.adapters.web.browser_running import Running, end_browser, open_context, start_browser
from core.adapters.web.chromium import find_browser
from core.adapters.web.egress import Egress
from core.adapters.web.lease import Lease
from core.adapters.web.page_load import Rendered, load
from core.errors import PermanentError

log = structlog.get_logger()

PAGES_A_BROWSER = 100
# Then it is renewed: it grows by about a megabyte a page.

PAGE_BYTES = 48 << 20
# Of all that one page loads; the heaviest of the thousand that were measured took a third.

MEMORY_BYTES = 4 << 30
# Of all its processes; what they share counts for each, so that four ordinary pages come to a third.

WATCH_S = 1.0


@dataclass(slots=True)
class BrowserPool:
    """The pool: `load` opens a page, `close` ends the browser (it starts again when needed).

    Attributes:
        egress: Started; the browser has no other way out.
        executable: "": the one that is installed.
        parallel: Pages at once.
    """

    egress: Egress
    executable: str = ""
    parallel: int = 3
    page_bytes: int = PAGE_BYTES
    memory_bytes: int = MEMORY_BYTES
    _slots: asyncio.Semaphore = field(init=False)
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _now: Running | None = None

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.parallel)

    def unavailable(self) -> str:
        """Say why no browser can be started; "" when it can."""
        return "" if find_browser(self.executable) else "not-installed"

    async def load(self, url: str, *, deadline_s: float) -> Rendered:
        """Show a page and return what it then holds; a browser that dies meanwhile is replaced, once.

        Args:
            url: Checked by `canonical_page`.
            deadline_s: From the moment there is a free place.

        Raises:
            UserError: `link-private`, `link-not-found`.
            TransientError: `link-unreachable`.
            PermanentError: `link-refused`, or what `core.adapters.web.page_load` says.
            TimeoutError: The page showed nothing in time.
        """
        async with self._slots:
            async with asyncio.timeout(deadline_s):
                try:
                    return await self._once(url, deadline_s)
                except _Died:
                    log.warning("browser_died")
                try:
                    return await self._once(url, deadline_s)
                except _Died as died:
                    raise PermanentError("link-refused", {"code": "browser-died"}) from died

    async def close(self) -> None:
        """End the browser; to be called when no page is open."""
        running, self._now = self._now, None
        if running is not None:
            await end_browser(running)

    async def _once(self, url: str, deadline_s: float) -> Rendered:
        running = await self._browser()
        try:
            with self.egress.lease(self.page_bytes) as lease:
                async with open_context(running, lease) as context:
                    return await self._watched(running, context, url, lease, deadline_s)
        except (PlaywrightError, TimeoutError) as error:
            if not running.browser.is_connected() or "closed" in str(error):
                raise _Died from error
            if isinstance(error, TimeoutError):
                raise
            raise PermanentError("link-refused", {"code": "browser-error"}) from error
        finally:
            await self._leave(running)

    async def _watched(
        self, running: Running, context: BrowserContext, url: str, lease: Lease, deadline_s: float
    ) -> Rendered:
        """Load while somebody looks at the memory."""
        try:
            async with asyncio.TaskGroup() as group:
                guard = group.create_task(self._guard(running))
                rendered = await load(context, url, lease, deadline_s=deadline_s)
                guard.cancel()
            return rendered
        except ExceptionGroup as group_error:
            raise group_error.exceptions[0] from None

    async def _guard(self, running: Running) -> None:
        """Kill a browser that takes too much; whoever has a page in it tries again in another."""
        while True:
            await asyncio.sleep(WATCH_S)
            if await asyncio.to_thread(resident_bytes, running.group) > self.memory_bytes:
                log.warning("browser_too_large")
                kill_group(running.group)
                return

    async def _browser(self) -> Running:
        """Give a browser that takes another page; counts the caller in."""
        async with self._starting:
            if self._now is None or not self._now.usable(PAGES_A_BROWSER):
                old, self._now = self._now, None
                if old is not None and not old.active:
                    await end_browser(old)
                self._now = await start_browser(find_browser(self.executable), self.egress.address)
            self._now.served += 1
            self._now.active += 1
            return self._now

    async def _leave(self, running: Running) -> None:
        """Count the caller out; the last one in a replaced browser ends it."""
        running.active -= 1
        if not running.active and running is not self._now:
            await asyncio.shield(end_browser(running))


class _Died(Exception):
    """The browser went away under a page."""
