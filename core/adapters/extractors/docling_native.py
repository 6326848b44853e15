"""PDF by docling's native pipeline: no models, every page, columns in their order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.adapters.extractors.pdf_pages import open_pdf, windows
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

if TYPE_CHECKING:
    from docling_core.types.doc.document import DoclingDocument

WINDOW = 100
# Pages that docling is given at once, so that a large file reports progress and holds little memory.


@dataclass(frozen=True, slots=True)
class DoclingNative:
    """Recall 0.989, the lines of two columns not mixed; no headings and no tables."""

    name: str = "docling-native"
    deadline_s: float = 180.0
    memory_bytes: int = 3 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        from importlib.util import find_spec

        return "" if find_spec("docling") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for, never more than `max_pages`."""
        pdf = open_pdf(request)
        texts: dict[int, str] = {}
        for first, last in windows(pdf.numbers, WINDOW):
            texts |= _read(pdf.path, first, last)
            progress(len(texts), len(pdf.numbers))
        return pdf.document(texts)


def _read(path: str, first: int, last: int) -> dict[int, str]:
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import NativePdfFormatOption

    from core.adapters.extractors.docling_documents import convert

    document = convert(Path(path), InputFormat.PDF, NativePdfFormatOption(), page_range=(first, last))
    lines: dict[int, list[str]] = {number: [] for number in range(first, last + 1)}
    for page, line in _lines(document):
        lines.setdefault(page, []).append(line)
    return {page: "\n".join(texts).strip() for page, texts in lines.items()}


def _lines(document: DoclingDocument) -> list[tuple[int, str]]:
    """Give the lines with their pages; an empty line where a gap or a jump shows that a paragraph ends."""
    result: list[tuple[int, str]] = []
    previous = None
    for item in document.texts:
        place = item.prov[0]
        top, bottom = place.bbox.t, place.bbox.b
        height = abs(top - bottom)
        if previous is not None and previous[0] == place.page_no:
            gap = abs(previous[1] - top)
            if gap > 0.8 * height or abs(previous[2] - height) > 0.25 * height:
                result.append((place.page_no, ""))
        result.append((place.page_no, item.text.strip()))
        previous = (place.page_no, bottom, height)
    return result
