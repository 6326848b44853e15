"""Parts a text into windows that can be cut into chunks one by one.

The splitter keeps a table whole when it comes first, but tears it when it follows a paragraph longer than a chunk; and
its time grows faster than the text. So a window begins before each table and ends after some chunks' worth of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

WINDOW = 50_000
"""Characters cut at once: some twenty-five chunks."""
LONGEST_WORD = 400
"""A longer run without a space (data, not words) is cut to this length: counting its tokens takes for ever."""
CAPTION = 200
"""Characters of a line that may be the caption or heading of the table below it."""
CAPTION_LINES = 2

_TABLE = re.compile(r"^[ \t]*\|.*\n(?:[ \t]*\|.*(?:\n|\Z))+", re.MULTILINE)
_ENDLESS = re.compile(rf"\S{{{LONGEST_WORD},}}")
_MARKS = ("\n\n", "\n", " ")


def windows(text: str) -> Iterator[tuple[int, int]]:
    """Give the windows' ranges, ascending and without gaps.

    A window ends before a table with its caption, else at an empty line, a line, a space.
    """
    tables = _table_starts(text)
    start = 0
    while start < len(text):
        end = next((table for table in tables if table > start), len(text))
        end = _within(text, start, end)
        yield start, end
        start = end


def _within(text: str, start: int, end: int) -> int:
    """Bring a window's end nearer until the window is short enough and without endless words."""
    if end - start > WINDOW:
        end = start + WINDOW
        end = next((at for mark in _MARKS if (at := text.rfind(mark, start + 1, end)) > start), end)
    endless = _ENDLESS.search(text, start, end)
    if endless is None:
        return end
    return endless.start() if endless.start() > start else start + LONGEST_WORD


def _table_starts(text: str) -> list[int]:
    """List where tables begin, with up to two short lines above them."""
    starts: list[int] = []
    done = 0
    for table in _TABLE.finditer(text):
        start = table.start()
        for _ in range(CAPTION_LINES):
            start = _line_above(text, start, done)
        starts.append(start)
        done = table.end()
    return starts


def _line_above(text: str, start: int, least: int) -> int:
    """Give the beginning of the last line before `start` that says anything, if it is short; else `start`."""
    above = text[max(least, start - CAPTION - 2) : start].rstrip()
    if not above:
        return start
    line = above.rfind("\n") + 1
    begin = max(least, start - CAPTION - 2) + line
    whole = begin == least or text[begin - 1] == "\n"
    return begin if whole else start
