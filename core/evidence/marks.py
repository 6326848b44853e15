"""Citation marks in a model's Markdown: found in every spelling, renumbered, invented ones dropped.

Understood: `[7]`, `[1,2]`, `[1][2]`, `【1】`, `【1†source】`, `[^1]`, `[1-3]`, `[1, стр. 4]`, `[источник 2]`. Code,
formulas and links are left alone: what looks like a mark there is not one.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass

_WORD = r"(?:источники?|пассажи?|фрагменты?|sources?|passages?|refs?\.?|№|#)"
_NUMBERS = r"\d{1,9}(?:\s{0,2}[-–—,;&и]\s{0,2}\^?\d{1,9})*"
_PLACE = r"(?:[,;:]?\s{0,2}(?:†|стр|с\.|p\.|pp\.|page|лист|раздел|гл|ch|sec|§)[^\[\]【】\n]{0,40})?"
_INSIDE = rf"\^?\s?(?:{_WORD}\s?)?(?P<{{0}}>{_NUMBERS}){_PLACE}\s?"
_MARK = re.compile(
    rf"\[\[{_INSIDE.replace('{0}', 'double')}\]\]"
    rf"|\[{_INSIDE.replace('{0}', 'square')}\]|【{_INSIDE.replace('{0}', 'lens')}】",
    re.IGNORECASE,
)
_PROTECTED = re.compile(
    r"^[ \t]*(?P<fence>```|~~~)[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)"
    r"|(?P<ticks>`{1,2})(?!`)[^`\n]+(?P=ticks)(?!`)"
    r"|\$\$[^$]+\$\$|\$[^\s$](?:[^$\n]{0,200}[^\s$])?\$(?!\d)|\\\([^\n]{0,400}?\\\)|\\\[.{0,800}?\\\]"
    r"|!?\[[^\[\]\n]*\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s\"[^\"\n]*\")?\)",
    re.MULTILINE | re.DOTALL,
)
_PART = re.compile(r"(\d+)\s*[-–—]\s*\^?(\d+)|(\d+)")
_MOST_PASSES = 20
"""A dropped mark may let its neighbours form a new one, as in `[[7]1]`; every pass but the last shortens the text."""

_SPACE_BEFORE = re.compile(r"[ \t]+$")


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark group in a text: its range and the numbers it names, in order, without repetition."""

    start: int
    end: int
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A text whose marks are `[1]`…`[k]` in order of appearance; `order[i]` is the old number of `[i + 1]`."""

    text: str
    order: tuple[int, ...]


def find_marks(text: str, known: Collection[int]) -> list[Mark]:
    """List the marks of a text in order; unknown numbers are left out of `numbers`, which may become empty."""
    protected = [match.span() for match in _PROTECTED.finditer(text)]
    marks = []
    for match in _MARK.finditer(text):
        if not _is_protected(match.start(), protected):
            marks.append(Mark(match.start(), match.end(), _numbers(_inside(match), known)))
    return marks


def resolve_marks(text: str, known: int | Collection[int]) -> Resolved:
    """Bring all marks to one form, drop numbers without a passage and renumber by first appearance.

    Args:
        text: The model's Markdown.
        known: How many passages there are (numbered from 1), or their numbers.

    Returns:
        The text with `[1]`…`[k]`; applying it again with `k` changes nothing.
    """
    numbers = range(1, known + 1) if isinstance(known, int) else known
    order: list[int] = []
    resolved = _rewrite(text, numbers, order)
    for _ in range(_MOST_PASSES):
        again: list[int] = []
        rewritten = _rewrite(resolved, range(1, len(order) + 1), again)
        order = [order[n - 1] for n in again]  # what became a link or code on the way is no mark any more
        if rewritten == resolved:
            break
        resolved = rewritten
    return Resolved(resolved, tuple(order))


def remove_marks(text: str) -> str:
    """Take every mark out of a text."""
    return _rewrite(text, (), [])


def _rewrite(text: str, known: Collection[int], order: list[int]) -> str:
    """Write marks anew; `order` is filled with the old numbers."""
    pieces: list[str] = []
    at = 0
    for mark in find_marks(text, known):
        before = text[at : mark.start]
        if not mark.numbers:
            before = _without_space(before, text[mark.end : mark.end + 1])
        pieces += [before, "".join(f"[{_place(n, order)}]" for n in mark.numbers)]
        at = mark.end
    return "".join([*pieces, text[at:]])


def _without_space(before: str, following: str) -> str:
    """Drop the space that only led to a mark which is gone."""
    return before if following.isalnum() else _SPACE_BEFORE.sub("", before)


def _place(number: int, order: list[int]) -> int:
    if number not in order:
        order.append(number)
    return order.index(number) + 1


def _numbers(inside: str, known: Collection[int]) -> tuple[int, ...]:
    found: dict[int, None] = {}
    for match in _PART.finditer(inside):
        first, last = (int(match[1]), int(match[2])) if match[1] else (int(match[3]), int(match[3]))
        found.update(dict.fromkeys(n for n in sorted(known) if first <= n <= last))
    return tuple(found)


def _inside(match: re.Match[str]) -> str:
    return match["double"] or match["square"] or match["lens"]


def _is_protected(position: int, ranges: list[tuple[int, int]]) -> bool:
    """Look up a position in ranges that are sorted and apart."""
    at = bisect_right(ranges, (position, sys.maxsize)) - 1
    return at >= 0 and position < ranges[at][1]
