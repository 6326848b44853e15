"""Pages of a PDF or of a file of pictures as JPEGs for a model that sees; runs in a killable child."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from core.adapters.extractors.pdf_pictures import page_picture
from core.adapters.extractors.picture_cleanup import is_blank
from core.adapters.extractors.pictures import Picture, count_pictures, open_pictures
from core.adapters.extractors.tesseract_program import lack, turn_of
from core.ports.documents import Progress

if TYPE_CHECKING:
    from PIL.Image import Image

LONG_SIDE = 2000
# Pixels: an A4 page at 170 dpi. Models look at no more, and a page of close print is still sharp.

QUALITY = 85
# Of JPEG: a page takes 300 to 900 kB.

_PDF_HEAD = 1024
# Bytes within which a PDF says that it is one.

Drawn = tuple[int, dict[int, bytes], tuple[int, ...]]
"""Pages of the whole file; JPEG by page, b"" for a blank one, absent where it cannot be drawn; pages that are cut off.

Plain values, since they come from a child that a hostile file may have taken over.
"""


@dataclass(frozen=True, slots=True)
class DrawPages:
    """Draws pages upright and of bounded size.

    Attributes:
        pages: 1-based; None for the first `at_most`.
    """

    path: str
    pages: tuple[int, ...] | None
    at_most: int

    def __call__(self, progress: Progress) -> Drawn:
        """Return the drawn pages.

        Raises:
            UserError: See `open_pictures`.
        """
        drawn: dict[int, bytes] = {}
        cut: list[int] = []
        count, pictures = self._pictures()
        for picture in pictures:
            if picture.image is not None:
                drawn[picture.number] = _jpeg(picture.image)
            if picture.cut:
                cut.append(picture.number)
        return count, drawn, tuple(cut)

    def _pictures(self) -> tuple[int, Iterator[Picture]]:
        with open(self.path, "rb") as file:
            is_pdf = b"%PDF-" in file.read(_PDF_HEAD)
        count = _count_pages(self.path) if is_pdf else count_pictures(self.path)
        numbers = self.pages or tuple(range(1, min(count, self.at_most) + 1))
        return count, _pdf_pictures(self.path, numbers) if is_pdf else open_pictures(self.path, numbers)


def _count_pages(path: str) -> int:
    import pypdfium2 as pdfium

    with pdfium.PdfDocument(path) as pdf:
        return len(pdf)


def _pdf_pictures(path: str, numbers: tuple[int, ...]) -> Iterator[Picture]:
    import pypdfium2 as pdfium

    with pdfium.PdfDocument(path) as pdf:
        for number in numbers:
            yield Picture(number, page_picture(pdf, number, _density(pdf, number), grey=False))


def _density(pdf: object, number: int) -> float:
    """Return the dots per inch at which a page's long side is as long as it may be."""
    width, height = pdf.get_page_size(number - 1)  # type: ignore[attr-defined]
    return float(72 * LONG_SIDE / max(1.0, width, height))


def _jpeg(picture: Image) -> bytes:
    """Turn a picture by its own print, bring it to size and pack it; b"" for bare paper."""
    if is_blank(picture):
        return b""
    picture.thumbnail((LONG_SIDE, LONG_SIDE))
    turn = 0 if lack() else turn_of(picture.convert("L"))
    upright = picture.rotate(-turn, expand=True) if turn else picture
    buffer = BytesIO()
    upright.save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
