"""PDF by pdfium: the bare text of each page, for files on which everything richer fails."""

from __future__ import annotations

from dataclasses import dataclass

from core.adapters.extractors.pdf_pages import open_pdf
from core.adapters.extractors.pdf_text import page_text, whole_words
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress


@dataclass(frozen=True, slots=True)
class PdfiumPdf:
    """Recall 0.969, no structure; reads what Chrome reads."""

    name: str = "pdfium"
    deadline_s: float = 120.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        from importlib.util import find_spec

        return "" if find_spec("pypdfium2") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for, never more than `max_pages`."""
        import pypdfium2 as pdfium

        opened = open_pdf(request)
        texts: dict[int, str] = {}
        with pdfium.PdfDocument(opened.path) as pdf:
            for number in opened.numbers:
                texts[number] = whole_words(page_text(pdf, number))
                progress(len(texts), len(opened.numbers))
        return opened.document(texts)
