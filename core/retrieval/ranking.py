"""From a ranking of chunks to the chunks that are read and the sources that are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.model.ids import ChunkId, SourceId
from core.retrieval.fusion import Ranked, fuse_scores

FREE_CHUNKS = 3
"""Chunks of one source that cost nothing."""
REPEAT_COST = 0.02
"""What each further chunk of the same source loses, as a share of the best score: with 0.02 no passage asked for is
lost, more sources are heard and two-source questions gain; 0.04 costs a point of P@10, a hard cap of five 2.5."""
SOURCE_WEIGHTS = {"title": 0.2, "insight": 0.05}
"""What a title in the question and a likely summary add to a source's best chunk, as shares of the best one's score.
More of either costs recall."""
NAMED = 0.9
"""Title score from which the question names the source: its whole title stands there."""
NAMED_WEIGHT = 1.2
"""What a named source gets instead: it is heard even if its words are not those of the question."""

SourceScores = dict[SourceId, float]


def spread(
    ranking: Sequence[Ranked[ChunkId]],
    source_of: Mapping[ChunkId, SourceId],
    limit: int,
    *,
    sources: Sequence[SourceId] = (),
) -> list[Ranked[ChunkId]]:
    """Take the best chunks so that a broad question is answered from several sources.

    Every chunk of a source beyond the first few loses a little, so that it stays only where it is clearly better than
    what others have. Each of the best sources keeps its best chunk.

    Args:
        ranking: All chunks, best first.
        source_of: Chunk to its source.
        limit: Chunks at most.
        sources: Sources that must be heard, best first.

    Returns:
        At most `limit` entries with the lowered scores, best first, equal ones as they stood.
    """
    cost = REPEAT_COST * max((entry.score for entry in ranking), default=0.0)
    seen: dict[SourceId, int] = {}
    lowered: list[Ranked[ChunkId]] = []
    for entry in ranking:
        before = seen.get(source_of[entry.item], 0)
        seen[source_of[entry.item]] = before + 1
        lowered.append(entry if before < FREE_CHUNKS else _lowered(entry, cost * (before + 1 - FREE_CHUNKS)))
    lowered.sort(key=lambda entry: -entry.score)
    return _with_each(lowered, source_of, limit, sources)


def _lowered(entry: Ranked[ChunkId], by: float) -> Ranked[ChunkId]:
    return Ranked(entry.item, entry.score - by, entry.strategies)


def _with_each(
    ranking: Sequence[Ranked[ChunkId]], source_of: Mapping[ChunkId, SourceId], limit: int, sources: Sequence[SourceId]
) -> list[Ranked[ChunkId]]:
    """Cut the ranking, but put the best chunk of a source that would be left out in the place of a last one."""
    best: dict[SourceId, Ranked[ChunkId]] = {}
    for entry in ranking:
        best.setdefault(source_of[entry.item], entry)
    kept = list(ranking[:limit])
    heard = {source_of[entry.item] for entry in kept}
    missing = [best[source] for source in sources if source in best and source not in heard][: limit // 2]
    return [*kept[: limit - len(missing)], *missing] if missing else kept


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
    top = max(best.values(), default=1.0)
    added = {
        name: {source: top * _share(name, score) for source, score in scores[name].items()}
        for name in SOURCE_WEIGHTS
        if name in scores
    }
    return [
        Ranked(entry.item, entry.score, tuple(name for name, found in scores.items() if entry.item in found))
        for entry in fuse_scores({"chunks": best, **added}, {})
    ]


def _share(strategy: str, score: float) -> float:
    if strategy == "title" and score >= NAMED:
        return NAMED_WEIGHT * score
    return SOURCE_WEIGHTS[strategy] * score
