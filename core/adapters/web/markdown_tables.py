"""Tables of HTML: those that hold data become pipe tables, those that only arrange a page fall apart into blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Element = Any
"""An element of lxml, which has no types."""

MAX_CELL = 600
# Characters: a cell with more holds prose, and its table arranges a page.

MAX_SPAN = 50
# Columns or rows that one cell is repeated in.

Read = Callable[[Element], str]


def table_blocks(table: Element, read: Read) -> Iterator[str]:
    """Give a table's Markdown: a caption, then the pipe table, or the cells' blocks in reading order."""
    caption = next((_line(read(child)) for child in table if child.tag == "caption"), "")
    rows = _rows(table, read)
    if not rows:
        return
    if max(map(len, rows)) < 2 or any(len(cell) > MAX_CELL for row in rows for cell in row) or _nested(table):
        yield from (cell for row in rows for cell in dict.fromkeys(row) if cell)
        return
    if caption:
        yield caption
    yield _piped([[_line(cell) for cell in row] for row in rows])


def _nested(table: Element) -> bool:
    return next(table.iterdescendants("table"), None) is not None


def _rows(table: Element, read: Read) -> list[list[str]]:
    """Read the cells; one that spans rows or columns is repeated, so that every row is complete."""
    rows: list[list[str]] = []
    below: dict[int, tuple[str, int]] = {}
    for row in table.iterdescendants("tr"):
        if _owner(row) is not table:
            continue
        cells, below = _row(row, read, below)
        if any(cells):
            rows.append(cells)
    return rows


def _owner(row: Element) -> Element:
    return next(row.iterancestors("table"))


def _row(row: Element, read: Read, above: dict[int, tuple[str, int]]) -> tuple[list[str], dict[int, tuple[str, int]]]:
    cells: list[str] = []
    below: dict[int, tuple[str, int]] = {}

    def put(text: str, more_rows: int) -> None:
        if more_rows > 0:
            below[len(cells)] = (text, more_rows)
        cells.append(text)

    def put_spanned() -> None:
        while len(cells) in above:
            text, more = above[len(cells)]
            put(text, more - 1)

    for cell in row:
        if cell.tag not in ("td", "th"):
            continue
        put_spanned()
        text, more_rows = read(cell), _span(cell, "rowspan") - 1
        for _ in range(_span(cell, "colspan")):
            put(text, more_rows)
    put_spanned()
    return cells, below


def _span(cell: Element, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return min(MAX_SPAN, max(1, int(value))) if value.isdecimal() and len(value) < 6 else 1


def _line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _piped(rows: list[list[str]]) -> str:
    width = max(map(len, rows))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    lines.insert(1, "|" + " --- |" * width)
    return "\n".join(lines)
