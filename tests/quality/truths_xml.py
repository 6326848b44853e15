"""Truths that are read from a sample's own XML."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import etree, html

from tests.quality.structure import Structure

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_OPF = "{http://www.idpf.org/2007/opf}"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"


def word_structure(path: Path) -> Structure:
    """Read a DOCX whose headings, lists and tables are marked as such."""
    root = _parsed(path, "word/document.xml")
    headings, items, cells = [], [], ["".join(cell.itertext(f"{_W}t")) for cell in root.iter(f"{_W}tc")]
    for paragraph in root.iter(f"{_W}p"):
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        name = "" if style is None else style.get(f"{_W}val")
        text = "".join(paragraph.itertext(f"{_W}t"))
        if name.startswith(("Title", "Heading")):
            headings.append(text)
        elif name.startswith("List"):
            items.append(text)
    return Structure.of(headings=headings, cells=cells, items=items)


def slides(path: Path, *, notes: bool) -> tuple[str, Structure]:
    """Read a PPTX: its text slide by slide, titles and cells; a slide's notes stand behind it unless left out."""
    with zipfile.ZipFile(path) as archive:
        count = sum(bool(re.fullmatch(r"ppt/slides/slide\d+\.xml", name)) for name in archive.namelist())
        names = [f"ppt/{part}{number}.xml" for number in range(1, count + 1) for part in _slide_parts(notes=notes)]
        roots = [_parsed(path, name) for name in names if name in archive.namelist()]
    text = [line for root in roots for line in _paragraphs(root)]
    titles = [
        line
        for root in roots
        for shape in root.iter(f"{_P}sp")
        if (kind := shape.find(f".//{_P}ph")) is not None and kind.get("type") in ("title", "ctrTitle")
        for line in _paragraphs(shape)
    ]
    cells = [" ".join(_paragraphs(cell)) for root in roots for cell in root.iter(f"{_A}tc")]
    return "\n".join(text), Structure.of(headings=titles, cells=cells)


def epub_text(path: Path) -> str:
    """Read the words of an EPUB's chapters in the order of its spine."""
    package = _parsed(path, "META-INF/container.xml").find(f".//{_CONTAINER}rootfile").get("full-path")
    root = _parsed(path, package)
    places = {item.get("id"): item.get("href") for item in root.iter(f"{_OPF}item")}
    chapters = [places[item.get("idref")] for item in root.iter(f"{_OPF}itemref") if item.get("linear") != "no"]
    folder = posixpath.dirname(package)
    with zipfile.ZipFile(path) as archive:
        pages = [html.fromstring(archive.read(posixpath.join(folder, name))) for name in chapters]
    bodies = [body for page in pages for body in page.iter("body")]
    return "\n".join(" ".join(body.xpath(".//text()[not(ancestor::script or ancestor::style)]")) for body in bodies)


def _slide_parts(*, notes: bool) -> tuple[str, ...]:
    return ("slides/slide", "notesSlides/notesSlide") if notes else ("slides/slide",)


def _paragraphs(root: Any) -> Iterator[str]:
    texts = ("".join(paragraph.itertext(f"{_A}t")).strip() for paragraph in root.iter(f"{_A}p"))
    return (text for text in texts if text)


def _parsed(path: Path, name: str) -> Any:
    with zipfile.ZipFile(path) as archive:
        return etree.fromstring(archive.read(name), etree.XMLParser(resolve_entities=False))
