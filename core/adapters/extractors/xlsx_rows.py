"""The rows of an XLSX, streamed from its XML: memory does not grow with the file."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from core.adapters.extractors.tables import MAX_COLUMNS, MAX_ROWS, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

MAX_CELLS = 600_000
"""Of one sheet, that are kept until its strings are looked up."""

_ANY = "{*}"
_COLUMN = re.compile(r"[A-Z]+")
_DATE_FORMATS = frozenset(map(str, [*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)]))
# Numbers of built-in formats (ECMA-376, part 1, 18.8.30).

_LITERAL = re.compile(r'"[^"]*"|\\.|\[(?![hms]+\])[^\]]*\]', re.I)
# Of a format's code: words, colours and countries; `[h]` counts hours.

_FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001 - a workbook knows no zones
_ID = re.compile(r"\{.*\}id\Z")


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell as it is stored: its column, its type, its value (or the number of its string), its style."""

    column: int
    kind: str
    value: str
    style: int


@dataclass(slots=True)
class Size:
    """How much a workbook holds: rows, empty ones too, cells, and formulas whose result nobody stored."""

    rows: int = 0
    cells: int = 0
    unsolved: int = 0


@dataclass(slots=True)
class _Strings:
    """Strings that several cells share, by number: only those that are asked for."""

    wanted: set[int] = field(default_factory=set)
    found: dict[int, str] = field(default_factory=dict)


def size_of(path: str, *, most_cells: int, most_rows: int) -> Size:
    """Count until one of the limits is passed."""
    size = Size()
    with zipfile.ZipFile(path) as archive:
        for _name, part in _visible_sheets(archive):
            for row in _row_elements(archive, part):
                size.rows = max(size.rows + 1, int(place) if (place := row.get("r") or "").isdigit() else 0)
                size.cells += len(row)
                size.unsolved += sum(1 for cell in row if _is_unsolved(cell))
                if size.cells > most_cells or size.rows > most_rows:
                    return size
    return size


def xlsx_tables(path: str) -> list[Table]:
    """Read every visible sheet, at most `MAX_ROWS` rows of each; a formula without a result stands as itself."""
    strings = _Strings()
    with zipfile.ZipFile(path) as archive:
        raw = [(name, *_kept(archive, part, strings)) for name, part in _visible_sheets(archive)]
        _look_up(archive, strings)
        written = partial(_written, strings=strings.found, dates=_date_styles(archive))
    return [Table(name, [_as_row(cells, written) for cells in rows], total) for name, rows, total in raw]


def _visible_sheets(archive: zipfile.ZipFile) -> list[tuple[str, str]]:
    """List the names and parts of sheets that are not hidden, in their order."""
    relations = _root(archive, "xl/_rels/workbook.xml.rels")
    book = _root(archive, "xl/workbook.xml")
    if relations is None or book is None:
        return []
    parts = {item.get("Id"): posixpath.normpath(posixpath.join("xl", item.get("Target", ""))) for item in relations}
    known = set(archive.namelist())
    found = []
    for sheet in book.iter(f"{_ANY}sheet"):
        key = next((value for name, value in sheet.attrib.items() if _ID.match(name)), None)
        part = parts.get(key, "").lstrip("/").replace("xl/xl/", "xl/")
        if sheet.get("state", "visible") == "visible" and part in known:
            found.append((sheet.get("name", ""), part))
    return found


def _root(archive: zipfile.ZipFile, name: str) -> _Element | None:
    from lxml import etree

    try:
        return etree.fromstring(archive.read(name), etree.XMLParser(resolve_entities=False, no_network=True))
    except (KeyError, etree.XMLSyntaxError):
        return None


def _row_elements(archive: zipfile.ZipFile, part: str) -> Iterator[_Element]:
    from lxml import etree

    with archive.open(part) as stream:
        for _event, row in etree.iterparse(stream, tag=f"{_ANY}row", resolve_entities=False, huge_tree=False):
            yield row
            row.clear()
            while row.getprevious() is not None:
                del row.getparent()[0]


def _is_unsolved(cell: _Element) -> bool:
    """A formula stands in the cell, but no result."""
    children = {child.tag.rpartition("}")[2]: child for child in cell if isinstance(child.tag, str)}
    return "f" in children and not ((value := children.get("v")) is not None and value.text)


def _kept(archive: zipfile.ZipFile, part: str, strings: _Strings) -> tuple[list[list[_Cell]], int]:
    """Return a sheet's first rows with words, and how many it has."""
    rows: list[list[_Cell]] = []
    total = cells = 0
    for row in _row_elements(archive, part):
        if len(rows) < MAX_ROWS and cells < MAX_CELLS:
            found = list(_cells(row))[:MAX_COLUMNS]
            if found:
                rows.append(found)
                strings.wanted |= {int(cell.value) for cell in found if cell.kind == "s" and cell.value.isdigit()}
                cells += len(found)
                total += 1
        elif row.find(f"{_ANY}c/{_ANY}v") is not None or row.find(f"{_ANY}c/{_ANY}is") is not None:
            total += 1
    return rows, total


def _cells(row: _Element) -> Iterator[_Cell]:
    """Yield the cells of a row that hold anything."""
    column = 0
    for cell in row:
        place = _COLUMN.match(cell.get("r") or "")
        column = _number(place[0]) if place else column + 1
        kind = cell.get("t") or "n"
        value = ""
        formula = ""
        for child in cell:
            name = str(child.tag).rpartition("}")[2]
            if name == "v":
                value = child.text or ""
            elif name == "is":
                value = "".join(child.itertext(f"{_ANY}t"))
            elif name == "f":
                formula = child.text or ""
        if not value and formula:
            kind, value = "formula", f"={formula}"
        if value.strip():
            style = cell.get("s") or "0"
            yield _Cell(column, kind, value, int(style) if style.isdigit() else 0)


def _number(letters: str) -> int:
    """Turn `A` into 1, `AA` into 27."""
    number = 0
    for letter in letters[:4]:
        number = 26 * number + ord(letter) - 64
    return number


def _look_up(archive: zipfile.ZipFile, strings: _Strings) -> None:
    """Find the strings that are asked for, and no other."""
    from lxml import etree

    part = next((name for name in archive.namelist() if name.lower() == "xl/sharedstrings.xml"), "")
    if not part or not strings.wanted:
        return
    last = max(strings.wanted)
    with archive.open(part) as stream:
        elements = etree.iterparse(stream, tag=f"{_ANY}si", resolve_entities=False, huge_tree=False)
        for number, (_event, item) in enumerate(elements):
            if number > last:
                break
            if number in strings.wanted:
                runs = [run for run in item.iter(f"{_ANY}t") if not str(run.getparent().tag).endswith("}rPh")]
                strings.found[number] = "".join(run.text or "" for run in runs)
            item.clear()
            while item.getprevious() is not None:
                del item.getparent()[0]


def _date_styles(archive: zipfile.ZipFile) -> frozenset[int]:
    """Return the numbers of cell styles that show a number as a date or a time."""
    root = _root(archive, "xl/styles.xml")
    if root is None:
        return frozenset()
    dates = set(_DATE_FORMATS)
    for item in root.iter(f"{_ANY}numFmt"):
        if re.search("[dmyhs]", _LITERAL.sub("", item.get("formatCode", "")), re.I):
            dates.add(item.get("numFmtId", ""))
    styles = root.find(f"{_ANY}cellXfs")
    used = [] if styles is None else [style.get("numFmtId", "0") for style in styles]
    return frozenset(number for number, form in enumerate(used) if form in dates)


def _as_row(cells: list[_Cell], written: Callable[[_Cell], str]) -> list[str]:
    """Put cells in their columns."""
    row = [""] * min(MAX_COLUMNS, max(cell.column for cell in cells))
    for cell in cells:
        if 0 < cell.column <= len(row):
            row[cell.column - 1] = written(cell)
    return row


def _written(cell: _Cell, *, strings: dict[int, str], dates: frozenset[int]) -> str:
    """Write a cell as a person sees it."""
    if cell.kind == "s":
        return strings.get(int(cell.value), "") if cell.value.isdigit() else ""
    if cell.kind == "b":
        return "TRUE" if cell.value == "1" else "FALSE"
    if cell.kind != "n":
        return cell.value
    return _date(cell.value) if cell.style in dates else _tidy(cell.value)


def _date(value: str) -> str:
    """Write a serial number, days since the end of 1899, as a date, or as a time where it is less than a day."""
    try:
        number = float(value)
        moment = _FIRST_DAY + timedelta(seconds=round(number * 86_400))
    except (ValueError, OverflowError):
        return value
    if 0 <= number < 1:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d %H:%M:%S}".removesuffix(" 00:00:00")


def _tidy(value: str) -> str:
    """Write a number without the noise of its last binary digit."""
    try:
        return f"{float(value):.15g}" if "." in value or "E" in value else value
    except ValueError:
        return value
