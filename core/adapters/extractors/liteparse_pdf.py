"""PDF by liteparse: headings, lists and tables as Markdown, page by page, without models."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.adapters.extractors.pdf_pages import page_facts, without_text
from core.ingest.pages import join_pages
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

_RULE = re.compile(r"^\s*-{3,}\s*$", re.M)
# A drawn line; under a paragraph Markdown would take it for the mark of a heading.


@dataclass(slots=True)
class LiteparsePdf:
    """239 pages a second, recall 0.986; finds most headings and two tables of three."""

    name: str = "liteparse"
    deadline_s: float = 120.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        from importlib.util import find_spec

        return "" if find_spec("liteparse") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for, never more than `max_pages` (of itself liteparse stops silently at 1000)."""
        from liteparse import LiteParse

        wanted = None if request.pages is None else ",".join(map(str, request.pages))
        parser = LiteParse(
            ocr_enabled=False,
            output_format="markdown",
            image_mode="off",
            extract_links=False,
            quiet=True,
            max_pages=request.max_pages,
            target_pages=wanted,
            continue_on_page_error=True,
        )
        result = parser.parse(request.path)
        texts = {page.page_num: _RULE.sub("", page.markdown) for page in result.pages}
        texts |= {error.page_num: "" for error in result.page_errors}
        progress(len(texts), len(texts))
        document = join_pages(texts, page_count=result.total_pages)
        return replace(document, missing_pages=without_text(texts, page_facts(request.path, texts)))
