"""The bare words of a presentation's slides, from their XML: docling leaves diagrams out."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_FURNITURE = frozenset({"dt", "ftr", "sldNum"})
# Placeholders that stand on every slide: date, footer, number.


@dataclass(frozen=True, slots=True)
class Slide:
    """What one slide holds; a hidden slide holds nothing."""

    paragraphs: tuple[str, ...]
    notes: tuple[str, ...] = ()
    has_picture: bool = False
    is_hidden: bool = False


def slide_parts(path: str) -> Iterator[Slide]:
    """Yield the slides in the order in which they are shown."""
    with zipfile.ZipFile(path) as archive:
        for name in _in_order(archive):
            yield _slide(archive, name)


def _slide(archive: zipfile.ZipFile, name: str) -> Slide:
    root = _root(archive, name)
    if root is None or root.get("show") in ("0", "false"):
        return Slide((), is_hidden=root is not None)
    words: list[str] = list(_paragraphs(root))
    notes: list[str] = []
    for kind, target in _relations(archive, name).values():
        if kind.endswith(("/diagramData", "/notesSlide")):
            found = _root(archive, target)
            (words if kind.endswith("/diagramData") else notes).extend(_paragraphs(found) if found is not None else ())
    return Slide(tuple(words), tuple(notes), has_picture=next(root.iter(f"{_P}pic"), None) is not None)


def _in_order(archive: zipfile.ZipFile) -> list[str]:
    """List the slides' parts as the presentation names them, else by their numbers."""
    relations = _relations(archive, "ppt/presentation.xml")
    root = _root(archive, "ppt/presentation.xml")
    named = [] if root is None else [slide.get(_ID, "") for slide in root.iter(f"{_P}sldId")]
    parts = [relations[key][1] for key in named if key in relations]
    known = set(archive.namelist())
    return [part for part in parts if part in known] or sorted(
        (name for name in known if re.fullmatch(r"ppt/slides/slide\d+\.xml", name)),
        key=lambda name: int("".join(filter(str.isdigit, name))),
    )


def _relations(archive: zipfile.ZipFile, name: str) -> dict[str, tuple[str, str]]:
    """Return a part's relations inside the file: id to type and name of the part."""
    folder, file = posixpath.split(name)
    root = _root(archive, f"{folder}/_rels/{file}.rels")
    if root is None:
        return {}
    return {
        item.get("Id", ""): (item.get("Type", ""), posixpath.normpath(posixpath.join(folder, item.get("Target", ""))))
        for item in root.iter(_RELATION)
        if item.get("TargetMode") != "External"
    }


def _root(archive: zipfile.ZipFile, name: str) -> _Element | None:
    from lxml import etree

    try:
        data = archive.read(name.lstrip("/"))
        return etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=False, no_network=True))
    except (KeyError, etree.XMLSyntaxError):
        return None


def _paragraphs(root: _Element) -> Iterator[str]:
    """Yield the paragraphs that a viewer sees."""
    for paragraph in root.iter(f"{_A}p"):
        if not _is_left_out(paragraph):
            runs = paragraph.iter(f"{_A}t", f"{_A}br")
            text = " ".join("".join((run.text or "") if run.tag == f"{_A}t" else " " for run in runs).split())
            if text:
                yield text


def _is_left_out(paragraph: _Element) -> bool:
    for around in paragraph.iterancestors():
        if around.tag == _FALLBACK:
            return True
        if around.tag in (f"{_P}sp", f"{_P}grpSp", f"{_P}graphicFrame"):
            properties = next(around.iter(f"{_P}cNvPr"), None)
            place = next(around.iter(f"{_P}ph"), None) if around.tag == f"{_P}sp" else None
            hidden = properties is not None and properties.get("hidden") in ("1", "true")
            if hidden or (place is not None and place.get("type") in _FURNITURE):
                return True
    return False
