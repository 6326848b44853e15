"""Notice a page whose columns were taken for a table."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_WORD = re.compile(r"\w+")
MIN_TABLE_SHARE = 0.3
# Of the page's words stand in table cells.

MIN_BROKEN_SHARE = 0.3
# Of the cells begin with a small letter: they go on with a sentence of another cell.

MAX_ORDER = 0.75
# Longest common order of words with the file's own order, 1 when equal; true tables keep above 0.9.


def is_scrambled(markdown: str, original: str) -> bool:
    """Say whether the tables of a page are running text cut to pieces.

    Args:
        markdown: A page by liteparse.
        original: The bare text of the page in the file's own order.
    """
    rows = [line for line in markdown.split("\n") if line.startswith("|")]
    cells = [cell.strip() for row in rows for cell in row.split("|") if cell.strip("- ")]
    words = _WORD.findall(markdown)
    if not cells or sum(len(_WORD.findall(row)) for row in rows) < MIN_TABLE_SHARE * len(words):
        return False
    if sum(cell[0].islower() for cell in cells) < MIN_BROKEN_SHARE * len(cells):
        return False
    return SequenceMatcher(None, words, _WORD.findall(original), autojunk=False).ratio() < MAX_ORDER
