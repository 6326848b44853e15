"""The bare text of a PDF page by pdfium, in the order in which the file draws it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

SOFT_HYPHEN = "\u00ad"
# Where a word was split at a line's end; pdfium itself writes a control character or a noncharacter.

_SPLIT = re.compile("[\x02\ufffe]")


def page_text(pdf: PdfDocument, number: int) -> str:
    """Return the text of a page (1-based) with `\\n` line ends and soft hyphens; "" when pdfium cannot load it."""
    import pypdfium2 as pdfium

    try:
        page = pdf[number - 1]
        text = page.get_textpage().get_text_bounded()
        page.close()
    except pdfium.PdfiumError:
        return ""
    return _SPLIT.sub(SOFT_HYPHEN, text.replace("\r\n", "\n"))


def whole_words(text: str) -> str:
    """Join the words that were split at a line's end."""
    return re.sub(rf"{SOFT_HYPHEN}\s*", "", text)
