"""From a paper's address to the paper itself."""

from __future__ import annotations

import html
import re
from urllib.parse import urljoin, urlsplit

from core.library.paper_links import arxiv_id

HEAD_BYTES = 512 * 1024
# Of a page in which a publisher names the PDF: it does so in the head.

_META = re.compile(rb"<meta\s[^>]{1,2000}>", re.I)
_NAMED = re.compile(rb"""name\s*=\s*["']?citation_pdf_url["'\s]""", re.I)
_CONTENT = re.compile(rb"""content\s*=\s*(?:"([^"]{1,2000})"|'([^']{1,2000})')""", re.I)


def paper_pdf(url: str) -> str:
    """Give the address of the PDF behind an address of arXiv (abstract, HTML, PDF, its DOI); "" for any other."""
    paper = arxiv_id(url)
    return f"https://arxiv.org/pdf/{paper}" if paper else ""


def cited_pdf(page: bytes, base: str) -> str:
    """Give the address that a publisher's page names as the paper's PDF (Highwire's `citation_pdf_url`); "" for none.

    Args:
        page: The page's bytes; only their beginning is looked at.
        base: The page's own address.
    """
    for meta in _META.finditer(page[:HEAD_BYTES]):
        found = _CONTENT.search(meta[0]) if _NAMED.search(meta[0]) else None
        if found:
            named = html.unescape((found[1] or found[2]).decode("utf-8", errors="replace")).strip()
            absolute = urljoin(base, named)
            return absolute if urlsplit(absolute).scheme in ("http", "https") else ""
    return ""
