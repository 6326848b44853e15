"""What retrieval found becomes material for the budget: whole short sources, long ones in relevant pieces."""

from collections.abc import Sequence

from core.answering.budget import MOST_CHARACTERS, Material
from core.model.answer import Passage
from core.model.chunk import Chunk
from core.model.ids import NotebookId, SourceId
from core.model.search import RankedChunk, SearchResult
from core.ports import Transaction

QUOTED_CHUNKS = 10
"""Chunks that an answer without a model is taken from: the ten best hold the passage asked for in .936."""


async def gather(tx: Transaction, result: SearchResult) -> list[Material]:
    """Load what the best sources hold on a question, in the order of their ranking.

    Sources deleted since the search are left out.
    """
    notebook_id = result.query.notebook_id
    ranked = [source.source_id for source in result.sources]
    insights = await tx.insights.of_sources(notebook_id, ranked)
    materials = []
    for source_id in ranked:
        source = await tx.sources.get(notebook_id, source_id)
        if source is None:
            continue
        found = [hit for hit in result.chunks if hit.chunk.source_id == source_id]
        materials.append(
            Material(
                source_id=source_id,
                title=source.title,
                characters=source.characters,
                chunks=await _chunks(tx, notebook_id, source_id, found, whole=source.characters <= MOST_CHARACTERS),
                relevance={hit.chunk.ordinal: hit.score for hit in found},
                insights=insights.get(source_id, ""),
            )
        )
    return materials


async def _chunks(
    tx: Transaction, notebook_id: NotebookId, source_id: SourceId, found: Sequence[RankedChunk], *, whole: bool
) -> list[Chunk]:
    if whole or not found:
        return await tx.texts.of_source(notebook_id, source_id)
    near = {hit.chunk.ordinal + step for hit in found for step in (-1, 0, 1)}
    return await tx.texts.neighbours(notebook_id, source_id, sorted(near))


def as_passages(chunks: Sequence[RankedChunk], *, first: int = 1) -> list[Passage]:
    """Number chunks as passages, each as it stands."""
    return [
        Passage(n, hit.chunk, hit.chunk.text, hit.chunk.start, hit.chunk.end)
        for n, hit in enumerate(chunks, start=first)
    ]
