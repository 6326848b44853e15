"""By meaning: exact cosine over the chunks of a notebook, freed from the language a text is in."""

from __future__ import annotations

from pgvector import HalfVector
from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.statement import find, statement
from core.model.search import Hit, SearchQuery

_SEARCH = statement(
    """
    , asked AS MATERIALIZED (SELECT CAST(:embedding AS halfvec) AS e),
    bias AS MATERIALIZED (
        SELECT mean.key AS language, -(CAST(CAST(mean.value AS text) AS halfvec) <#> asked.e) AS cosine
        FROM asked, embedding_models m, jsonb_each(m.calibration -> 'means') AS mean
        WHERE m.id = :model_id
    ),
    shift AS MATERIALIZED (
        SELECT b.language, coalesce(own.cosine, (SELECT avg(cosine) FROM bias)) - b.cosine AS shift
        FROM bias b LEFT JOIN bias own ON own.language = :language
    )
    SELECT v.source_id, v.chunk_id, -(v.embedding <#> asked.e) + coalesce(s.shift, 0) AS score
    FROM asked
    CROSS JOIN vectors v
    JOIN answerable a ON a.id = v.source_id AND a.wanted
    LEFT JOIN shift s ON s.language = v.language
    WHERE v.notebook_id = :notebook_id AND v.model_id = :model_id
    ORDER BY score DESC, v.chunk_id
    LIMIT :limit
    """
)


class VectorStrategy:
    """Finds chunks by cosine with the question, exactly.

    A multilingual model puts texts of one language together, so that a Russian question hardly finds an English
    passage. The mean vector of a language's passages is what all of them share; its cosine with the question is
    taken off, and that of the question's own language added: scores within that language stay what they were.
    """

    name = "vector"
    weight = 1.0

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        """Return the nearest chunks; [] for a question without a vector."""
        if query.embedding is None or query.model_id is None:
            return []
        values = {
            "embedding": HalfVector(list(query.embedding)).to_text(),
            "model_id": query.model_id,
            "language": query.language,
        }
        return await find(self._engine, _SEARCH, query, limit, values)
