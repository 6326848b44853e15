"""PDF by docling's full pipeline: layout and table models, where their weights are complete on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from core.adapters.extractors.pdf_pages import open_pdf, windows
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

_WEIGHTS = (
    "docling-project--docling-layout-heron/config.json",
    "docling-project--docling-layout-heron/preprocessor_config.json",
    "docling-project--docling-layout-heron/model.safetensors",
    "docling-project--docling-models/model_artifacts/tableformer/accurate/tm_config.json",
    "docling-project--docling-models/model_artifacts/tableformer/accurate/tableformer_accurate.safetensors",
)
# As `docling-tools models download layout tableformer` lays them out.

WINDOW = 20
# Pages that docling is given at once: it holds every page of a window in memory, as pictures.


@dataclass(frozen=True, slots=True)
class DoclingStandard:
    """The best structure there is; about a second a page on a processor."""

    name: str = "docling-standard"
    deadline_s: float = 1800.0
    memory_bytes: int = 6 << 30

    def unavailable(self) -> str:
        """Look whether torch is installed and every file of the weights is there: docling would ask a hub and hang."""
        from importlib.util import find_spec

        if not find_spec("docling"):
            return "not-installed"
        if not (find_spec("torch") and find_spec("torchvision")):
            return "no-torch"
        return "" if all(_whole(weights_folder() / name) for name in _WEIGHTS) else "no-weights"

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pages asked for, never more than `max_pages`; scans are left to the page rescue."""
        pdf = open_pdf(request)
        texts: dict[int, str] = {}
        for first, last in windows(pdf.numbers, WINDOW):
            texts |= _read(pdf.path, first, last)
            progress(len(texts), len(pdf.numbers))
        return pdf.document(texts)


def weights_folder() -> Path:
    """Name the folder of the weights: docling's own setting, or where its tool puts them."""
    named = os.environ.get("DOCLING_ARTIFACTS_PATH")
    return Path(named).expanduser() if named else Path.home() / ".cache/docling/models"


def _whole(file: Path) -> bool:
    return file.is_file() and file.stat().st_size > 0


def _read(path: str, first: int, last: int) -> dict[int, str]:
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.pipeline_options import PdfPipelineOptions
    from docling.document_converter import PdfFormatOption

    from core.adapters.extractors.docling_documents import convert, markdown

    options = PdfPipelineOptions(do_ocr=False, artifacts_path=weights_folder())
    document = convert(Path(path), InputFormat.PDF, PdfFormatOption(pipeline_options=options), page_range=(first, last))
    return {number: markdown(document, page=number) for number in document.pages}
