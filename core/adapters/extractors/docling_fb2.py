"""FB2 books: their few elements as HTML, which docling reads."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.adapters.extractors.docling_documents import installed
from core.errors import UserError
from core.model.document import Document
from core.model.source import About
from core.ports.documents import ExtractionRequest, Progress

if TYPE_CHECKING:
    from lxml.etree import _Element

_SPACE = "{http://www.gribuser.ru/xml/fictionbook/2.0}"
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{3,24})["']""")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,200}\?>")

_TAGS = {
    "p": "p", "v": "p", "subtitle": "h4", "epigraph": "blockquote", "cite": "blockquote", "text-author": "p",
    "emphasis": "em", "strong": "strong", "code": "code", "sub": "sub", "sup": "sup", "strikethrough": "s",
    "table": "table", "tr": "tr", "td": "td", "th": "th",
}  # fmt: skip
# FB2's elements to HTML's; others become `div`, pictures nothing.

_DEEPEST = 6
# HTML has no deeper heading.


@dataclass(frozen=True, slots=True)
class DoclingFb2:
    """Recall 1.000; sections within sections become headings of their depth."""

    name: str = "docling-fb2"
    deadline_s: float = 120.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        return installed()

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the bodies in their order, notes last."""
        from docling.datamodel.base_models import InputFormat
        from docling.document_converter import HTMLFormatOption

        from core.adapters.extractors.docling_documents import convert, stream, whole

        book = book_of(request.path)
        page = as_html(book)
        document = whole(convert(stream(page, "html"), InputFormat.HTML, HTMLFormatOption()))
        progress(1, 1)
        title, about = told_by(book)
        return replace(document, title=title, about=about)


def book_of(path: str) -> _Element:
    """Parse a book, also out of its ZIP, decoded by our own decoder; broken XML is read as far as it goes.

    Raises:
        UserError: `source-damaged`, and as `decode` does.
    """
    from lxml import etree

    from core.adapters.decoding import decode_marked

    data = Path(path).read_bytes()
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            name = next(name for name in archive.namelist() if name.lower().endswith(".fb2"))
            data = archive.read(name)
    declared = _DECLARED.search(data[:1024])
    text = decode_marked(data, declared[1].decode() if declared else "")
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=True, encoding="utf-8")
    root = etree.fromstring(_DECLARATION.sub("", text).encode(), parser)
    if root is None:
        raise UserError("source-damaged")
    for binary in list(root.iter(f"{_SPACE}binary", "binary")):
        binary.getparent().remove(binary)
    return root


def told_by(book: _Element) -> tuple[str, About]:
    """Return the book's title, and its authors and year; empty where it says nothing."""
    info = next((item for item in book.iter() if _name(item) == "title-info"), None)
    if info is None:
        return "", About()
    parts = {_name(item): " ".join("".join(item.itertext()).split()) for item in info}
    authors = [
        " ".join(words)
        for item in info
        if _name(item) == "author"
        and (words := [(part.text or "").strip() for part in item if _name(part).endswith("-name") and part.text])
    ]
    return parts.get("book-title", ""), About(author=", ".join(authors), published=parts.get("date", "")[:10])


def as_html(book: _Element) -> bytes:
    """Turn a book into a page of HTML, in UTF-8."""
    from lxml import etree

    page = etree.Element("html")
    body = etree.SubElement(page, "body")
    for part in book:
        if _name(part) == "body":
            _fill(body, part, depth=1)
    written: bytes = etree.tostring(page, encoding="utf-8", method="html")
    return b"<!DOCTYPE html>" + written


def _fill(target: _Element, source: _Element, *, depth: int) -> None:
    """Append a source element's words and children to an HTML element."""
    from lxml import etree

    for child in source:
        name = _name(child)
        if name == "title":
            heading = etree.SubElement(target, f"h{min(depth, _DEEPEST)}")
            heading.text = " ".join("".join(child.itertext()).split())
        elif name not in ("image", "empty-line", ""):
            made = etree.SubElement(target, _TAGS.get(name, "span" if name == "a" else "div"))
            made.text = child.text
            _fill(made, child, depth=depth + (name == "section"))
            made.tail = child.tail


def _name(element: _Element) -> str:
    """Return an element's name without its namespace, "" for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
