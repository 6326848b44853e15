"""The article of a page: what a reader came for, without what stands around it. Runs in a child that may be killed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from core.adapters.web.about_page import about_page
from core.adapters.web.junk import TEXT_KEYS, Seen, junk
from core.adapters.web.markdown import to_markdown
from core.adapters.web.page_tree import decode_page, parse, prune
from core.adapters.web.telegram_posts import is_telegram, read_posts
from core.errors import PermanentError
from core.model.document import Document
from core.model.source import Reason
from core.ports.documents import Progress

Element = Any
"""An element of lxml, which has no types."""

MAX_PAGE_BYTES = 20_000_000
# Of HTML; what is behind is not read.

SHORT = 250
# Characters: with fewer the extractor missed the article, and the other one is asked (measured on 1171 pages).

WRONG_PLACE = 0.15
# Of the text that the page shows: with less the extractor may have taken a box beside the article.

LINKS = 0.4
# Of a list's or table's text: with more it leads elsewhere rather than tells something.

_DISGUISES = {"ul": "x-ul", "table": "x-table"}
_UNMASKED = {disguise: tag for tag, disguise in _DISGUISES.items()}

PROBABLY = 2000
# Characters that a page shows before that share says anything.


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """The child's task.

    Attributes:
        path: HTML in whatever encoding.
        url: Where it was found.
        cut: Its end is missing.
    """

    path: str
    url: str
    cut: bool = False

    def __call__(self, progress: Progress) -> Document:
        """Read it.

        Raises:
            PermanentError: `link-captcha`, `link-login`, `link-not-found`, `link-parked`, `link-empty`, with a `code`.
            UserError: As `decode` and `read_posts` do.
        """
        with Path(self.path).open("rb") as file:
            data = file.read(MAX_PAGE_BYTES + 1)
        document = read_article(decode_page(data[:MAX_PAGE_BYTES]), self.url)
        progress(1, 1)
        cut = self.cut or len(data) > MAX_PAGE_BYTES
        return replace(document, lost=(*document.lost, Reason("lost-page-end", {}))) if cut else document


def read_article(page: str, url: str) -> Document:
    """Turn a page's HTML into a document, or say what stands in its place (see `ReadArticle`)."""
    if not page.strip():
        raise PermanentError("link-empty", {"code": "empty"})
    root = parse(page)
    if is_telegram(url) and (posts := read_posts(root)) is not None:
        return posts
    title, about = about_page(root, url)
    has_password = bool(root.xpath("//input[@type='password']"))
    prune(root)
    body = " ".join(root.text_content().split())
    text = best_text(root, len(body))
    if code := junk(Seen(title, text, body, page, has_password)):
        raise PermanentError(TEXT_KEYS.get(code, "link-empty"), {"code": code})
    return Document(_titled(text, title), title=title, about=about)


def best_text(root: Element, shown: int) -> str:
    """Give the article as Markdown: by readability, by trafilatura where that finds too little, else all of the body.

    Args:
        root: Pruned; it is not changed.
        shown: Characters of text in the page.
    """
    from lxml import html

    source = html.tostring(root, encoding="unicode")
    first = _by_readability(root)
    if len(first) >= SHORT and (shown < PROBABLY or len(first) >= WRONG_PLACE * shown):
        return first
    second = _by_trafilatura(source)
    best = max(first, second, key=len)
    return best if len(best) >= SHORT else max(best, _by_body(root), key=len)


def _by_readability(root: Element) -> str:
    """Let readability find the article; short lists and tables go under other names meanwhile, or it drops them."""
    from copy import deepcopy

    from lxml import html
    from readability import Document as Readable  # type: ignore[import-untyped]

    copy = deepcopy(root)
    for element in copy.iter(*_DISGUISES):
        if _link_share(element) < LINKS:
            element.tag = _DISGUISES[element.tag]
    with suppress(Exception):  # it raises whatever its heuristics stumble over
        found = parse(Readable(html.tostring(copy, encoding="unicode")).summary(html_partial=True))
        for element in found.iter(*_UNMASKED):
            element.tag = _UNMASKED[element.tag]
        return to_markdown(found)
    return ""


def _link_share(element: Element) -> float:
    """Give the share of links in an element's text."""
    linked = sum(len(link.text_content()) for link in element.iter("a"))
    return linked / max(1, len(element.text_content()))


def _by_trafilatura(source: str) -> str:
    import trafilatura

    with suppress(Exception):  # as above
        found = trafilatura.extract(
            source, output_format="html", include_tables=True, include_formatting=True, include_comments=False
        )
        return to_markdown(parse(found)) if found else ""
    return ""


def _by_body(root: Element) -> str:
    """Give all of the page but its frame: for pages that are a list or a table rather than an article."""
    from copy import deepcopy

    body = deepcopy(root.find("body") if root.find("body") is not None else root)
    for element in list(body.iter("nav", "header", "footer", "aside", "form", "button")):
        if element is not body:
            element.drop_tree()
    return to_markdown(body)


def _titled(text: str, title: str) -> str:
    """Set the title before a text that does not begin with it: passages are cited with their headings."""
    return text if not title or text.startswith("# ") or title in text[:400] else f"# {title}\n\n{text}"
