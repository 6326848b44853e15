"""By meaning: exact cosine over the chunks of a notebook, freed from the language a text is in."""

from __future__ import annotations

from pgvector import HalfVector
from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.statement import find, statement
from core.model.search import Hit, SearchQuery

_SEARCH = statement(
    """
    , asked AS MATERIALIZED (SELECT CAST(CAST(:embedding AS text) AS halfvec) AS e),
    common AS MATERIALIZED (
        SELECT mean.key AS language, -(m.e <#> asked.e) AS cosine, 1 + (m.e <#> m.e) AS spread
        FROM asked, embedding_models, jsonb_each(calibration -> 'means') AS mean,
             LATERAL (SELECT CAST(CAST(mean.value AS text) AS halfvec) AS e) AS m
        WHERE embedding_models.id = :model_id
    ),
    middle AS MATERIALIZED (SELECT avg(cosine) AS cosine, avg(spread) AS spread FROM common)
    SELECT v.source_id, v.chunk_id,
           (-(v.embedding <#> asked.e) - coalesce(c.cosine, middle.cosine, 0)) / coalesce(c.spread, middle.spread, 1) AS score
    FROM asked CROSS JOIN middle
    CROSS JOIN vectors v
    JOIN answerable a ON a.id = v.source_id AND a.wanted
    LEFT JOIN common c ON c.language = v.language
    WHERE v.notebook_id = :notebook_id AND v.model_id = :model_id
    ORDER BY score DESC, v.chunk_id
    LIMIT :limit
    """
)


class VectorStrategy:
    """Finds chunks by cosine with the question, exactly.

    A multilingual model puts texts of one language together, so that a Russian question hardly finds an English
    passage, and may hold even strangers for alike. The mean vector of a language's passages is what all of them
    share; what the question has in common with it is taken off and the rest stretched to the scale of a model that
    spreads texts well. So a score means the same for every calibrated model: about 0 for unrelated texts, 1 for equal
    ones. Without a calibration it is the plain cosine.
    """

    name = "vector"
    weight = 1.0

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        """Return the nearest chunks; [] for a question without a vector."""
        if query.embedding is None or query.model_id is None:
            return []
        values = {"embedding": HalfVector(list(query.embedding)).to_text(), "model_id": query.model_id}
        return await find(self._engine, _SEARCH, query, limit, values)
