"""A page as a browser shows it, with everything that its scripts wrote."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.adapters.web.browser import BrowserPool
from core.adapters.web.page_levels import article_under
from core.adapters.web.special import special_address
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

LOAD_S = 35.0
# For the page in the browser: opening, settling, taking, and one more try when the browser died.


@dataclass(frozen=True, slots=True)
class BrowserPage:
    """The first level: one page a link in the pooled browser, then readability in a child."""

    pool: BrowserPool
    name: str = "browser"
    deadline_s: float = 150.0

    def unavailable(self) -> str:
        """Say whether there is a browser."""
        return self.pool.unavailable()

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Show the page and read its article.

        Raises:
            UserError: `link-private`, `link-invalid`, `link-not-found`, `link-telegram-closed`.
            TransientError: `link-unreachable`.
            PermanentError: `link-…`: what stands in the article's place; another level may be luckier.
        """
        rendered = await self.pool.load(special_address(request.url), deadline_s=LOAD_S)
        with tempfile.TemporaryDirectory(prefix="konspekt-page-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "page.html"
            await asyncio.to_thread(path.write_text, rendered.html, encoding="utf-8", errors="ignore")
            return await article_under(path, rendered.url, rendered.status, progress, cut=rendered.cut)
