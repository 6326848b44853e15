"""PDF pages as pictures, read by tesseract: for scans and for pages whose own text is garbled."""

from __future__ import annotations

from dataclasses import dataclass

from core.adapters.extractors.pdf_pictures import page_picture
from core.adapters.extractors.picture_text import PrintReader
from core.adapters.extractors.tesseract_program import lack
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

DPI = 300
# Russian word error 0.022 at 300, 0.032 at 150.


@dataclass(frozen=True, slots=True)
class TesseractPages:
    """2-4 s a page; printed text only: handwriting needs a model that sees."""

    name: str = "tesseract"
    deadline_s: float = 600.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the program and its Russian data are installed."""
        return lack()

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for; a page on which nothing was recognised is missing, unless it is blank.

        Raises:
            ExtractionFailed: tesseract broke, and no page was read.
        """
        import pypdfium2 as pdfium

        with pdfium.PdfDocument(request.path) as pdf:
            count = len(pdf)
            numbers = request.pages or tuple(range(1, min(count, request.max_pages) + 1))
            pictures = ((number, page_picture(pdf, number, DPI)) for number in numbers)
            reader = PrintReader()
            document = reader.read_all(pictures, count, lambda done: progress(done, len(numbers)))
        if reader.failure is not None and not document.text:
            raise reader.failure
        return document
