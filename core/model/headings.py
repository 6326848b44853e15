"""The headings of a Markdown text: which path of them stands above a character."""

import re
from bisect import bisect_right
from dataclasses import dataclass

MAX_HEADING = 200
"""Characters of a heading kept in a path."""

_FENCE = re.compile(r"^(?:```|~~~).*?(?:^(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*$", re.MULTILINE)
# closing hashes are split off by a space: "# C#" is about C#


@dataclass(frozen=True, slots=True)
class HeadingPaths:
    """From each of these offsets on (ascending), this path of headings holds, outermost first."""

    starts: tuple[tuple[int, tuple[str, ...]], ...]

    @classmethod
    def of(cls, text: str) -> "HeadingPaths":
        """Find the headings outside of code blocks."""
        fences = [(found.start(), found.end()) for found in _FENCE.finditer(text)]
        starts: list[tuple[int, tuple[str, ...]]] = []
        stack: list[tuple[int, str]] = []
        for match in _HEADING.finditer(text):
            if any(start <= match.start() < end for start, end in fences):
                continue
            level = len(match[1])
            stack = [entry for entry in stack if entry[0] < level] + [(level, match[2][:MAX_HEADING])]
            starts.append((match.start(), tuple(title for _, title in stack)))
        return cls(tuple(starts))

    def at(self, offset: int) -> tuple[str, ...]:
        """Name the path above a character; () before the first heading."""
        index = bisect_right(self.starts, offset, key=lambda start: start[0]) - 1
        return self.starts[index][1] if index >= 0 else ()
