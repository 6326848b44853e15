"""The rows of an ODS, streamed from its XML."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.adapters.extractors.tables import MAX_COLUMNS, MAX_ROWS, Table

if TYPE_CHECKING:
    from lxml.etree import _Element

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_ANNOTATION = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}annotation"


def ods_cells(path: str, *, most: int) -> int:
    """Count the cells as they are stored, until there are more than `most`."""
    count = 0
    for _name, row in _rows(path):
        count += len(row) + 1
        if count > most:
            break
    return count


def ods_tables(path: str) -> list[Table]:
    """Read every sheet, at most `MAX_ROWS` rows with words of each."""
    kept: dict[str, list[list[str]]] = {}
    totals: dict[str, int] = {}
    for name, row in _rows(path):
        cells = _cells(row)
        repeated = _times(row, "number-rows-repeated")
        rows = kept.setdefault(name, [])
        if any(cells):
            totals[name] = totals.get(name, 0) + repeated
            rows.extend([cells] * min(repeated, MAX_ROWS - len(rows)))
    return [Table(name, rows, totals.get(name, 0)) for name, rows in kept.items()]


def _rows(path: str) -> Iterator[tuple[str, _Element]]:
    """Yield the name of a sheet and each of its rows."""
    from lxml import etree

    name = ""
    with zipfile.ZipFile(path) as archive, archive.open("content.xml") as part:
        wanted = (f"{_TABLE}table", f"{_TABLE}table-row")
        for event, element in etree.iterparse(
            part, events=("start", "end"), tag=wanted, resolve_entities=False, huge_tree=False
        ):
            if element.tag == wanted[0]:
                name = element.get(f"{_TABLE}name", "") if event == "start" else name
            elif event == "end":
                yield name, element
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]


def _cells(row: _Element) -> list[str]:
    """Return the words of a row's cells, each in its column; empty ones at the end are left out."""
    cells: list[str] = []
    for cell in row:
        if len(cells) >= MAX_COLUMNS:
            break
        words = " ".join(filter(None, (_words(item) for item in cell.iter(f"{_TEXT}p"))))
        times = min(_times(cell, "number-columns-repeated"), MAX_COLUMNS - len(cells))
        cells.extend([words] * times)
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _words(paragraph: _Element) -> str:
    if next(paragraph.iterancestors(_ANNOTATION), None) is not None:
        return ""
    return " ".join(" ".join(paragraph.itertext()).split())


def _times(element: _Element, name: str) -> int:
    told = element.get(f"{_TABLE}{name}", "1")
    return max(1, int(told)) if told.isdigit() else 1
