"""The rows of a CSV: decoded by our decoder, split by the delimiter that gives the same number of cells in each."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

from core.adapters.decoding import decode
from core.adapters.extractors.tables import MAX_ROWS, Table

_DELIMITERS = ";\t,|"
# In the order of preference where several fit: a comma is also a decimal mark.

_SAMPLE_LINES = 200
_LONGEST_CELL = 1 << 20


def csv_table(path: str) -> Table:
    """Read a table, at most `MAX_ROWS` rows of it.

    Raises:
        UserError: As `decode` does.
    """
    text = decode(Path(path).read_bytes())
    text, delimiter = _delimiter(text)
    csv.field_size_limit(_LONGEST_CELL)
    rows: list[list[str]] = []
    total = 0
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
        if any(cell.strip() for cell in row):
            total += 1
            if len(rows) < MAX_ROWS:
                rows.append(row)
    return Table("", rows, total)


def _delimiter(text: str) -> tuple[str, str]:
    """Return the text without Excel's own `sep=` line, and what splits its cells."""
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first.strip()) == 5:
        return rest, first.strip()[4]
    sample = "\n".join(text.split("\n")[:_SAMPLE_LINES])
    return text, max(_DELIMITERS, key=lambda mark: (_evenness(sample, mark), -_DELIMITERS.index(mark)))


def _evenness(sample: str, delimiter: str) -> tuple[float, int]:
    """Tell how large a share of the rows has the commonest number of cells, above one, and that number."""
    try:
        widths = Counter(len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row)
    except csv.Error:
        return 0.0, 0
    width, count = max(widths.items(), key=lambda item: (item[0] > 1, item[1]), default=(0, 0))
    return (count / widths.total(), width) if width > 1 else (0.0, 0)
