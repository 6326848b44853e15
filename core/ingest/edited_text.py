"""Text that remembers where its characters came from, through any number of edits."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Edit(NamedTuple):
    """Characters `start` to `end` become `text`."""

    start: int
    end: int
    text: str


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
        marks: list[tuple[int, int]] = [(0, 0)]  # (offset after, offset before) where the two stop running together
        done = length = 0
        for edit in edits:
            parts += (self.text[done : edit.start], edit.text)
            length += edit.start - done + len(edit.text)
            done = edit.end
            marks.append((length, done))
        if len(marks) == 1:
            return self
        parts.append(self.text[done:])
        return EditedText("".join(parts), self._composed(marks))

    def _composed(self, marks: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """Put the map of these edits before the map of the earlier ones."""
        pairs: dict[int, int] = {}
        known, count = self.offsets, len(self.offsets)
        at = 0
        for index, (new, before) in enumerate(marks):
            pairs[new] = self.raw(before)
            end = marks[index + 1][0] if index + 1 < len(marks) else None
            while at < count and known[at][0] <= before:
                at += 1
            while at < count and (end is None or new + known[at][0] - before < end):
                pairs[new + known[at][0] - before] = known[at][1]
                at += 1
        return _without_idle(pairs)


def _without_idle(pairs: dict[int, int]) -> tuple[tuple[int, int], ...]:
    """Leave out pairs that say what the pair before them already says."""
    kept: list[tuple[int, int]] = []
    for new, old in sorted(pairs.items()):
        if not kept or old - new != kept[-1][1] - kept[-1][0]:
            kept.append((new, old))
    return tuple(kept)
