"""Cuts a document into chunks: the units that are indexed, embedded and cited."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from semantic_text_splitter import TextSplitter

from core.ingest.atoms import HEADING, Atom, Break, atoms_of
from core.model.chunk import ChunkDraft
from core.model.document import Document

CHUNK_TOKENS = 500
"""Tokens of gpt-4o's vocabulary where the embedder cannot count; questions find their passage best at about this."""
EMBEDDER_TOKENS = 480
"""Tokens of the embedder's own vocabulary: e5 takes 512 with its prefix and marks."""
OVERLAP = 0.15
"""Share of a chunk that may stand in the chunk before as well, in whole sentences."""
LEAST_FILL = 0.5
"""Share of the limit from which a chunk may end at a better place than the last that fits."""
MAX_HEADING = 200
"""Characters of a heading kept in a path."""

_FENCE = re.compile(r"^(?:```|~~~).*?(?:^(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_HEADING_LINE = re.compile(HEADING.pattern, re.MULTILINE)
_WORD = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class _Heading:
    offset: int
    path: tuple[str, ...]


def cut(
    document: Document, *, count_tokens: Callable[[str], int] | None = None, limit: int | None = None
) -> list[ChunkDraft]:
    """Cut a clean document into chunks of at most `limit` tokens.

    A chunk ends before a heading, else at a paragraph, a line, a sentence; only what is longer than a chunk is cut
    inside, at commas and spaces. A table that fits is never torn, a header never parted from its first row, a heading
    never from what follows. The last sentences of a chunk begin the next one, except across a heading.

    Args:
        document: Clean (see `clean`); its text is the coordinate system of the chunks.
        count_tokens: The embedder's own counting; gpt-4o's vocabulary without.
        limit: Tokens a chunk; by default what suits the counting.

    Returns:
        Chunks in document order, numbered from 0, `text == document.text[start:end]`; all text but white space is
        in at least one of them; [] for an empty text.
    """
    headings = _headings(document.text)
    return [
        ChunkDraft(
            ordinal=ordinal,
            start=start,
            end=end,
            text=document.text[start:end],
            page=document.page_at(start),
            time_s=document.time_at(start),
            headings=_path_at(headings, start),
        )
        for ordinal, (start, end) in enumerate(_ranges(document.text, count_tokens, limit))
    ]


def _ranges(text: str, count_tokens: Callable[[str], int] | None, limit: int | None) -> Iterator[tuple[int, int]]:
    """Give the chunks' ranges, starts and ends ascending; what counts as more in one piece is cut once more."""
    most = limit or (EMBEDDER_TOKENS if count_tokens else CHUNK_TOKENS)
    atoms = atoms_of(text, count_tokens or _estimate, most)
    exact = (
        TextSplitter.from_callback(count_tokens, most)
        if count_tokens
        else TextSplitter.from_tiktoken_model("gpt-4o", most)
    )
    begun, done = -1, 0
    for first, last in _runs(atoms, most):
        start = atoms[first].start if atoms[first].start > begun else done  # no overlap where a run was cut
        for offset, part in exact.chunk_indices(text[start : atoms[last - 1].end]):
            begun, done = start + offset, start + offset + len(part)
            yield begun, done


def _estimate(text: str) -> int:
    """Estimate gpt-4o's tokens, rather too many: a mark is one, a word one for every four characters."""
    return sum(1 + (len(word) - 1) // 4 for word in _WORD.findall(text))


def _runs(atoms: Sequence[Atom], limit: int) -> Iterator[tuple[int, int]]:
    """Give half-open ranges of atoms that make a chunk each."""
    first = last = 0
    while first < len(atoms):
        fits = _fitting(atoms, first, limit)
        if fits == len(atoms):
            yield first, fits
            return
        last = _best_cut(atoms, first, max(first, last), fits, limit)
        yield first, last
        first = _with_overlap(atoms, first, last, limit)


def _fitting(atoms: Sequence[Atom], first: int, limit: int) -> int:
    """Tell where the atoms from `first` on stop fitting; at least one always fits."""
    tokens, at = atoms[first].tokens, first + 1
    while at < len(atoms) and tokens + atoms[at].tokens <= limit:
        tokens += atoms[at].tokens
        at += 1
    return at


def _best_cut(atoms: Sequence[Atom], first: int, known: int, fits: int, limit: int) -> int:
    """Choose the last of the best places to cut among those that leave the chunk well filled.

    Args:
        atoms: All.
        first: Where the chunk begins.
        known: What stands before this was in the chunk before: the cut must lie behind.
        fits: The last possible place.
        limit: Tokens a chunk.
    """
    tokens = sum(atom.tokens for atom in atoms[first:known])
    best, kind = 0, Break.NEVER
    for at in range(known + 1, fits + 1):
        tokens += atoms[at - 1].tokens
        before = atoms[at].before
        filled = tokens >= LEAST_FILL * limit
        if before > Break.NEVER and before >= kind:
            best, kind = at, before if filled else Break.NEVER
    return best or fits


def _with_overlap(atoms: Sequence[Atom], first: int, last: int, limit: int) -> int:
    """Tell where the next chunk begins: some sentences before `last` that leave room for it, but never a heading."""
    room = min(OVERLAP * limit, limit - atoms[last].tokens)
    begin, tokens = last, 0
    while begin - 1 > first and atoms[begin].before is Break.SENTENCE:
        tokens += atoms[begin - 1].tokens
        if tokens > room:
            break
        begin -= 1
    return begin


def _headings(text: str) -> list[_Heading]:
    """List the headings outside of code, each with the path that holds from it on."""
    fences = [(found.start(), found.end()) for found in _FENCE.finditer(text)]
    found: list[_Heading] = []
    stack: list[tuple[int, str]] = []
    for match in _HEADING_LINE.finditer(text):
        if any(start <= match.start() < end for start, end in fences):
            continue
        level = len(match[1])
        stack = [entry for entry in stack if entry[0] < level] + [(level, match[2][:MAX_HEADING])]
        found.append(_Heading(match.start(), tuple(title for _, title in stack)))
    return found


def _path_at(headings: list[_Heading], offset: int) -> tuple[str, ...]:
    index = bisect_right(headings, offset, key=lambda heading: heading.offset) - 1
    return headings[index].path if index >= 0 else ()
