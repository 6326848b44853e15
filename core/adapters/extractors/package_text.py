"""The bare words of a file of XML or HTML, in order: for files on which docling fails or is killed."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from core.adapters.decoding import decode
from core.ingest.pages import join_pages
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Progress

if TYPE_CHECKING:
    from lxml.etree import _Element

_BLOCKS = frozenset(
    {
        "p", "div", "li", "td", "th", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "section",
        "article", "v", "title", "subtitle", "br", "dt", "dd", "table",
    }
)  # fmt: skip
# Elements of HTML and FB2 that end a paragraph.

_UNSEEN = frozenset(
    {
        "script", "style", "head", "template", "noscript", "binary", "description",
    }
)  # fmt: skip
_PAGES = (".xhtml", ".html", ".htm")


@dataclass(frozen=True, slots=True)
class PackageText:
    """Headings, lists and tables as paragraphs; slides keep their numbers."""

    name: str = "bare-text"
    deadline_s: float = 90.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        from importlib.util import find_spec

        return "" if find_spec("lxml") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the words and nothing else."""
        document = _read(request)
        progress(1, 1)
        return document


def _read(request: ExtractionRequest) -> Document:
    if request.kind is SourceKind.PPTX:
        return _slides(request.path)
    if request.kind in (SourceKind.ODT, SourceKind.ODP):
        from core.adapters.extractors.odf_text import odf_paragraphs

        return Document("\n\n".join(text for text, _places in odf_paragraphs(request.path)))
    if request.kind is SourceKind.EPUB:
        return Document("\n\n".join(_chapters(request.path)))
    if request.kind is SourceKind.FB2:
        from core.adapters.extractors.docling_fb2 import book_of

        return Document("\n\n".join(_paragraphs(book_of(request.path))))
    return Document("\n\n".join(_page(decode(Path(request.path).read_bytes()).encode())))


def _slides(path: str) -> Document:
    from core.adapters.extractors.slide_parts import slide_parts

    slides = {
        number: "\n\n".join([*slide.paragraphs, *slide.notes]) for number, slide in enumerate(slide_parts(path), 1)
    }
    return join_pages(slides)


def _chapters(path: str) -> Iterator[str]:
    """Yield the paragraphs of a book's pages in the order of its package, or of its directory."""
    with zipfile.ZipFile(path) as archive:
        for name in _in_order(archive):
            yield from _page(archive.read(name))


def _in_order(archive: zipfile.ZipFile) -> list[str]:
    from lxml import etree

    names = archive.namelist()
    package = next((name for name in names if name.endswith(".opf")), "")
    pages = [name for name in names if name.lower().endswith(_PAGES)]
    if not package:
        return pages
    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)
    root = etree.fromstring(archive.read(package), parser)
    hrefs = {item.get("id"): unquote(item.get("href", "")) for item in root.iter("{*}item")} if root is not None else {}
    folder = posixpath.dirname(package)
    spine = root.iter("{*}itemref") if root is not None else ()
    named = [posixpath.normpath(posixpath.join(folder, hrefs.get(item.get("idref"), ""))) for item in spine]
    return [name for name in named if name in names] or pages


def _page(data: bytes) -> Iterator[str]:
    from lxml import html

    if data.strip():
        root = html.document_fromstring(data, parser=html.HTMLParser(encoding="utf-8", no_network=True))
        yield from _paragraphs(root)


def _paragraphs(root: _Element) -> Iterator[str]:
    """Yield the words between the ends of paragraphs."""
    pieces: list[str] = []
    for piece in _pieces(root):
        if piece is None:
            text = " ".join("".join(pieces).split())
            pieces.clear()
            if text:
                yield text
        else:
            pieces.append(piece)


def _pieces(root: _Element) -> Iterator[str | None]:
    """Walk without recursion: the words as they stand, None where a paragraph begins or ends."""
    from lxml import etree

    skipped: _Element | None = None
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if skipped is None and event == "start":
            if name in _UNSEEN or not name:
                skipped = element
            else:
                yield None if name in _BLOCKS else ""
                yield element.text or ""
        elif event == "end":
            if skipped is None:
                yield None if name in _BLOCKS else ""
            elif element is skipped:
                skipped = None
            if skipped is None:
                yield element.tail or ""
    yield None
