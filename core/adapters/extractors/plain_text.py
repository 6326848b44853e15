"""Text as it is: pasted words and files that hold nothing but characters."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.adapters.decoding import decode
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress


@dataclass(frozen=True, slots=True)
class PlainText:
    """Decodes the bytes and changes nothing else."""

    name: str = "plain-text"
    deadline_s: float = 60.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        """It needs nothing."""
        return ""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the whole file.

        Raises:
            UserError: As `decode` does.
        """
        text = decode(Path(request.path).read_bytes())
        progress(1, 1)
        return Document(text=text)
