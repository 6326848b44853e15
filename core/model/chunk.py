"""A chunk: the unit that is indexed, embedded and cited."""

from dataclasses import dataclass

from core.model.ids import ChunkId, NotebookId, SourceId


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before it is stored.

    Attributes:
        ordinal: 0-based place in its source.
        start, end: Character range in the source's clean text; `text == source[start:end]`.
        page: Page of its first character, None without pages.
        time_s: Second of its first character, None unless spoken.
        headings: Heading path above it, outermost first.
    """

    ordinal: int
    start: int
    end: int
    text: str
    page: int | None = None
    time_s: float | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored chunk with the title of its source."""

    id: ChunkId
    notebook_id: NotebookId
    source_id: SourceId
    version: int
    title: str
    ordinal: int
    start: int
    end: int
    text: str
    page: int | None = None
    time_s: float | None = None
    headings: tuple[str, ...] = ()
    external_id: str = ""
