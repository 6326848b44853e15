"""Photos, scans and albums read by tesseract, where no model that sees is at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.adapters.extractors.picture_text import PrintReader
from core.adapters.extractors.pictures import count_pictures, open_pictures
from core.adapters.extractors.tesseract_program import lack
from core.errors import UserError
from core.ingest.pages import join_pages
from core.model.document import Document
from core.model.source import Reason
from core.ports.documents import ExtractionRequest, Progress


@dataclass(frozen=True, slots=True)
class TesseractPictures:
    """2-4 s a picture; printed text only."""

    name: str = "tesseract"
    deadline_s: float = 600.0
    memory_bytes: int = 2 << 30

    def unavailable(self) -> str:
        """Say whether the program and its Russian data are installed."""
        return lack()

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the pictures asked for; one without print that can be read is missing, unless it is blank.

        Raises:
            UserError: `source-photo-no-text` when none of all the pictures has any; see also `open_pictures`.
            ExtractionFailed: tesseract broke, and nothing was read.
        """
        count = count_pictures(request.path)
        numbers = request.pages or tuple(range(1, min(count, request.max_pages) + 1))
        texts: dict[int, str] = {}
        lost: list[Reason] = []
        missing: list[int] = []
        reader = PrintReader()
        for done, picture in enumerate(open_pictures(request.path, numbers), 1):
            text = reader.read(picture.image)
            if text is None:
                missing.append(picture.number)
            texts[picture.number] = text or ""
            if picture.cut:
                lost.append(Reason("lost-picture-cut", {"page": picture.number}))
            progress(done, len(numbers))
        if not any(texts.values()):
            _refuse(reader, request)
        return replace(join_pages(texts, page_count=count), missing_pages=tuple(missing), lost=tuple(lost))


def _refuse(reader: PrintReader, request: ExtractionRequest) -> None:
    """Say why nothing was read, unless only some of the pictures were asked for: others may have text."""
    if reader.failure is not None:
        raise reader.failure
    if request.pages is None:
        raise UserError("source-photo-no-text")
