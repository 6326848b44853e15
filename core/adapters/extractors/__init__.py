"""The cascades: what is tried on each kind of source, in order. Importing them loads no library."""

from core.adapters.extractors.docling_html import DoclingHtml
from core.adapters.extractors.docling_native import DoclingNative
from core.adapters.extractors.docling_office import DoclingOffice
from core.adapters.extractors.docling_standard import DoclingStandard
from core.adapters.extractors.docx_text import DocxText
from core.adapters.extractors.liteparse_pdf import LiteparsePdf
from core.adapters.extractors.pdfium_pdf import PdfiumPdf
from core.adapters.extractors.plain_text import PlainText
from core.adapters.extractors.tesseract_pages import TesseractPages
from core.model.source import SourceKind
from core.ports.documents import Cascade

CASCADES: dict[SourceKind, Cascade] = {
    SourceKind.TEXT: Cascade((PlainText(),)),
    SourceKind.PLAIN_FILE: Cascade((PlainText(),)),
    SourceKind.PDF: Cascade(
        (DoclingStandard(), LiteparsePdf(), DoclingNative(), PdfiumPdf()),
        page_rescue=(TesseractPages(),),
    ),
    SourceKind.DOCX: Cascade((DoclingOffice(), DocxText())),
    SourceKind.HTML: Cascade((DoclingHtml(),)),
}
