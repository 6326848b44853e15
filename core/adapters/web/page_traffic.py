"""What goes on around a page while it loads: requests on their way, dialogs, other windows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic

from playwright.async_api import BrowserContext, Dialog, Page, Request
from playwright.async_api import Error as PlaywrightError

QUIET_S = 0.5
# Without a request on its way.

_BRINGS_TEXT = frozenset({"document", "script", "stylesheet", "xhr", "fetch"})
# Kinds of requests that are waited for; sockets, streams and beacons never end or bring nothing.


@dataclass
class Traffic:
    """Requests on their way; without slots, since Playwright writes into the object whose methods it calls."""

    pending: set[Request] = field(default_factory=set)
    quiet_since: float = field(default_factory=monotonic)

    def begun(self, request: Request) -> None:
        """Count a request that is waited for."""
        if request.resource_type in _BRINGS_TEXT:
            self.pending.add(request)

    def ended(self, request: Request) -> None:
        """Count one off, however it ended."""
        if request in self.pending:
            self.pending.discard(request)
            self.quiet_since = monotonic()

    @property
    def quiet(self) -> bool:
        """Nothing is on its way, and has not been for a while."""
        return not self.pending and monotonic() - self.quiet_since >= QUIET_S


def listen(context: BrowserContext, page: Page) -> Traffic:
    """Count requests, close other windows, answer every dialog."""
    traffic = Traffic()
    page.on("request", traffic.begun)
    page.on("requestfinished", traffic.ended)
    page.on("requestfailed", traffic.ended)
    page.on("dialog", _dismiss)
    context.on("page", _shut)
    return traffic


async def _dismiss(dialog: Dialog) -> None:
    with suppress(PlaywrightError):
        await (dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss())


async def _shut(popup: Page) -> None:
    with suppress(PlaywrightError):
        await popup.close()
