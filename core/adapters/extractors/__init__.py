"""The cascades: what is tried on each kind of source, in order. Importing them loads no library."""

from core.adapters.extractors.liteparse_pdf import LiteparsePdf
from core.adapters.extractors.pdfium_pdf import PdfiumPdf
from core.adapters.extractors.plain_text import PlainText
from core.model.source import SourceKind
from core.ports.documents import Cascade

CASCADES: dict[SourceKind, Cascade] = {
    SourceKind.TEXT: Cascade((PlainText(),)),
    SourceKind.PLAIN_FILE: Cascade((PlainText(),)),
    SourceKind.PDF: Cascade((LiteparsePdf(), PdfiumPdf())),
}
