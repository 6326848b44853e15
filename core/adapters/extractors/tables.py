"""Tables of any size as Markdown, within bounds: what they hold beyond them is counted, not kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.model.document import Document
from core.model.source import Reason

MAX_ROWS = 20_000
"""Rows of one sheet that are kept: nobody asks questions about more, and their chunks would drown the notebook."""

MAX_CHARACTERS = 2_000_000
"""Of all sheets together: a book of a thousand pages."""

MAX_COLUMNS = 200
"""A wider row is data, not a table that a person reads."""

MAX_CELL = 2_000
"""Characters of one cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """One sheet.

    Attributes:
        name: As its tab says, "" for a file that is one table.
        rows: Those that are kept, each with its cells as text; rows without a word are left out.
        total: How many rows with words there are.
    """

    name: str
    rows: Sequence[Sequence[str]]
    total: int


def as_document(tables: Iterable[Table]) -> Document:
    """Write tables under each other, a heading over each that has a name; say which rows did not fit."""
    blocks: list[str] = []
    lost: list[Reason] = []
    left = MAX_CHARACTERS
    for table in tables:
        lines = _lines(table.rows, left)
        left -= sum(map(len, lines))
        kept = max(0, len(lines) - 1)  # without the line under the header
        if kept:
            blocks += [f"## {table.name}"] * bool(table.name) + ["\n".join(lines)]
        if kept < table.total:
            lost.append(lost_rows(table.name, kept, table.total))
    return Document(text="\n\n".join(blocks), lost=tuple(lost))


def lost_rows(sheet: str, read: int, total: int) -> Reason:
    """Say that not all rows were kept."""
    if sheet:
        return Reason("lost-rows", {"sheet": sheet[:60], "read": read, "total": total})
    return Reason("lost-table-rows", {"read": read, "total": total})


def _lines(rows: Sequence[Sequence[str]], characters: int) -> list[str]:
    """Write a pipe table whose first row is its header, as far as the characters go."""
    width = min(MAX_COLUMNS, max((len(row) for row in rows), default=0))
    lines: list[str] = []
    for row in rows:
        cells = [_cell(cell) for cell in row[:width]]
        line = "| " + " | ".join(cells + [""] * (width - len(cells))) + " |"
        characters -= len(line)
        if characters < 0:
            break
        lines.append(line)
        if len(lines) == 1:
            lines.append("|" + " - |" * width)
    return lines


def _cell(text: str) -> str:
    return " ".join(text[:MAX_CELL].split()).replace("|", "\\|")
