"""One ranking of chunks from what the vector and the text strategy say. Two ways, chosen by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.model.ids import ChunkId
from core.model.search import Hit
from core.retrieval.foreign import ForeignHit
from core.retrieval.fusion import K, Ranked, fuse, fuse_scores

FOREIGN_WORDS = 0.5
"""Words cannot speak for a chunk in another language: this share of its cosine stands in for them."""
FOREIGN_VOTE = 0.7
"""The same for ranks: the share of the vector's vote that stands in for the missing one."""

Opinions = Mapping[str, Sequence[Hit]]
"""Strategy name to its hits on chunks, best first."""


def by_scores(opinions: Opinions) -> list[Ranked[ChunkId]]:
    """Add up scores: the calibrated cosine and BM25 as a share of the best possible, both 0…1 by nature.

    A chunk below the vector's list has at most its last score, and gets that.
    """
    scores = {name: {hit.chunk_id: hit.score for hit in hits if hit.chunk_id} for name, hits in opinions.items()}
    vector, text = scores.get("vector", {}), scores.get("text", {})
    for chunk_id in _foreign(opinions):
        text[chunk_id] = max(text.get(chunk_id, 0.0), FOREIGN_WORDS * vector[chunk_id])
    lowest = min(vector.values(), default=0.0)
    scores["vector"] = {**dict.fromkeys(text, lowest), **vector}
    return fuse_scores({**scores, "text": text}, {})


def by_ranks(opinions: Opinions) -> list[Ranked[ChunkId]]:
    """Merge by reciprocal ranks, whatever the scales are."""
    rankings = {name: [hit.chunk_id for hit in hits if hit.chunk_id] for name, hits in opinions.items()}
    ranks = {chunk_id: rank for rank, chunk_id in enumerate(rankings.get("vector", ()), 1)}
    silent = set(_foreign(opinions)) - set(rankings.get("text", ()))
    return fuse_scores(
        {
            "ranks": {entry.item: entry.score for entry in fuse(rankings)},
            "foreign": {chunk_id: FOREIGN_VOTE / (K + ranks[chunk_id]) for chunk_id in silent},
        },
        {},
    )


ChunkFusion = Callable[[Opinions], list[Ranked[ChunkId]]]

CHUNK_FUSIONS: dict[str, ChunkFusion] = {"scores": by_scores, "ranks": by_ranks}
"""`scores` was better by measurement (docs/quality.md); `ranks` asks nothing of the strategies' scales."""
DEFAULT = "scores"


def _foreign(opinions: Opinions) -> list[ChunkId]:
    return [hit.chunk_id for hit in opinions.get("vector", ()) if isinstance(hit, ForeignHit) and hit.chunk_id]
