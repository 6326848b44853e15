"""What people wrote under a file is part of it: it can be searched and cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.model.document import Document, PageStart, TimeStart
from core.model.source import Upload


def with_captions(document: Document, upload: Upload) -> Document:
    """Put captions into the text: a file's at its beginning, that of an album's photo at its page."""
    captions = [(1, upload.caption)] if not upload.parts else []
    captions += [(page, part.caption) for page, part in enumerate(upload.parts, start=1)]
    for page, caption in reversed(captions):
        if words := " ".join(caption.split()):
            document = _insert(document, _start_of(document, page), f"> {words}\n\n")
    return document


def _start_of(document: Document, page: int) -> int:
    """Find where a page begins, or where it would."""
    return next((start.offset for start in document.pages if start.page >= page), _end(document, page))


def _end(document: Document, page: int) -> int:
    return 0 if page == 1 else len(document.text)


def _insert(document: Document, at: int, words: str) -> Document:
    """Insert words before a character; the page or the second that begins there begins with them."""
    if at and document.text[at - 1] != "\n":
        words = f"\n\n{words}"
    length = len(words)
    return replace(
        document,
        text=document.text[:at] + words + document.text[at:],
        pages=tuple(PageStart(_moved(start.offset, at, length), start.page) for start in document.pages),
        times=tuple(TimeStart(_moved(start.offset, at, length), start.seconds) for start in document.times),
        raw_offsets=_raw(document.raw_offsets, at, length),
    )


def _moved(offset: int, at: int, length: int) -> int:
    return offset + length if offset > at else offset


def _raw(pairs: Sequence[tuple[int, int]], at: int, length: int) -> tuple[tuple[int, int], ...]:
    """Keep each character behind the insertion at its place in the raw text."""
    before = [(new, old) for new, old in pairs if new <= at]
    behind = [(new + length, old) for new, old in pairs if new > at]
    here = (at + length, before[-1][1] + at - before[-1][0]) if before else (at + length, at)
    return (*before, here, *behind)
