"""The bare text of OpenDocument files, streamed from their XML."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_BOXES = frozenset({f"{_DRAW}text-box", f"{_DRAW}custom-shape", f"{_DRAW}rect", f"{_DRAW}ellipse"})
_UNSEEN = frozenset({f"{_OFFICE}annotation", f"{_TEXT}tracked-changes", f"{_TEXT}hidden-text"})
_SPACES = frozenset({f"{_TEXT}s", f"{_TEXT}tab", f"{_TEXT}line-break"})
_PARAGRAPHS = (f"{_TEXT}p", f"{_TEXT}h")


def boxed_paragraphs(path: str) -> list[str]:
    """Return the paragraphs that stand in text boxes and shapes, in order."""
    return [text for text, places in odf_paragraphs(path) if places & _BOXES]


def odf_paragraphs(path: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the text of each paragraph of the content that has one, and the tags of the elements around it.

    Comments and what was deleted under tracking are left out.
    """
    from lxml import etree

    with zipfile.ZipFile(path) as archive, archive.open("content.xml") as part:
        for _event, element in etree.iterparse(part, tag=_PARAGRAPHS, resolve_entities=False, huge_tree=False):
            places = {str(ancestor.tag) for ancestor in element.iterancestors()}
            if not places & _UNSEEN:
                text = _text(element)
                if text:
                    yield text, places
            if not places & _BOXES and not places & set(_PARAGRAPHS):
                element.clear(keep_tail=True)


def _text(paragraph: _Element) -> str:
    """Join a paragraph's own words, without those of a paragraph or a comment inside it."""
    pieces: list[str] = []
    _collect(paragraph, pieces)
    return " ".join("".join(pieces).split())


def _collect(element: _Element, pieces: list[str]) -> None:
    pieces.append(element.text or "")
    for child in element:
        if child.tag in _SPACES:
            pieces.append(" ")
        elif child.tag not in _PARAGRAPHS and child.tag not in _UNSEEN:
            _collect(child, pieces)
        pieces.append(child.tail or "")
