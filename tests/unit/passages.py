"""Passages for tests of answers: a text and its number are enough."""

from core.model.answer import Passage
from core.model.chunk import Chunk
from core.model.ids import ChunkId, NotebookId, SourceId


def passage(
    n: int,
    text: str,
    *,
    start: int = 0,
    source: int | None = None,
    title: str = "Источник",
    page: int | None = None,
    headings: tuple[str, ...] = (),
) -> Passage:
    """Number `n` from source `source` (its own, if not said), standing at `start` of its clean text."""
    chunk = Chunk(
        id=ChunkId(n),
        notebook_id=NotebookId(1),
        source_id=SourceId(n if source is None else source),
        version=1,
        title=title,
        ordinal=0,
        start=start,
        end=start + len(text),
        text=text,
        page=page,
        headings=headings,
        external_id=f"src{n}",
    )
    return Passage(n, chunk, text, start, start + len(text))
