"""DOC, XLS, PPT and RTF: LibreOffice makes them new, docling reads what comes out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.adapters.extractors.docling_documents import installed
from core.adapters.extractors.docling_office import DoclingOffice
from core.adapters.extractors.docling_sheets import DoclingSheets
from core.adapters.extractors.docling_slides import DoclingSlides
from core.adapters.extractors.soffice import converted, soffice_lack
from core.adapters.extractors.table_rows import TableRows
from core.ingest.cascade import ExtractionFailed
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Extractor, Progress

_NEW: dict[SourceKind, tuple[SourceKind, tuple[Extractor, ...]]] = {
    SourceKind.DOC: (SourceKind.DOCX, (DoclingOffice(),)),
    SourceKind.RTF: (SourceKind.DOCX, (DoclingOffice(),)),
    SourceKind.PPT: (SourceKind.PPTX, (DoclingSlides(),)),
    SourceKind.XLS: (SourceKind.XLSX, (DoclingSheets(), TableRows())),
}
# What each becomes, and who reads that.


@dataclass(frozen=True, slots=True)
class LegacyOffice:
    """1.3-1.8 s for LibreOffice, then as the new format; headings, tables and lists are kept."""

    name: str = "soffice+docling"
    deadline_s: float = 150.0
    memory_bytes: int = 3 << 30
    convert_s: float = 90.0
    # Of the deadline, what LibreOffice may take.

    def unavailable(self) -> str:
        """Say whether the program and the library are installed."""
        return soffice_lack() or installed()

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Convert, then read."""
        kind, readers = _NEW[request.kind]
        path = converted(request.path, request.kind, kind.value, timeout_s=self.convert_s)
        new = replace(request, path=str(path), kind=kind)
        for reader in readers[:-1]:
            try:
                return reader.extract(new, progress)
            except ExtractionFailed:
                continue
        return readers[-1].extract(new, progress)
