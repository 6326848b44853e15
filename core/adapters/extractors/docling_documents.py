"""From docling's documents to ours: what its extractors share. Imported only inside `extract`."""

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


def installed() -> str:
    """Say "" where docling is installed, `not-installed` elsewhere; loads nothing."""
    from importlib.util import find_spec

    return "" if find_spec("docling") else "not-installed"


def stream(data: bytes, ending: str) -> DocumentStream:
    """Give bytes to docling under a name of our own: what was sent may be named anything, or nothing."""
    from io import BytesIO

    from docling.datamodel.base_models import DocumentStream

    return DocumentStream(name=f"document.{ending}", stream=BytesIO(data))


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


def groups(document: DoclingDocument, *, notes: bool = False) -> list[tuple[str, str]]:
    """Export each top-level group of the body, a slide or a sheet, as its name and its Markdown.

    A group that its program would not show (a hidden slide or sheet) is left out by an empty text.

    Args:
        document: Of a presentation or a workbook.
        notes: A speaker's notes are put behind their slide.
    """
    from docling_core.transforms.serializer.markdown import MarkdownDocSerializer, MarkdownParams
    from docling_core.types.doc.common.content_layer import ContentLayer
    from docling_core.types.doc.items.group import GroupItem

    layers = {ContentLayer.BODY, ContentLayer.NOTES} if notes else {ContentLayer.BODY}
    params = MarkdownParams(
        layers=layers,
        image_placeholder="",
        escape_html=False,
        escape_underscores=False,
        compact_tables=True,
        include_picture_classification=False,
    )
    serializer = MarkdownDocSerializer(doc=document, params=params)
    items = [child.resolve(document) for child in document.body.children]
    return [
        (item.name, serializer.serialize(item=item).text.strip() if item.content_layer is ContentLayer.BODY else "")
        for item in items
        if isinstance(item, GroupItem)
    ]


def footnotes(document: DoclingDocument) -> list[str]:
    """List the notes at the foot or the end of a text, which docling keeps out of its body."""
    from docling_core.types.doc.common.content_layer import ContentLayer
    from docling_core.types.doc.labels import DocItemLabel

    return [
        text.text.strip()
        for text in document.texts
        if text.label is DocItemLabel.FOOTNOTE and text.content_layer is ContentLayer.FURNITURE and text.text.strip()
    ]


def whole(document: DoclingDocument) -> Document:
    """Make our document of one without pages; pictures without a word count as text that could not be had."""
    text = markdown(document)
    return Document(text=text if text or not document.pictures else "<!-- image -->")
