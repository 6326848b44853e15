"""The cascades: what is tried on each kind of source, in order. Importing them loads no library."""

from __future__ import annotations

from core.adapters.extractors.docling_native import DoclingNative
from core.adapters.extractors.docling_standard import DoclingStandard
from core.adapters.extractors.document_cascades import document_cascades
from core.adapters.extractors.liteparse_pdf import LiteparsePdf
from core.adapters.extractors.pdfium_pdf import PdfiumPdf
from core.adapters.extractors.tesseract_pages import TesseractPages
from core.adapters.extractors.tesseract_pictures import TesseractPictures
from core.model.source import SourceKind
from core.ports.documents import Cascade, Level

PRINTED = Cascade((LiteparsePdf(), DoclingNative(), PdfiumPdf()), page_rescue=(TesseractPages(),))
"""For PDFs that a service made of something else."""


def build_cascades(
    *, vision: Level, speech: Level, gotenberg: Level, web: tuple[Level, ...], youtube: Cascade
) -> dict[SourceKind, Cascade]:
    """List them for every kind but containers.

    Args:
        vision: A model that sees; the first to read pictures, and pages without text.
        speech: What writes down what is said.
        gotenberg: What prints office files elsewhere.
        web: The levels of pages, in order.
        youtube: The cascade of videos, whose levels share what they found out.
    """
    return {
        **document_cascades(gotenberg),
        SourceKind.PDF: Cascade(
            (DoclingStandard(), LiteparsePdf(), DoclingNative(), PdfiumPdf()), page_rescue=(vision, TesseractPages())
        ),
        SourceKind.IMAGE: Cascade((vision, TesseractPictures()), page_rescue=(TesseractPictures(),)),
        SourceKind.AUDIO: Cascade((speech,), unavailable="source-voice-not-configured"),
        SourceKind.WEB: Cascade(web, unread="link-refused"),
        SourceKind.YOUTUBE: youtube,
    }
