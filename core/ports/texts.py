"""Repositories of what is made of a source: words, vectors, insights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from core.model.chunk import Chunk, ChunkDraft
from core.model.document import Document
from core.model.ids import (
    ChunkId,
    ModelId,
    NotebookId,
    SourceId,
)


class Texts(Protocol):
    """A source's words and what is derived from them."""

    async def save(
        self,
        notebook_id: NotebookId,
        source_id: SourceId,
        document: Document,
        chunks: Sequence[ChunkDraft],
        language: str,
    ) -> None:
        """Store the clean text, its maps, its chunks and their postings (replacing what was there), by bulk copy."""
        ...

    async def document(self, notebook_id: NotebookId, source_id: SourceId) -> Document | None:
        """Load a source's clean text with its maps."""
        ...

    async def slice(self, notebook_id: NotebookId, source_id: SourceId, start: int, end: int) -> str:
        """Load a character range of a source's clean text, clipped to it."""
        ...

    async def chunks(self, notebook_id: NotebookId, chunk_ids: Sequence[ChunkId]) -> list[Chunk]:
        """Load chunks in the order of the ids given; unknown ones are left out."""
        ...

    async def of_sources(
        self, notebook_id: NotebookId, ordinals: Mapping[SourceId, Sequence[int]], *, whole: int
    ) -> dict[SourceId, tuple[int, list[Chunk]]]:
        """Load the wanted chunks of several sources, all of them of one with at most `whole` characters.

        Returns:
            Each source that is there: its length in characters and the chunks in document order.
        """
        ...

    async def of_source(self, notebook_id: NotebookId, source_id: SourceId) -> list[Chunk]:
        """Load all chunks of a source in document order."""
        ...

    async def neighbours(self, notebook_id: NotebookId, source_id: SourceId, ordinals: Sequence[int]) -> list[Chunk]:
        """Load a source's chunks by ordinal, in document order; unknown ones are left out."""
        ...


class Vectors(Protocol):
    """Vectors of chunks, side by side for several models."""

    async def model(self, name: str, dimensions: int) -> ModelId:
        """Find or register an embedding model."""
        ...

    async def missing(
        self, notebook_id: NotebookId, source_id: SourceId, model_id: ModelId, limit: int
    ) -> list[tuple[ChunkId, str]]:
        """List chunks without a vector of this model, in document order, with the text to embed."""
        ...

    async def cached(self, model_id: ModelId, texts: Sequence[str]) -> dict[str, list[float]]:
        """Find vectors of equal texts made before."""
        ...

    async def add(
        self,
        notebook_id: NotebookId,
        source_id: SourceId,
        model_id: ModelId,
        vectors: Mapping[ChunkId, Sequence[float]],
    ) -> None:
        """Store vectors (a repeat changes nothing) and remember them by the hash of their text."""
        ...


class Insights(Protocol):
    """Summaries, key points and suggested questions; the first two are searchable."""

    async def put(self, notebook_id: NotebookId, source_id: SourceId, kind: str, text: str, language: str) -> None:
        """Store one insight of a source, replacing the one of that kind; "" removes it.

        Nothing happens when the source is gone.
        """
        ...

    async def of_sources(self, notebook_id: NotebookId, source_ids: Sequence[SourceId]) -> dict[SourceId, str]:
        """Load what summaries and key points say of sources, as one text each; never the questions."""
        ...

    async def of_kind(self, notebook_id: NotebookId, source_ids: Sequence[SourceId], kind: str) -> dict[SourceId, str]:
        """Load the insights of one kind; sources without are left out."""
        ...
