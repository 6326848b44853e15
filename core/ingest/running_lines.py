"""Running headers and footers: lines that stand at the edge of most pages and say nothing about their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.ingest.edited_text import Edit

MIN_PAGES = 4
"""Below it a repeated line may well be a title that was meant."""
MIN_SHARE = 0.5
"""Share of pages on which a line has to stand at the same edge; books have left and right headers, each on half."""
EDGE_LINES = 2
"""How many lines from the top or the bottom of a page are looked at."""
MAX_CHARACTERS = 120
"""A longer line is a paragraph."""

_DIGITS = re.compile(r"\d+|\b[ivxlcdm]+\b")
_MARKS = re.compile(r"[\W_]+")


def running_lines(text: str, page_starts: Sequence[int]) -> list[Edit]:
    """Find the running lines of a paged text.

    Args:
        text: Text with LF line ends.
        page_starts: Ascending offsets at which pages begin.

    Returns:
        Deletions of whole lines, ascending; none for fewer than `MIN_PAGES` pages. A page never loses all its lines.
    """
    bounds = sorted({*page_starts, len(text)})
    pages = [list(_lines(text, start, end)) for start, end in pairwise(bounds)]
    pages = [lines for lines in pages if lines]
    if len(pages) < MIN_PAGES:
        return []
    counts = Counter(key for lines in pages for key in {key for key, _ in _edges(text, lines)})
    running = {key for key, count in counts.items() if count >= max(MIN_PAGES - 1, MIN_SHARE * len(pages) - 1)}
    found = [span for lines in pages for span in _running_of(text, lines, running)]
    return [Edit(start, end, "") for start, end in found]


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of lines with something in them, their line end included."""
    while start < end:
        stop = text.find("\n", start, end) + 1 or end
        if text[start:stop].strip():
            yield start, stop
        start = stop


def _edges(text: str, lines: list[tuple[int, int]]) -> Iterator[tuple[tuple[str, str], tuple[int, int]]]:
    """Yield the key of each line at an edge (which edge, words without their numbers) with its span."""
    for edge, spans in (("top", lines[:EDGE_LINES]), ("bottom", lines[EDGE_LINES:][-EDGE_LINES:])):
        for start, end in spans:
            line = text[start:end].strip()
            if len(line) <= MAX_CHARACTERS and not line.startswith(("|", "```")):
                yield (edge, _MARKS.sub(" ", _DIGITS.sub("#N", line.lower()).replace("#N", "№"))), (start, end)


def _running_of(text: str, lines: list[tuple[int, int]], running: set[tuple[str, str]]) -> list[tuple[int, int]]:
    found = [span for key, span in _edges(text, lines) if key in running]
    return found if len(found) < len(lines) else []
