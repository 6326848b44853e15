"""A transcript as a document: paragraphs a person can read, chapters as headings, the second of every phrase."""

from __future__ import annotations

from collections.abc import Sequence

from core.adapters.youtube.cues import Cue
from core.adapters.youtube.facts import Chapter, VideoFacts
from core.model.document import Document, TimeStart

PARAGRAPH_S = 30.0
LONGEST_PARAGRAPH_S = 60.0
"""A paragraph ends with the first sentence that ends after the one, and at the latest after the other: about as much
as is said to one thought, and what a citation can point at."""

_SENTENCE_ENDS = (".", "!", "?", "…", ".»", '."', "?»", "!»")
_EARLY_S = 0.5
# The first phrase of a chapter may begin so much before it.


def to_document(facts: VideoFacts, cues: Sequence[Cue]) -> Document:
    """Write the words down.

    Args:
        facts: Its chapters become `## ` headings where their first phrase is said.
        cues: As `spoken` leaves them: ascending, not empty.
    """
    sheet = _Sheet(list(facts.chapters))
    for cue in cues:
        sheet.add(cue)
    return Document(text=sheet.text, times=tuple(sheet.times), title=facts.title, about=facts.about)


class _Sheet:
    """Text that grows, with the second of every piece."""

    def __init__(self, chapters: list[Chapter]) -> None:
        self._chapters = chapters
        self._pieces: list[str] = []
        self._length = 0
        self._begun_s: float | None = None
        self._last = ""
        self.times: list[TimeStart] = []

    @property
    def text(self) -> str:
        """Everything so far."""
        return "".join(self._pieces)

    def add(self, cue: Cue) -> None:
        """Write a phrase, behind the headings and the paragraph's end that come before it."""
        while self._chapters and self._chapters[0].start_s <= cue.start_s + _EARLY_S:
            chapter = self._chapters.pop(0)
            if chapter.title:
                self._put("\n\n", f"## {' '.join(chapter.title.split())}", chapter.start_s)
                self._begun_s = None
        if self._begun_s is None or self._is_over(cue.start_s):
            self._put("\n\n", cue.text.lstrip("#> ") or cue.text, cue.start_s)
            self._begun_s = cue.start_s
        else:
            self._put(" ", cue.text, cue.start_s)

    def _is_over(self, now_s: float) -> bool:
        """Say whether the paragraph that is open ends before this second."""
        lasted = now_s - (self._begun_s or 0.0)
        return lasted >= LONGEST_PARAGRAPH_S or (lasted >= PARAGRAPH_S and self._last.endswith(_SENTENCE_ENDS))

    def _put(self, gap: str, piece: str, start_s: float) -> None:
        written = (gap if self._pieces else "") + piece
        self._pieces.append(written)
        self._length += len(written)
        last = self.times[-1].seconds if self.times else 0.0
        self.times.append(TimeStart(self._length - len(piece), max(start_s, last)))
        self._last = piece
