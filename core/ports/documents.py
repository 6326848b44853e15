"""Extractors and the process that runs them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from core.model.document import Document
from core.model.source import Reason, SourceKind


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """What an extractor is given.

    Attributes:
        path: File to read; "" for a link of which nothing was fetched.
        file_name: Its name as sent.
        url: The link, for kinds that are one.
        languages: Preferred languages, best first (ISO 639-1), where there is a choice.
        pages: Only these pages (1-based), None for all.
        max_pages: Never more than so many.
    """

    path: str
    kind: SourceKind
    file_name: str = ""
    media_type: str = ""
    pages: tuple[int, ...] | None = None
    max_pages: int = 3000
    url: str = ""
    languages: tuple[str, ...] = ("ru", "en")


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


@runtime_checkable
class ServiceExtractor(Protocol):
    """One way to read that waits for a service or a pooled program; `read` runs in the worker.

    It parses nothing a stranger sent: what came back is parsed in a child (see `ChildRunner`).
    """

    @property
    def name(self) -> str:
        """As recorded in attempts."""
        ...

    @property
    def deadline_s(self) -> float:
        """Seconds after which it is cancelled."""
        ...

    def unavailable(self) -> str:
        """Say why it cannot work here; "" when it can. Cheap: `not-configured`, `not-installed`."""
        ...

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read it; errors of `core.errors`, or any other for "failed"."""
        ...


Level = Extractor | ServiceExtractor


@dataclass(frozen=True, slots=True)
class Cascade:
    """What is tried on a kind, in order, and what may then fill in single pages without text.

    Attributes:
        unread: Text key of what to say when no level read it and none said why.
        unavailable: The same when no level can work here at all.
    """

    extractors: tuple[Level, ...]
    page_rescue: tuple[Level, ...] = ()
    unread: str = "source-unreadable"
    unavailable: str = "source-unreadable"


class ChildRunner(Protocol):
    """Runs one extractor in a process group of its own, or awaits one that asks a service."""

    async def run(self, extractor: Level, request: ExtractionRequest, progress: Progress) -> Document:
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


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a link led to.

    Attributes:
        url: The address after redirects.
        media_type: As the server said, lower case, without parameters.
        file_name: From its headers or address, "" for none.
        is_page: It is HTML: the cascade of pages reads it; anything else is a file.
    """

    url: str
    media_type: str
    file_name: str
    is_page: bool


class LinkFetcher(Protocol):
    """Gets what is behind a public address, and nothing behind any other."""

    async def fetch(self, url: str, target: Path, *, max_bytes: int) -> Fetched:
        """Write what the address answers to a file.

        Raises:
            UserError: `link-private`, `link-invalid`, `link-not-found` (404, 410), `link-too-large` with `limit_mb`.
            TransientError: The network, a time-out, 5xx, 429.
            PermanentError: The server refuses (`link-refused`): a browser may be let in.
        """
        ...


@dataclass(frozen=True, slots=True)
class Member:
    """One thing a container holds: a file (by its path in a folder of ours) or a link."""

    title: str
    kind: SourceKind
    path: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Opened:
    """A container's members in their order, and what was left out."""

    members: tuple[Member, ...]
    lost: tuple[Reason, ...] = ()


class ContainerOpener(Protocol):
    """Opens a kind of container."""

    async def open(self, request: ExtractionRequest, folder: Path, *, limit: int) -> Opened:
        """List at most `limit` members; files are written into the folder.

        Raises:
            UserError, TransientError: It cannot be opened.
        """
        ...
