"""From docling's documents to ours: what its four extractors share. Imported only inside `extract`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from core.ingest.cascade import ExtractionFailed
from core.model.document import Document

if TYPE_CHECKING:
    from pathlib import Path

    from docling.datamodel.base_models import DocumentStream, InputFormat
    from docling.document_converter import FormatOption
    from docling_core.types.doc.document import DoclingDocument


def convert(
    source: Path | DocumentStream,
    input_format: InputFormat,
    option: FormatOption,
    *,
    page_range: tuple[int, int] = (1, sys.maxsize),
) -> DoclingDocument:
    """Have docling read a source as one format.

    Raises:
        ExtractionFailed: It gave nothing up; half a document counts as one.
    """
    from docling.datamodel.base_models import ConversionStatus
    from docling.document_converter import DocumentConverter

    converter = DocumentConverter(allowed_formats=[input_format], format_options={input_format: option})
    result = converter.convert(source, raises_on_error=False, page_range=page_range)
    if result.status not in (ConversionStatus.SUCCESS, ConversionStatus.PARTIAL_SUCCESS):
        raise ExtractionFailed("extraction-failed", {"code": f"docling-{result.status.value}"})
    return result.document


def markdown(document: DoclingDocument, *, page: int | None = None) -> str:
    """Export a document, or one page of it: no picture placeholders, no escapes, tables without padding."""
    return str(
        document.export_to_markdown(
            page_no=page,
            image_placeholder="",
            escape_html=False,
            escape_underscores=False,
            compact_tables=True,
        )
    ).strip()


def whole(document: DoclingDocument) -> Document:
    """Make our document of one without pages; pictures without a word count as text that could not be had."""
    text = markdown(document)
    return Document(text=text if text or not document.pictures else "<!-- image -->")
