"""What retrieval found becomes material for the budget: whole short sources, long ones in relevant pieces."""

from collections.abc import Sequence

from core.answering.budget import MOST_CHARACTERS, Material
from core.model.answer import Passage
from core.model.search import RankedChunk, SearchResult
from core.ports import Transaction

QUOTED_CHUNKS = 10
"""Chunks that an answer without a model is taken from: the ten best hold the passage asked for in .936."""
BEGINNING = 40
"""Chunks of a long source that stand for it when none of it was found: no fewer than its most characters."""


async def gather(tx: Transaction, result: SearchResult) -> list[Material]:
    """Load what the best sources hold on a question, in the order of their ranking.

    Sources deleted since the search are left out.
    """
    notebook_id = result.query.notebook_id
    found = {source.source_id: _relevance(result.chunks, source.source_id) for source in result.sources}
    wanted = {source_id: _with_neighbours(relevance) for source_id, relevance in found.items()}
    insights = await tx.insights.of_sources(notebook_id, list(found))
    texts = await tx.texts.of_sources(notebook_id, wanted, whole=MOST_CHARACTERS)
    return [
        Material(
            source_id=source.source_id,
            title=source.title,
            characters=texts[source.source_id][0],
            chunks=texts[source.source_id][1],
            relevance=found[source.source_id],
            insights=insights.get(source.source_id, ""),
        )
        for source in result.sources
        if source.source_id in texts
    ]


def _relevance(chunks: Sequence[RankedChunk], source_id: int) -> dict[int, float]:
    return {hit.chunk.ordinal: hit.score for hit in chunks if hit.chunk.source_id == source_id}


def _with_neighbours(relevance: dict[int, float]) -> list[int]:
    if not relevance:
        return list(range(BEGINNING))
    return sorted({ordinal + step for ordinal in relevance for step in (-1, 0, 1)})


def as_passages(chunks: Sequence[RankedChunk], *, first: int = 1) -> list[Passage]:
    """Number chunks as passages, each as it stands."""
    return [
        Passage(n, hit.chunk, hit.chunk.text, hit.chunk.start, hit.chunk.end)
        for n, hit in enumerate(chunks, start=first)
    ]
