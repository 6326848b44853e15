"""PDF by pdfium: the bare text of each page, for files on which everything richer fails."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.adapters.extractors.pdf_pages import page_facts, without_text
from core.ingest.pages import join_pages
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress


@dataclass(slots=True)
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

        with pdfium.PdfDocument(request.path) as pdf:
            count = len(pdf)
            numbers = request.pages or tuple(range(1, min(count, request.max_pages) + 1))
            texts: dict[int, str] = {}
            for number in numbers:
                texts[number] = _text_of(pdf, number)
                progress(len(texts), len(numbers))
        document = join_pages(texts, page_count=count)
        return replace(document, missing_pages=without_text(texts, page_facts(request.path, texts)))


def _text_of(pdf: object, number: int) -> str:
    """Return the text of a page, "" when pdfium cannot load it."""
    import pypdfium2 as pdfium

    assert isinstance(pdf, pdfium.PdfDocument)
    try:
        page = pdf[number - 1]
        text = page.get_textpage().get_text_bounded()
    except pdfium.PdfiumError:
        return ""
    return str(text).replace("\r\n", "\n").replace("\x02", "").replace("\ufffe", "")
