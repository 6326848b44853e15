"""The smallest pieces a chunk is made of, each with what parts it from the one before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from semantic_text_splitter import TextSplitter

from core.evidence.sentences import Span, split_sentences

HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_ROW = re.compile(r"\|")
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$")


class Break(IntEnum):
    """What stands before an atom; a cut is the better the higher it is."""

    NEVER = 0  # inside of what must stay together
    SENTENCE = 1
    LINE = 2
    PARAGRAPH = 3
    HEADING = 4


@dataclass(frozen=True, slots=True)
class Atom:
    """A sentence, a line, a table row, a heading, or a part of what is longer than a chunk may be.

    Attributes:
        tokens: Its own with the white space before it, so that they add up.
        before: What parts it from the atom before.
    """

    start: int
    end: int
    tokens: int
    before: Break


def atoms_of(text: str, count: Callable[[str], int], limit: int) -> list[Atom]:
    """Take a text apart.

    Args:
        text: Markdown.
        count: Counts tokens.
        limit: An atom has no more of them.

    Returns:
        Atoms in order, all text but white space in exactly one of them. A table that fits is one atom; of a longer
        one the header is kept with its first row, and a heading with what follows it (`NEVER` stands before that).
    """
    pieces = [Atom(*span, count(text[span.start : span.end]), Break.SENTENCE) for span in _units(text, count, limit)]
    parts = [part for piece in pieces for part in _within(piece, text, count, limit)]
    return [_parted(text, parts[index - 1] if index else None, part, count) for index, part in enumerate(parts)]


def _units(text: str, count: Callable[[str], int], limit: int) -> Iterator[Span]:
    """Give sentences, and tables as far as they may stay whole."""
    rows: list[Span] = []
    for span in split_sentences(text):
        if not _ROW.match(text, span.start) or (rows and text.count("\n", rows[-1].end, span.start) > 1):
            yield from _table(text, rows, count, limit)
            rows = []
        if _ROW.match(text, span.start):
            rows.append(span)
        else:
            yield span
    yield from _table(text, rows, count, limit)


def _table(text: str, rows: list[Span], count: Callable[[str], int], limit: int) -> Iterator[Span]:
    if not rows:
        return
    whole = Span(rows[0].start, rows[-1].end)
    if count(text[whole.start : whole.end]) <= limit:
        yield whole
        return
    head = 3 if len(rows) > 2 and _RULE.match(text[rows[1].start : rows[1].end]) else 1
    yield Span(rows[0].start, rows[head - 1].end)
    yield from rows[head:]


def _within(atom: Atom, text: str, count: Callable[[str], int], limit: int) -> Iterator[Atom]:
    """Cut an atom that is longer than a chunk at lines, commas, spaces, and if need be anywhere."""
    if atom.tokens <= limit:
        yield atom
        return
    splitter = TextSplitter.from_callback(count, limit)
    for offset, part in splitter.chunk_indices(text[atom.start : atom.end]):
        start = atom.start + offset
        yield replace(atom, start=start, end=start + len(part), tokens=count(part))


def _parted(text: str, before: Atom | None, atom: Atom, count: Callable[[str], int]) -> Atom:
    if before is None:
        return atom
    atom = replace(atom, tokens=count(text[before.end : atom.end]))
    if HEADING.match(text[before.start : before.end]):
        return replace(atom, before=Break.NEVER)
    if HEADING.match(text[atom.start : atom.end]):
        return replace(atom, before=Break.HEADING)
    lines = text.count("\n", before.end, atom.start)
    return replace(atom, before=Break.PARAGRAPH if lines > 1 else Break.LINE if lines else Break.SENTENCE)
