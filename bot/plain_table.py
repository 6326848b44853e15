"""Tables where there are none: aligned columns when they fit a phone, "name: value" lines when they do not."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

NARROW = 34
"""Columns of monospace text that a phone shows in one line."""
_GAP = " │ "


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Align cells in monospace columns; the first row is the head, with a rule under it."""
    widths = _widths(rows)
    head, *body = [_line(row, widths) for row in rows]
    rule = "─┼─".join("─" * width for width in widths)
    return "\n".join([head, rule, *body])


def is_narrow(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether aligned columns would fit a phone."""
    widths = _widths(rows)
    return sum(widths) + len(_GAP) * (len(widths) - 1) <= NARROW


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    count = max(len(row) for row in rows)
    return [max((_width(row[at]) for row in rows if at < len(row)), default=0) for at in range(count)]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [*row, *[""] * (len(widths) - len(row))]
    return _GAP.join(cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _width(text: str) -> int:
    """Count monospace columns."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):  # combining marks and joiners
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
