"""Photos, scans and albums read by tesseract, where no model that sees is at hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.adapters.extractors.picture_text import PrintReader
from core.adapters.extractors.pictures import count_pictures, open_pictures
from core.adapters.extractors.tesseract_program import lack
from core.errors import UserError
from core.model.document import Document
from core.model.source import Reason
from core.ports.documents import ExtractionRequest, Progress

if TYPE_CHECKING:
    from PIL.Image import Image


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
        lost: list[Reason] = []

        def images() -> Iterator[tuple[int, Image | None]]:
            for picture in open_pictures(request.path, numbers):
                if picture.cut:
                    lost.append(Reason("lost-picture-cut", {"page": picture.number}))
                yield picture.number, picture.image

        reader = PrintReader()
        document = reader.read_all(images(), count, lambda done: progress(done, len(numbers)))
        if not document.text:
            _refuse(reader, request)
        return replace(document, lost=tuple(lost))


def _refuse(reader: PrintReader, request: ExtractionRequest) -> None:
    """Say why nothing was read, unless only some of the pictures were asked for: others may have text."""
    if reader.failure is not None:
        raise reader.failure
    if request.pages is None:
        raise UserError("source-photo-no-text")
