"""From a ranking of chunks to the chunks that are read and the sources that are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.model.ids import ChunkId, SourceId
from core.retrieval.fusion import Ranked, fuse_scores

CHUNKS_A_SOURCE = 5
"""Chunks of one source among the best while other sources have any: two-source questions need it."""
SOURCE_WEIGHTS = {"title": 0.2, "insight": 0.05}
"""What a title in the question and a likely summary add to a source's best chunk. More of either costs recall."""

SourceScores = dict[SourceId, float]


def spread(
    ranking: Sequence[Ranked[ChunkId]],
    source_of: Mapping[ChunkId, SourceId],
    limit: int,
    *,
    most: int = CHUNKS_A_SOURCE,
) -> list[Ranked[ChunkId]]:
    """Take the best chunks, at most `most` of one source while others fit.

    Returns:
        At most `limit` entries in the order of the ranking; what the cap held back stands behind the others.
    """
    taken: dict[SourceId, int] = {}
    first: list[Ranked[ChunkId]] = []
    held: list[Ranked[ChunkId]] = []
    for entry in ranking:
        source = source_of[entry.item]
        taken[source] = taken.get(source, 0) + 1
        (first if taken[source] <= most else held).append(entry)
    return (first + held)[:limit]


def rank_sources(
    chunks: Sequence[Ranked[ChunkId]], source_of: Mapping[ChunkId, SourceId], scores: Mapping[str, SourceScores]
) -> list[Ranked[SourceId]]:
    """Rank sources by their best chunk, with what title and insights say on top.

    Args:
        chunks: All ranked chunks, best first.
        source_of: Chunk to its source.
        scores: Strategy name to its sources' best scores.

    Returns:
        Each source once, best first, equal ones by ascending id, with the strategies that found it.
    """
    best: SourceScores = {}
    for entry in chunks:
        best.setdefault(source_of[entry.item], entry.score)
    added = {name: scores[name] for name in SOURCE_WEIGHTS if name in scores}
    return [
        Ranked(entry.item, entry.score, tuple(name for name, found in scores.items() if entry.item in found))
        for entry in fuse_scores({"chunks": best, **added}, SOURCE_WEIGHTS)
    ]
