"""SearchNotebook: a question in a person's words finds its passages in one notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.model.ids import NotebookId, SourceId
from core.model.search import SearchQuery, SearchResult
from core.retrieval.embedding_model import EmbeddingModel
from core.retrieval.language import detect_language
from core.retrieval.parts import split_question
from core.retrieval.retrieve import TOP_CHUNKS, TOP_SOURCES, Retrieve


@dataclass(frozen=True)
class SearchNotebook:
    """Tell a question's language, take several questions apart, embed them and retrieve.

    Without a working embedder the words still find.
    """

    embedding: EmbeddingModel
    retrieve: Retrieve

    async def __call__(
        self,
        notebook_id: NotebookId,
        text: str,
        *,
        source_ids: Sequence[SourceId] | None = None,
        top_sources: int = TOP_SOURCES,
        top_chunks: int = TOP_CHUNKS,
    ) -> SearchResult:
        """Search a notebook, or only some of its sources; errors as `Retrieve`."""
        confined = None if source_ids is None else tuple(source_ids)
        query, *parts = [
            await self._query(SearchQuery(notebook_id, one, detect_language(one), source_ids=confined))
            for one in (text, *split_question(text))
        ]
        return await self.retrieve(query, parts=parts, top_sources=top_sources, top_chunks=top_chunks)

    async def _query(self, query: SearchQuery) -> SearchQuery:
        vector = await self.embedding.query_vector(query.text)
        return query if vector is None else replace(query, model_id=vector[0], embedding=vector[1])
