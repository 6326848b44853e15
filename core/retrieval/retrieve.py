"""Retrieve: all strategies at once, one ranking of chunks and one of sources."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import structlog

from core.errors import KonspektError, TransientError
from core.model.chunk import Chunk
from core.model.ids import ChunkId, NotebookId, SourceId
from core.model.search import Hit, RankedChunk, RankedSource, SearchQuery, SearchResult
from core.ports import Strategy, Transactions
from core.retrieval.chunk_fusion import CHUNK_FUSIONS, DEFAULT
from core.retrieval.fusion import Ranked, fuse
from core.retrieval.ranking import SourceScores, rank_sources, spread

log = structlog.get_logger()

TOP_SOURCES = 5
TOP_CHUNKS = 20
"""Twenty chunks hold the passage asked for in .965 of questions, ten in .936."""
CANDIDATES = 100
"""Hits asked of each strategy; more changed nothing."""
TIMEOUT_S = 5.0
"""A strategy that takes longer is left out; it takes milliseconds in a notebook of 10 000 chunks."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one strategy said: its hits, how long it took, whether it failed."""

    name: str
    hits: Sequence[Hit]
    seconds: float
    failed: bool = False


@dataclass(frozen=True)
class Retrieve:
    """Find what a notebook holds on a question.

    A strategy that fails or is late costs recall, not the answer; it is named in `failed`.

    Attributes:
        fusion: Name of the way chunks are ranked, one of `CHUNK_FUSIONS`.
        timeout_s: What a strategy may take.
    """

    strategies: Sequence[Strategy]
    transactions: Transactions
    fusion: str = DEFAULT
    timeout_s: float = TIMEOUT_S

    async def __call__(
        self,
        query: SearchQuery,
        *,
        parts: Sequence[SearchQuery] = (),
        top_sources: int = TOP_SOURCES,
        top_chunks: int = TOP_CHUNKS,
    ) -> SearchResult:
        """Search.

        Args:
            query: The question; without an embedding the vector strategy has nothing to say.
            parts: The questions it consists of, if several (see `split_question`): each is searched for as well.
            top_sources: Sources at most.
            top_chunks: Chunks at most; see `spread` for how they are shared out.

        Raises:
            TransientError: Every strategy failed, or the chunks cannot be loaded.
        """
        begun = perf_counter()
        candidates = max(CANDIDATES, top_chunks)
        searched, opinions = await asyncio.gather(
            self._searchable(query.notebook_id), self._ask_each((query, *parts), candidates)
        )
        said = opinions[0]
        if all(one.failed for one in said):
            raise TransientError("search-away")
        chunks = self._rank_chunks(opinions)
        hits = [hit for each in opinions for one in each for hit in one.hits]
        source_of = {hit.chunk_id: hit.source_id for hit in hits if hit.chunk_id}
        sources = rank_sources(chunks, source_of, _source_scores(opinions))[:top_sources]
        best = spread(chunks, source_of, top_chunks, sources=[entry.item for entry in sources])
        loaded, names = await self._load(query.notebook_id, [entry.item for entry in best], sources)
        return SearchResult(
            query=query,
            sources=tuple(_ranked_source(entry, names, loaded) for entry in sources if entry.item in names),
            chunks=tuple(RankedChunk(loaded[entry.item], entry.score) for entry in best if entry.item in loaded),
            searched=searched,
            seconds=perf_counter() - begun,
            strategy_seconds={one.name: one.seconds for one in said},
            failed=tuple(one.name for one in said if one.failed),
            top_cosine=max((hit.score for one in said if one.name == "vector" for hit in one.hits), default=None),
        )

    async def _searchable(self, notebook_id: NotebookId) -> int:
        async with self.transactions() as tx:
            return await tx.sources.answerable(notebook_id)

    async def _ask_each(self, queries: Sequence[SearchQuery], limit: int) -> list[list[Opinion]]:
        return [await self._ask_all(query, limit) for query in queries]

    async def _ask_all(self, query: SearchQuery, limit: int) -> list[Opinion]:
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(self._ask(strategy, query, limit)) for strategy in self.strategies]
        return [task.result() for task in asked]

    async def _ask(self, strategy: Strategy, query: SearchQuery, limit: int) -> Opinion:
        begun = perf_counter()
        try:
            async with asyncio.timeout(self.timeout_s):
                hits = await strategy.search(query, limit)
        except (KonspektError, TimeoutError) as error:
            log.warning("strategy_failed", strategy=strategy.name, error=type(error).__name__)
            return Opinion(strategy.name, (), perf_counter() - begun, failed=True)
        return Opinion(strategy.name, hits, perf_counter() - begun)

    def _rank_chunks(self, opinions: Sequence[Sequence[Opinion]]) -> list[Ranked[ChunkId]]:
        """Rank the chunks of each question; of several questions each has its say by ranks."""
        rankings = [
            CHUNK_FUSIONS[self.fusion]({one.name: one.hits for one in each if any(hit.chunk_id for hit in one.hits)})
            for each in opinions
        ]
        if len(rankings) == 1:
            return rankings[0]
        return fuse({str(number): [entry.item for entry in ranking] for number, ranking in enumerate(rankings)})

    async def _load(
        self, notebook_id: NotebookId, chunk_ids: Sequence[ChunkId], sources: Sequence[Ranked[SourceId]]
    ) -> tuple[dict[ChunkId, Chunk], dict[SourceId, tuple[str, str]]]:
        """Load the best chunks and what the best sources are called (outside id, title)."""
        async with self.transactions() as tx:
            chunks = {chunk.id: chunk for chunk in await tx.texts.chunks(notebook_id, chunk_ids)}
            names = {chunk.source_id: (chunk.external_id, chunk.title) for chunk in chunks.values()}
            for entry in sources:
                if entry.item not in names and (source := await tx.sources.get(notebook_id, entry.item)):
                    names[source.id] = (source.external_id, source.title)
            return chunks, names


def _source_scores(opinions: Sequence[Sequence[Opinion]]) -> dict[str, SourceScores]:
    """Give each strategy's best score for each source, over the question and its parts."""
    scores: dict[str, SourceScores] = {}
    for one in (one for each in opinions for one in each):
        own = scores.setdefault(one.name, {})
        for hit in one.hits:
            own[hit.source_id] = max(own.get(hit.source_id, hit.score), hit.score)
    return scores


def _ranked_source(
    entry: Ranked[SourceId], names: Mapping[SourceId, tuple[str, str]], chunks: Mapping[ChunkId, Chunk]
) -> RankedSource:
    external_id, title = names[entry.item]
    ordinals = tuple(chunk.ordinal for chunk in chunks.values() if chunk.source_id == entry.item)
    return RankedSource(entry.item, external_id, title, entry.score, entry.strategies, ordinals)
