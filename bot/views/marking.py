"""Marking the sentences of an answer that no passage holds: seen, not hidden."""

from __future__ import annotations

from collections.abc import Sequence

SIGN = " ✖"


def mark_unsupported(markdown: str, sentences: Sequence[str]) -> str:
    """Put a sign behind each of the sentences, looked for in order from where the last one ended."""
    pieces: list[str] = []
    at = 0
    for sentence in sentences:
        words = sentence.strip()
        found = markdown.find(words, at) if words else -1
        if found < 0:
            continue
        end = _before_closing(markdown, found, found + len(words))
        pieces.append(markdown[at:end] + SIGN)
        at = end
    return "".join([*pieces, markdown[at:]])


def _before_closing(markdown: str, start: int, end: int) -> int:
    """A row of a table ends with a bar, behind which nothing would be shown."""
    row = markdown[start:end].rstrip()
    return start + len(row[:-1].rstrip()) if row.endswith("|") and row.startswith("|") else end
