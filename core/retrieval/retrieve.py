"""Retrieve: all strategies at once, one ranking of chunks and one of sources."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import structlog

from core.errors import KonspektError
from core.model.chunk import Chunk
from core.model.ids import ChunkId, SourceId
from core.model.search import Hit, RankedChunk, RankedSource, SearchQuery, SearchResult
from core.ports import Strategy, Transactions
from core.retrieval.fusion import Ranked, fuse

log = structlog.get_logger()

TOP_SOURCES = 5
TOP_CHUNKS = 20
"""Twenty chunks hold the passage asked for in .965 of questions, ten in .936."""
CANDIDATES = 200
"""Hits asked of each strategy."""
TIMEOUT_S = 5.0
"""A strategy that takes longer is left out; it takes milliseconds in a notebook of 10 000 chunks."""
CHUNKS_A_SOURCE = 5
"""Chunks of one source among the best while other sources have any: two-source questions need it."""


@dataclass(frozen=True, slots=True)
class _Opinion:
    """What one strategy said: its hits, how long it took, whether it failed."""

    name: str
    hits: Sequence[Hit]
    seconds: float
    failed: bool = False


@dataclass(frozen=True)
class Retrieve:
    """Find what a notebook holds on a question.

    A strategy that fails or is late costs recall, not the answer; it is named in `failed`.
    """

    strategies: Sequence[Strategy]
    transactions: Transactions
    timeout_s: float = TIMEOUT_S

    async def __call__(
        self, query: SearchQuery, *, top_sources: int = TOP_SOURCES, top_chunks: int = TOP_CHUNKS
    ) -> SearchResult:
        """Search.

        Args:
            query: The question; without an embedding the vector strategy has nothing to say.
            top_sources: Sources at most.
            top_chunks: Chunks at most, not more than a few of one source while others have any.

        Raises:
            TransientError: Every strategy failed, or the chunks cannot be loaded.
        """
        begun = perf_counter()
        opinions = await self._ask_all(query)
        chunk_ranking = fuse(_chunk_rankings(opinions))
        source_of = {hit.chunk_id: hit.source_id for one in opinions for hit in one.hits if hit.chunk_id is not None}
        best = spread([entry.item for entry in chunk_ranking], source_of, top_chunks)
        sources = fuse(_source_rankings(opinions, [entry.item for entry in chunk_ranking], source_of))[:top_sources]
        async with self.transactions() as tx:
            chunks = {chunk.id: chunk for chunk in await tx.texts.chunks(query.notebook_id, best)}
            titles = {chunk.source_id: (chunk.external_id, chunk.title) for chunk in chunks.values()}
            for entry in sources:
                if entry.item not in titles and (source := await tx.sources.get(query.notebook_id, entry.item)):
                    titles[source.id] = (source.external_id, source.title)
            searched = await tx.sources.answerable(query.notebook_id)
        scores = {entry.item: entry.score for entry in chunk_ranking}
        return SearchResult(
            query=query,
            sources=tuple(_ranked_source(entry, titles, best, chunks) for entry in sources if entry.item in titles),
            chunks=tuple(RankedChunk(chunks[item], scores[item]) for item in best if item in chunks),
            searched=searched,
            seconds=perf_counter() - begun,
            strategy_seconds={one.name: one.seconds for one in opinions},
            failed=tuple(one.name for one in opinions if one.failed),
            top_cosine=max((hit.score for one in opinions if one.name == "vector" for hit in one.hits), default=None),
        )

    async def _ask_all(self, query: SearchQuery) -> list[_Opinion]:
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(self._ask(strategy, query)) for strategy in self.strategies]
        return [task.result() for task in asked]

    async def _ask(self, strategy: Strategy, query: SearchQuery) -> _Opinion:
        begun = perf_counter()
        try:
            async with asyncio.timeout(self.timeout_s):
                hits = await strategy.search(query, CANDIDATES)
        except (KonspektError, TimeoutError) as error:
            log.warning("strategy_failed", strategy=strategy.name, kind=type(error).__name__)
            return _Opinion(strategy.name, (), perf_counter() - begun, failed=True)
        return _Opinion(strategy.name, hits, perf_counter() - begun)


def spread(
    ranking: Sequence[ChunkId], source_of: Mapping[ChunkId, SourceId], limit: int, *, a_source: int = CHUNKS_A_SOURCE
) -> list[ChunkId]:
    """Take the best chunks, at most `a_source` of one source while others fit.

    Returns:
        At most `limit` chunks in the order of the ranking; what the cap held back stands behind the others.
    """
    taken: dict[SourceId, int] = {}
    first: list[ChunkId] = []
    held: list[ChunkId] = []
    for chunk_id in ranking:
        source = source_of[chunk_id]
        taken[source] = taken.get(source, 0) + 1
        (first if taken[source] <= a_source else held).append(chunk_id)
    return (first + held)[:limit]


def _chunk_rankings(opinions: Sequence[_Opinion]) -> dict[str, list[ChunkId]]:
    return {
        one.name: [hit.chunk_id for hit in one.hits if hit.chunk_id is not None]
        for one in opinions
        if any(hit.chunk_id is not None for hit in one.hits)
    }


def _source_rankings(
    opinions: Sequence[_Opinion], chunks: Sequence[ChunkId], source_of: Mapping[ChunkId, SourceId]
) -> dict[str, list[SourceId]]:
    by_source = {one.name: list(dict.fromkeys(hit.source_id for hit in one.hits)) for one in opinions}
    return {"chunks": list(dict.fromkeys(source_of[chunk] for chunk in chunks)), **by_source}


def _ranked_source(
    entry: Ranked[SourceId],
    titles: Mapping[SourceId, tuple[str, str]],
    best: Sequence[ChunkId],
    chunks: Mapping[ChunkId, Chunk],
) -> RankedSource:
    external_id, title = titles[entry.item]
    own = [chunks[item].ordinal for item in best if item in chunks and chunks[item].source_id == entry.item]
    found_by = tuple(name for name in entry.strategies if name != "chunks")
    return RankedSource(entry.item, external_id, title, entry.score, found_by, tuple(own))
