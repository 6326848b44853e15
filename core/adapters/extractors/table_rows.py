"""XLSX, ODS and CSV row by row, for tables that are too large for docling or break it."""

from __future__ import annotations

from dataclasses import dataclass

from core.adapters.extractors.tables import Table, as_document
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Progress


@dataclass(frozen=True, slots=True)
class TableRows:
    """A third of a million rows in seconds and little memory; each sheet is one table."""

    name: str = "table-rows"
    deadline_s: float = 120.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        """Say whether the library is installed."""
        from importlib.util import find_spec

        return "" if find_spec("lxml") else "not-installed"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the first rows of every sheet and count the others."""
        document = as_document(_tables(request))
        progress(1, 1)
        return document


def _tables(request: ExtractionRequest) -> list[Table]:
    if request.kind is SourceKind.CSV:
        from core.adapters.extractors.csv_rows import csv_table

        return [csv_table(request.path)]
    if request.kind is SourceKind.ODS:
        from core.adapters.extractors.ods_rows import ods_tables

        return ods_tables(request.path)
    from core.adapters.extractors.xlsx_rows import xlsx_tables

    return xlsx_tables(request.path)
