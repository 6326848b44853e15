"""A page as its server sends it, without a browser: the last level."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from core.adapters.web.article import MAX_PAGE_BYTES
from core.adapters.web.page_levels import article_under
from core.errors import PermanentError
from core.model.document import Document
from core.ports.documents import ExtractionRequest, LinkFetcher, Progress


@dataclass(frozen=True, slots=True)
class HttpPage:
    """Reads the bytes that were fetched already, or fetches them."""

    fetcher: LinkFetcher
    name: str = "http"
    deadline_s: float = 100.0

    def unavailable(self) -> str:
        """It needs nothing."""
        return ""

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the article.

        Raises:
            UserError, TransientError: As the fetcher does.
            PermanentError: `link-…`: what stands in the article's place, or `link-refused`.
        """
        if request.path:
            return await article_under(Path(request.path), request.url, 200, progress)
        with tempfile.TemporaryDirectory(prefix="konspekt-page-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "page.html"
            fetched = await self.fetcher.fetch(request.url, path, max_bytes=MAX_PAGE_BYTES)
            if not fetched.is_page:
                raise PermanentError("link-refused", {"code": "not-a-page"})
            return await article_under(path, fetched.url, 200, progress)
