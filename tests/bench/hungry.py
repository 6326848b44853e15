"""An extractor that eats memory without end; in a module of its own, as a child that is sent it needs."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

LIMIT_BYTES = 512 << 20
PIECE = 16 << 20


@dataclass(frozen=True, slots=True)
class Hungry:
    """Takes memory until it is stopped."""

    name: str = "hungry"
    deadline_s: float = 60.0
    memory_bytes: int = LIMIT_BYTES

    def unavailable(self) -> str:
        """It is there."""
        return ""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Never come back."""
        held = []
        while True:
            held.append(b"x" * PIECE)
