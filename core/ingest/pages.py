"""Pages and their text: the one place where a page map is made and taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.model.document import Document, PageStart

_BREAK = "\n\n"
# A page ends a paragraph: what a heading or a table of the next page needs to be read as one.
_CONTINUED = "\n"
# Unless its last sentence has no end and the next page goes on in lower case.


def join_pages(pages: Mapping[int, str], *, page_count: int = 0, title: str = "") -> Document:
    """Make one text of many pages and remember where each begins.

    Args:
        pages: Page number (1-based) to its Markdown; pages without text may stand here with "" or be absent.
        page_count: Pages of the original, when more than were read.
        title: The document's own title.

    Returns:
        The pages in ascending order, split by an empty line, or by a line end where a sentence goes on over the page;
        pages without text have no entry in the map.
    """
    text = ""
    starts: list[PageStart] = []
    for number in sorted(pages):
        page = pages[number].strip()
        if page:
            text += _break(text, page)
            starts.append(PageStart(len(text), number))
            text += page
    return Document(text=text, pages=tuple(starts), page_count=max(page_count, *pages, 0), title=title.strip())


def _break(before: str, page: str) -> str:
    if not before:
        return ""
    return _CONTINUED if (before[-1].isalpha() or before[-1] in ",-") and page[0].islower() else _BREAK


def split_pages(document: Document) -> dict[int, str]:
    """Give each page's text back: the inverse of `join_pages`, empty for a document without pages."""
    if not document.pages:
        return {}
    ends = [start.offset for start in document.pages[1:]] + [len(document.text)]
    return {
        start.page: document.text[start.offset : end].strip() for start, end in zip(document.pages, ends, strict=True)
    }


def put_pages(document: Document, rescued: Mapping[int, str], *, missing: tuple[int, ...]) -> Document:
    """Replace or add single pages and rebuild the map.

    Args:
        document: What was read before.
        rescued: Page number to its new text.
        missing: Pages whose text is still not had.
    """
    merged = join_pages(split_pages(document) | dict(rescued), page_count=document.page_count, title=document.title)
    return replace(merged, missing_pages=tuple(sorted(missing)), about=document.about, lost=document.lost)
