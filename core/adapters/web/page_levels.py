"""What the ways to a page have in common: the article is read in a child, and an error page is none."""

from __future__ import annotations

from pathlib import Path

from core.adapters.killable import Limits, run_killable
from core.adapters.web.article import ReadArticle
from core.errors import PermanentError, UserError
from core.ingest.extraction_failures import ExtractionFailed
from core.model.document import Document
from core.ports.documents import Progress

ARTICLE_LIMITS = Limits(deadline_s=40.0, memory_bytes=1 << 30)
# A page of the largest size that is taken needs a quarter of both.

ENOUGH_UNDER_AN_ERROR = 1500
# Characters of text with which a page is believed although its first answer was an error, as after a check for robots.


async def article_under(path: Path, url: str, status: int, progress: Progress, *, cut: bool = False) -> Document:
    """Read an article, unless the server called the page an error and little stands there.

    Raises:
        PermanentError: `link-not-found`, `link-refused`, and as `article_of` does.
    """
    if status in (404, 410):
        raise PermanentError("link-not-found", {"code": f"http-{status}"})
    document = await article_of(path, url, progress, cut=cut)
    if status >= 400 and len(document.text) < ENOUGH_UNDER_AN_ERROR:
        raise PermanentError("link-refused", {"code": f"http-{status}"})
    return document


async def article_of(path: Path, url: str, progress: Progress, *, cut: bool = False) -> Document:
    """Read a page's article in a child.

    Raises:
        ExtractionFailed, ExtractionTimeout, ExtractionOutOfMemory: The child broke or was killed.
        UserError, PermanentError: As `ReadArticle` says.
    """
    try:
        result = await run_killable(ReadArticle(str(path), url, cut), ARTICLE_LIMITS, progress)
    except UserError as error:
        if not error.text_key.startswith("source-"):
            raise
        # its bytes are no text as they came this way: a server that names no code page
        raise ExtractionFailed("extraction-failed", {"code": error.text_key}) from error
    if not isinstance(result, Document):
        raise ExtractionFailed("extraction-failed", {"code": "no-document"})
    return result
