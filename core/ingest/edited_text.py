"""Text that remembers where its characters came from, through any number of edits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Edit(NamedTuple):
    """Characters `start` to `end` become `text`, which is not longer: the map runs on through it."""

    start: int
    end: int
    text: str


class _Kept(NamedTuple):
    """Characters `start` to `end` between two edits, and where they begin after them."""

    after: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class EditedText:
    """A text and its map to the raw text.

    Attributes:
        text: The text now.
        offsets: Pairs (offset in `text`, offset in the raw text), strictly ascending in the first and ascending in
            the second; between two pairs both run on together.
    """

    text: str
    offsets: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, raw: str) -> EditedText:
        """Begin with the raw text itself."""
        return cls(raw, ((0, 0),))

    def raw(self, offset: int) -> int:
        """Tell where a character of the text stands in the raw text."""
        new, old = self.offsets[bisect_right(self.offsets, offset, key=lambda pair: pair[0]) - 1]
        return old + offset - new

    def place(self, raw_offset: int) -> int:
        """Tell the first offset of the text whose raw place is not before `raw_offset` (the length if none is)."""
        index = bisect_left(self.offsets, raw_offset, key=lambda pair: pair[1])
        ceiling = self.offsets[index][0] if index < len(self.offsets) else len(self.text)
        if index == 0:
            return ceiling
        new, old = self.offsets[index - 1]
        return min(new + raw_offset - old, ceiling)

    def apply(self, edits: Iterable[Edit]) -> EditedText:
        """Make edits, given in ascending order and without overlap, in the coordinates of the text before them."""
        parts: list[str] = []
        kept: list[_Kept] = []
        done = length = 0
        for edit in [*edits, Edit(len(self.text), len(self.text), "")]:
            kept.append(_Kept(length, done, edit.start))
            parts += (self.text[done : edit.start], edit.text)
            length += edit.start - done + len(edit.text)
            done = edit.end
        return self if len(kept) == 1 else EditedText("".join(parts), self._composed(kept))

    def _composed(self, kept: Sequence[_Kept]) -> tuple[tuple[int, int], ...]:
        """Put the map of these edits before the map of the earlier ones."""
        pairs: dict[int, int] = {}
        at = 0
        for run in kept:
            pairs[run.after] = self.raw(run.start)
            at = bisect_right(self.offsets, run.start, lo=at, key=lambda pair: pair[0])
            while at < len(self.offsets) and self.offsets[at][0] < run.end:
                new, old = self.offsets[at]
                pairs[run.after + new - run.start] = old
                at += 1
        return _without_idle(pairs)


def _without_idle(pairs: dict[int, int]) -> tuple[tuple[int, int], ...]:
    """Leave out pairs that say what the pair before them already says."""
    kept: list[tuple[int, int]] = []
    for new, old in sorted(pairs.items()):
        if not kept or old - new != kept[-1][1] - kept[-1][0]:
            kept.append((new, old))
    return tuple(kept)
