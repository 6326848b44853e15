"""An office file printed to PDF by LibreOffice on this machine, then read as a PDF: the second way to read one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.adapters.extractors.liteparse_pdf import LiteparsePdf
from core.adapters.extractors.pdfium_pdf import PdfiumPdf
from core.adapters.extractors.slide_parts import slide_parts
from core.adapters.extractors.soffice import converted, soffice_lack
from core.adapters.extractors.tesseract_pages import TesseractPages
from core.ingest.cascade import ExtractionFailed
from core.ingest.pages import join_pages, put_pages, split_pages
from core.ingest.quality import judge
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Extractor, Progress

_READERS: tuple[Extractor, ...] = (LiteparsePdf(), PdfiumPdf())


@dataclass(frozen=True, slots=True)
class SofficePdf:
    """1.1-1.8 s a file; gives page numbers, reads scans that stand in it, loses notes and part of the structure."""

    name: str = "soffice+pdf"
    deadline_s: float = 400.0
    memory_bytes: int = 3 << 30
    convert_s: float = 100.0
    # Of the deadline, what LibreOffice may take.

    def unavailable(self) -> str:
        """Say whether the program and a library that reads PDFs are installed."""
        return soffice_lack() or ("" if _ready() else "not-installed")

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Print and read; the first text that passes the gate, else the last.

        Raises:
            ExtractionFailed: `too-many-pages`: the rest would be lost without a word.
        """
        path = converted(request.path, request.kind, "pdf", timeout_s=self.convert_s)
        printed = replace(request, path=str(path), kind=SourceKind.PDF)
        document = Document("")
        for reader in _ready():
            document = reader.extract(printed, progress)
            if document.page_count > request.max_pages:
                raise ExtractionFailed("extraction-failed", {"code": "too-many-pages"})
            if judge(document, SourceKind.PDF).ok:
                break
        return _with_scans(document, printed, progress)


@dataclass(frozen=True, slots=True)
class SlidePictures:
    """Slides that are nothing but pictures: printed, then read by tesseract, 1-3 s each."""

    name: str = "soffice+tesseract"
    deadline_s: float = 400.0
    memory_bytes: int = 3 << 30
    convert_s: float = 100.0

    def unavailable(self) -> str:
        """Say whether both programs are installed."""
        return soffice_lack() or TesseractPages().unavailable()

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the slides asked for; hidden ones are not printed, which shifts the numbers."""
        shown = _shown(request)
        path = converted(request.path, request.kind, "pdf", timeout_s=self.convert_s)
        wanted = request.pages or tuple(shown.values())
        numbers = tuple(number for number, slide in shown.items() if slide in wanted)
        printed = replace(request, path=str(path), kind=SourceKind.PDF, pages=numbers)
        found = TesseractPages().extract(printed, progress)
        texts = {shown[number]: text for number, text in split_pages(found).items()}
        return replace(join_pages(texts), missing_pages=tuple(shown[number] for number in found.missing_pages))


def _ready() -> list[Extractor]:
    return [reader for reader in _READERS if not reader.unavailable()]


def _with_scans(document: Document, printed: ExtractionRequest, progress: Progress) -> Document:
    """Have tesseract read the pages that are pictures."""
    if not document.missing_pages or TesseractPages().unavailable():
        return document
    found = TesseractPages().extract(replace(printed, pages=document.missing_pages), progress)
    return put_pages(document, split_pages(found), missing=found.missing_pages)


def _shown(request: ExtractionRequest) -> dict[int, int]:
    """Number the slides that are printed: page of the PDF to number of the slide."""
    if request.kind is not SourceKind.PPTX:
        return {number: number for number in range(1, request.max_pages + 1)}
    slides = enumerate(slide_parts(request.path), 1)
    return dict(enumerate((number for number, slide in slides if not slide.is_hidden), 1))
