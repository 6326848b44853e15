"""Extractors and the process that runs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from core.model.document import Document
from core.model.source import SourceKind


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """What an extractor is given.

    Attributes:
        path: File to read.
        file_name: Its name as sent.
        pages: Only these pages (1-based), None for all.
        max_pages: Never more than so many.
    """

    path: str
    kind: SourceKind
    file_name: str = ""
    media_type: str = ""
    pages: tuple[int, ...] | None = None
    max_pages: int = 3000


Progress = Callable[[int, int], None]
"""Done and total, in pages."""


class Extractor(Protocol):
    """One way to read a kind of file; `extract` runs in a child process that may be killed."""

    @property
    def name(self) -> str:
        """As recorded in attempts."""
        ...

    @property
    def deadline_s(self) -> float:
        """Seconds after which it is killed."""
        ...

    @property
    def memory_bytes(self) -> int:
        """Resident memory above which it is killed."""
        ...

    def unavailable(self) -> str:
        """Say why it cannot work on this machine; "" when it can. Cheap, loads nothing heavy."""
        ...

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the file; errors of `core.errors`, or any other for "failed"."""
        ...


@dataclass(frozen=True, slots=True)
class Cascade:
    """What is tried on a kind, in order, and what may then fill in single pages without text."""

    extractors: tuple[Extractor, ...]
    page_rescue: tuple[Extractor, ...] = ()


class ChildRunner(Protocol):
    """Runs one extractor in a process group of its own."""

    async def run(self, extractor: Extractor, request: ExtractionRequest, progress: Progress) -> Document:
        """Return its document.

        Raises:
            ExtractionTimeout, ExtractionOutOfMemory, ExtractionFailed: See `core.ingest.cascade`.
            UserError, PermanentError: As the extractor raised them.
        """
        ...


class Inspected(Protocol):
    """What a file is, by its bytes."""

    @property
    def kind(self) -> SourceKind:
        """Its kind."""
        ...

    @property
    def pages(self) -> int:
        """Its pages, 0 where the kind has none."""
        ...


class FileInspector(Protocol):
    """Looks at a file before anything reads it, where a hostile one does no harm."""

    async def __call__(self, path: str, file_name: str, media_type: str, *, max_pages: int) -> Inspected:
        """Tell what it is.

        Raises:
            UserError: It must not or cannot be read: empty, encrypted, damaged, a bomb, too many pages, unknown.
        """
        ...
