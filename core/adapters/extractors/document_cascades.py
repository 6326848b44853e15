"""What is tried on each kind of document, in order. Importing it loads no library."""

from __future__ import annotations

from core.adapters.extractors.djvu import DjvuPictures, DjvuText
from core.adapters.extractors.docling_epub import DoclingEpub
from core.adapters.extractors.docling_fb2 import DoclingFb2
from core.adapters.extractors.docling_html import DoclingHtml
from core.adapters.extractors.docling_office import DoclingOffice
from core.adapters.extractors.docling_sheets import DoclingSheets
from core.adapters.extractors.docling_slides import DoclingSlides
from core.adapters.extractors.docx_text import DocxText
from core.adapters.extractors.legacy_office import LegacyOffice
from core.adapters.extractors.legacy_text import LegacyText
from core.adapters.extractors.package_text import PackageText
from core.adapters.extractors.plain_text import PlainText
from core.adapters.extractors.soffice_pdf import SlidePictures, SofficePdf
from core.adapters.extractors.table_rows import TableRows
from core.model.source import SourceKind
from core.ports.documents import Cascade, Level


def document_cascades(*services: Level) -> dict[SourceKind, Cascade]:
    """List the cascades of every kind but PDF, pictures, sound and links.

    Args:
        services: What prints office files elsewhere (`GotenbergDocuments`); asked before LibreOffice on this machine.
    """
    printed: tuple[Level, ...] = (*services, SofficePdf())
    legacy = Cascade((LegacyOffice(), *printed, LegacyText()))
    return {
        SourceKind.TEXT: Cascade((PlainText(),)),
        SourceKind.PLAIN_FILE: Cascade((PlainText(),)),
        SourceKind.CSV: Cascade((DoclingSheets(), TableRows(), PlainText())),
        SourceKind.DOCX: Cascade((DoclingOffice(), *printed, DocxText())),
        SourceKind.PPTX: Cascade((DoclingSlides(), *printed, PackageText()), page_rescue=(SlidePictures(),)),
        SourceKind.XLSX: Cascade((DoclingSheets(), TableRows(), *printed)),
        SourceKind.ODT: Cascade((DoclingOffice(), *printed, PackageText())),
        SourceKind.ODP: Cascade((DoclingSlides(), *printed, PackageText())),
        SourceKind.ODS: Cascade((DoclingSheets(), TableRows(), *printed)),
        SourceKind.DOC: legacy,
        SourceKind.PPT: legacy,
        SourceKind.RTF: legacy,
        SourceKind.XLS: Cascade((LegacyOffice(), *printed)),
        SourceKind.HTML: Cascade((DoclingHtml(), PackageText())),
        SourceKind.EPUB: Cascade((DoclingEpub(), PackageText())),
        SourceKind.FB2: Cascade((DoclingFb2(), PackageText())),
        SourceKind.DJVU: Cascade((DjvuText(),), page_rescue=(DjvuPictures(),)),
    }
