"""A PDF page drawn as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.adapters.extractors.pictures import MAX_PIXELS

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument


def page_picture(pdf: PdfDocument, number: int, dpi: float, *, grey: bool = True) -> Image | None:
    """Draw a page, smaller than asked when it is huge, None when pdfium cannot load it.

    Args:
        number: 1-based.
    """
    import pypdfium2 as pdfium

    try:
        page = pdf[number - 1]
    except pdfium.PdfiumError:
        return None
    width, height = page.get_size()
    scale = min(dpi / 72, (MAX_PIXELS / max(1.0, width * height)) ** 0.5)
    picture: Image = page.render(scale=scale, grayscale=grey).to_pil().convert("L" if grey else "RGB")
    page.close()
    return picture
