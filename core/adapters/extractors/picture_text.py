"""One upright or turned picture of print becomes text, with what is installed on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.adapters.extractors.picture_cleanup import clean_up, is_blank
from core.adapters.extractors.recognised_text import height_of, legible_text, sure_characters
from core.adapters.extractors.tesseract_program import Word, recognise, turn_of
from core.ingest.extraction_failures import ExtractionFailed
from core.ingest.pages import join_pages
from core.model.document import Document

if TYPE_CHECKING:
    from PIL.Image import Image

SMALL_WORD = 14.0
# Pixels: words of this height and less are read better when they are enlarged (em of 16: word error 0.06 and 0.01).

GOOD_WORD = 26.0
# Pixels: what they are enlarged to.

LARGEST = 3.0
# Times: more brings nothing.

SMALL_PICTURE = 1600
# Pixels of the long side: where such a picture shows no word at all, its letters may be too small to be seen.


@dataclass(slots=True)
class PrintReader:
    """Reads the pages of one file; a page on which tesseract breaks is a gap, not the end.

    Attributes:
        failure: The last break.
    """

    failure: ExtractionFailed | None = None

    def read_all(
        self, pictures: Iterable[tuple[int, Image | None]], page_count: int, progress: Callable[[int], None]
    ) -> Document:
        """Read numbered pages; one without print that can be read is missing, unless it is blank.

        Args:
            pictures: Page number (1-based) and its picture, drawn one after the other.
            page_count: Pages of the file.
            progress: Told after each page how many are done.
        """
        texts: dict[int, str] = {}
        missing: list[int] = []
        for done, (number, picture) in enumerate(pictures, 1):
            text = self.read(picture)
            if text is None:
                missing.append(number)
            texts[number] = text or ""
            progress(done)
        return replace(join_pages(texts, page_count=page_count), missing_pages=tuple(missing))

    def read(self, picture: Image | None) -> str | None:
        """Return a page's text, "" for bare paper, None where no print was found or nothing could be drawn."""
        if picture is None:
            return None
        grey = picture.convert("L")
        if is_blank(grey):
            return ""
        try:
            return read_picture(grey) or None
        except ExtractionFailed as error:
            self.failure = error
            return None


def read_picture(picture: Image) -> str:
    """Return the text of a grey picture, "" when there is none that can be read.

    Raises:
        ExtractionFailed: tesseract failed.
    """
    upright = picture.rotate(-turn_of(picture), expand=True, fillcolor=255)
    return legible_text(_best_words(clean_up(upright)))


def _best_words(picture: Image) -> list[Word]:
    """Recognise a picture, and once more enlarged when its letters are small."""
    from PIL import Image as Images

    words = recognise(picture)
    times = _enlargement(words, max(picture.size))
    if times <= 1:
        return words
    size = (round(picture.width * times), round(picture.height * times))
    enlarged = recognise(picture.resize(size, Images.Resampling.LANCZOS))
    return enlarged if sure_characters(enlarged) > 0.9 * sure_characters(words) else words


def _enlargement(words: list[Word], long_side: int) -> float:
    """Say how many times larger the letters should be."""
    if not sure_characters(words):
        return LARGEST if long_side <= SMALL_PICTURE else 1.0
    height = height_of(words)
    return min(LARGEST, GOOD_WORD / height) if height <= SMALL_WORD else 1.0
