"""What pdfium tells about the pages of a PDF: pictures behind the text, text that nobody sees, nothing at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

PAGE_PICTURE_SHARE = 0.5
# Of the page's area: pictures that cover so much are the page itself, as a scan.

SPARSE_CHARACTERS = 40
# Letters and digits: a scanned page with fewer has a stamp or a page number, not its text.


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What stands on one page.

    Attributes:
        picture_share: Area of all pictures by the page's area, at most 1.
        objects: Text, pictures, paths and shadings; 0 is a blank page.
    """

    picture_share: float
    objects: int

    @property
    def scanned(self) -> bool:
        """Pictures make up the page."""
        return self.picture_share >= PAGE_PICTURE_SHARE


def page_facts(path: str, numbers: Iterable[int]) -> dict[int, PageFacts]:
    """Look at the pages (1-based) of a PDF; those beyond its end, or that cannot be loaded, have no entry."""
    import pypdfium2 as pdfium

    facts: dict[int, PageFacts] = {}
    with pdfium.PdfDocument(path) as document:
        for number in numbers:
            if number > len(document):
                break
            try:
                page = document[number - 1]
            except pdfium.PdfiumError:
                continue
            facts[number] = _facts(page)
            page.close()
    return facts


def without_text(texts: dict[int, str], facts: dict[int, PageFacts]) -> tuple[int, ...]:
    """Name the pages that hold something, but whose text was not had; a drawing without words is one of them.

    Args:
        texts: Page number to its text, for every page that was asked for.
        facts: As `page_facts` gives them; a page without facts counts as not blank.
    """
    return tuple(sorted(page for page, text in texts.items() if _lacks_text(text, facts.get(page))))


def _lacks_text(text: str, facts: PageFacts | None) -> bool:
    characters = sum(character.isalnum() for character in text)
    if facts is None:
        return not characters
    if facts.scanned:
        return characters < SPARSE_CHARACTERS
    return not characters and facts.objects > 0


def _facts(page: object) -> PageFacts:
    from pypdfium2 import PdfPage, raw

    assert isinstance(page, PdfPage)
    width, height = page.get_size()
    area = 0.0
    count = 0
    for item in page.get_objects(max_depth=3):
        count += 1
        if item.type == raw.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = item.get_bounds()
            area += max(0.0, right - left) * max(0.0, top - bottom)
    return PageFacts(min(1.0, area / max(1.0, width * height)), count)
