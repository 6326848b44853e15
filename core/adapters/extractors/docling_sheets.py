"""XLSX, ODS and CSV by docling: each table of a sheet by itself, the sheet's name above."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from pathlib import Path

from core.adapters.extractors.docling_documents import convert, groups, installed, stream, whole
from core.ingest.cascade import ExtractionFailed
from core.model.document import Document
from core.model.source import Reason, SourceKind
from core.ports.documents import ExtractionRequest, Progress

MOST_CELLS = 50_000
"""docling takes 37 s and 1.6 GB for ten times as many; larger ones are read row by row."""

MOST_ROWS = 10_000
"""To the last one with anything in it: docling walks through every one between, a million in 8 s."""


@dataclass(frozen=True, slots=True)
class DoclingSheets:
    """Recall 1.000 in 0.1-5 s."""

    name: str = "docling-sheets"
    deadline_s: float = 120.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        return installed()

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the visible sheets.

        Raises:
            ExtractionFailed: `too-many-cells`: nothing was read.
        """
        read = {SourceKind.CSV: _csv, SourceKind.ODS: _ods}.get(request.kind, _xlsx)
        document = read(request.path)
        progress(1, 1)
        return document


def _xlsx(path: str) -> Document:
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import ExcelFormatOption

    from core.adapters.extractors.packages import as_document
    from core.adapters.extractors.xlsx_rows import size_of

    size = size_of(path, most_cells=MOST_CELLS, most_rows=MOST_ROWS)
    _refuse(size.cells > MOST_CELLS or size.rows > MOST_ROWS)
    solved = _solved(path) if size.unsolved else None
    data = as_document(solved or path)
    found = convert(stream(data, "xlsx"), InputFormat.XLSX, ExcelFormatOption())
    document = _named(groups(found))
    lost = (Reason("lost-formulas", {"count": size.unsolved}),) if size.unsolved and not solved else ()
    return replace(document, lost=lost)


def _solved(path: str) -> str | None:
    """Have LibreOffice work out the formulas whose results nobody stored; None where it is not or does not."""
    from core.adapters.extractors.soffice import converted, soffice_lack

    if soffice_lack():
        return None
    try:
        return str(converted(path, SourceKind.XLSX, "xlsx", timeout_s=60.0))
    except ExtractionFailed:
        return None


def _ods(path: str) -> Document:
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import OdsFormatOption

    from core.adapters.extractors.ods_rows import ods_cells

    _refuse(ods_cells(path, most=MOST_CELLS) > MOST_CELLS)
    found = convert(stream(Path(path).read_bytes(), "ods"), InputFormat.ODS, OdsFormatOption())
    return _named(groups(found))


def _csv(path: str) -> Document:
    """Give docling the table in the one dialect that it does not mistake: it takes decimal commas for delimiters."""
    from docling.datamodel.base_models import InputFormat
    from docling.document_converter import CsvFormatOption

    from core.adapters.extractors.csv_rows import csv_table

    table = csv_table(path)
    _refuse(table.total > len(table.rows) or sum(map(len, table.rows)) > MOST_CELLS)
    width = max(map(len, table.rows), default=0)
    plain = io.StringIO()
    writer = csv.writer(plain, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([" ".join(cell.split()) for cell in row] + [""] * (width - len(row)) for row in table.rows)
    return whole(convert(stream(plain.getvalue().encode(), "csv"), InputFormat.CSV, CsvFormatOption()))


def _named(sheets: list[tuple[str, str]]) -> Document:
    """Put each sheet's name over what it holds."""
    return Document("\n\n".join(f"## {name.removeprefix('sheet: ')}\n\n{text}" for name, text in sheets if text))


def _refuse(too_large: bool) -> None:
    if too_large:
        raise ExtractionFailed("extraction-failed", {"code": "too-many-cells"})
