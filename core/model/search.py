"""What a search asks and what it finds."""

from dataclasses import dataclass, field

from core.model.chunk import Chunk
from core.model.ids import ChunkId, ModelId, NotebookId, SourceId


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One question put to one notebook.

    Attributes:
        text: The question in the person's words, cleaned.
        language: Its language as a two-letter code.
        embedding: Unit vector of the question, None when embedding is not possible now.
        model_id: The stored embedding model that made `embedding`.
        source_ids: Only these sources, or None for all that are not muted.
    """

    notebook_id: NotebookId
    text: str
    language: str
    embedding: tuple[float, ...] | None = None
    model_id: ModelId | None = None
    source_ids: tuple[SourceId, ...] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One strategy's opinion: a source, and for strategies that look at passages the chunk."""

    source_id: SourceId
    score: float
    chunk_id: ChunkId | None = None


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A chunk with its fused score, higher is better."""

    chunk: Chunk
    score: float


@dataclass(frozen=True, slots=True)
class RankedSource:
    """A source with its fused score, who found it and its best chunks' ordinals (best first)."""

    source_id: SourceId
    external_id: str
    title: str
    score: float
    strategies: tuple[str, ...]
    chunks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What retrieval hands on.

    Attributes:
        sources: The best sources, best first.
        chunks: The best chunks over all sources, best first.
        searched: How many sources could have answered.
        strategy_seconds: Strategy name to its duration.
        failed: Names of strategies that failed; they cost recall, not the answer.
        top_cosine: Best debiased cosine, None without vectors.
    """

    query: SearchQuery
    sources: tuple[RankedSource, ...]
    chunks: tuple[RankedChunk, ...]
    searched: int
    seconds: float
    strategy_seconds: dict[str, float] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    top_cosine: float | None = None
