"""A PDF before and after its text is read: which pages, what nobody sees on them, and which of them lack their text."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.adapters.extractors.pdf_marks import is_seen, marks_of, picture_share, remove, text_without
from core.adapters.extractors.pdf_text import page_text
from core.ingest.pages import join_pages
from core.model.document import Document
from core.ports.documents import ExtractionRequest

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

PAGE_PICTURE_SHARE = 0.5
# Of the page's area: pictures that cover so much are the page itself, as a scan.

SPARSE_CHARACTERS = 40
# Letters and digits: a scanned page with fewer has a stamp or a page number, not its text.


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What stands on one page: is it a picture of itself, and is there anything at all."""

    scanned: bool
    blank: bool


@dataclass(frozen=True, slots=True)
class OpenedPdf:
    """A PDF that an extractor may be given.

    Attributes:
        path: The file, or a copy of it without the text that a reader cannot see.
        numbers: Pages to read (1-based), ascending.
        count: Pages of the whole file.
        facts: By page; a page that pdfium cannot load has none.
        shown: Bare text of pages that the copy does not hold as they are seen: it stands for what is extracted there.
    """

    path: str
    numbers: tuple[int, ...]
    count: int
    facts: Mapping[int, PageFacts]
    shown: Mapping[int, str]

    def document(self, texts: Mapping[int, str]) -> Document:
        """Make a document of the pages' texts and name those that hold something, but gave no text.

        A page of drawings without a word counts among them: nobody knows what it says.
        """
        texts = {number: self.shown.get(number, texts.get(number, "")) for number in self.numbers}
        missing = tuple(number for number in self.numbers if self._lacks_text(number, texts[number]))
        return replace(join_pages(texts, page_count=self.count), missing_pages=missing)

    def _lacks_text(self, number: int, text: str) -> bool:
        characters = sum(character.isalnum() for character in text)
        facts = self.facts.get(number, PageFacts(scanned=False, blank=False))
        return characters < SPARSE_CHARACTERS if facts.scanned else not characters and not facts.blank


def open_pdf(request: ExtractionRequest) -> OpenedPdf:
    """Look at the pages asked for, never more than `max_pages`, and hide from the extractor what the page hides.

    A copy, if one is needed, is left in the temporary folder, which belongs to this attempt.
    """
    import pypdfium2 as pdfium

    with pdfium.PdfDocument(request.path) as document:
        count = len(document)
        numbers = request.pages or tuple(range(1, min(count, request.max_pages) + 1))
        facts: dict[int, PageFacts] = {}
        shown: dict[int, str] = {}
        for number in numbers:
            try:
                facts[number], seen = _look(document[number - 1])
            except pdfium.PdfiumError:
                continue
            if seen is not None:
                shown[number] = seen
        path = _copy(document) if shown else request.path
    return OpenedPdf(path, numbers, count, facts, _differing(path, shown))


def windows(numbers: Sequence[int], size: int) -> list[tuple[int, int]]:
    """Split ascending page numbers into ranges (first, last) of neighbours, none of more than `size` pages."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1 and number - ranges[-1][0] < size:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def _look(page: PdfPage) -> tuple[PageFacts, str | None]:
    """Tell what stands on a page and take off it the text that cannot be seen; give the rest if there was any."""
    marks = marks_of(page)
    scanned = picture_share(page, marks) >= PAGE_PICTURE_SHARE
    unseen = [mark for mark in marks if mark.is_text and not is_seen(mark, marks, scanned=scanned)]
    shown = text_without(page, unseen) if unseen else None
    for mark in unseen:
        remove(page, mark)
    if unseen:
        page.gen_content()
    facts = PageFacts(scanned=scanned, blank=len(marks) == len(unseen))
    page.close()
    return facts, shown


def _copy(document: PdfDocument) -> str:
    """Save what is left, without the restrictions of an owner's password, to a file of this attempt."""
    from pypdfium2 import raw

    handle, path = tempfile.mkstemp(suffix=".pdf")
    os.close(handle)
    document.save(path, flags=raw.FPDF_REMOVE_SECURITY)
    return path


def _differing(path: str, shown: Mapping[int, str]) -> dict[int, str]:
    """Return the pages whose text in the copy is not what is seen: pdfium does not rewrite forms, for one."""
    import pypdfium2 as pdfium

    if not shown:
        return {}
    with pdfium.PdfDocument(path) as copy:
        return {number: text for number, text in shown.items() if _bare(page_text(copy, number)) != _bare(text)}


def _bare(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
