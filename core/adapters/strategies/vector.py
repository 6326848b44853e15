"""By meaning: exact cosine over the chunks of a notebook, freed from the language a text is in."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.statement import find, statement
from core.model.search import Hit, SearchQuery

PULL = 0.3
"""How much of its language's mean a question loses: it makes passages that are near to everything less so. A quarter
to a half did equally well; the whole mean would take its subject as well."""

_SEARCH = statement(
    """
    , means AS MATERIALIZED (
        SELECT given.key AS language, CAST(CAST(given.value AS text) AS vector) AS e
        FROM embedding_models, jsonb_each(calibration -> 'means') AS given
        WHERE embedding_models.id = :model_id
    ),
    pulled AS MATERIALIZED (
        SELECT e * CAST(array_fill(CAST(:pull AS real), ARRAY[vector_dims(e)]) AS vector) AS e
        FROM means WHERE language = :language
    ),
    asked AS MATERIALIZED (
        SELECT CAST(coalesce(given.e - pulled.e, given.e) AS halfvec) AS e
        FROM (SELECT CAST(CAST(:embedding AS text) AS vector) AS e) AS given LEFT JOIN pulled ON true
    ),
    common AS MATERIALIZED (
        SELECT means.language, -(CAST(means.e AS halfvec) <#> asked.e) AS cosine,
               greatest(1 + (means.e <#> means.e), 0.01) AS spread
        FROM asked, means
    ),
    other AS MATERIALIZED (SELECT avg(cosine) AS cosine, avg(spread) AS spread FROM common),
    here AS MATERIALIZED (
        SELECT CASE WHEN other.cosine IS NULL THEN (
            SELECT least(avg(-(all_of.embedding <#> asked.e)), 0.99) FROM vectors all_of
            WHERE all_of.notebook_id = :notebook_id AND all_of.model_id = :model_id
        ) END AS cosine
        FROM asked CROSS JOIN other
    )
    SELECT v.source_id, v.chunk_id, v.language <> :language AS is_foreign,
           (-(v.embedding <#> asked.e) - coalesce(c.cosine, other.cosine, here.cosine))
           / coalesce(c.spread, other.spread, 1 - here.cosine) AS score
    FROM asked CROSS JOIN other CROSS JOIN here
    CROSS JOIN vectors v
    JOIN answerable a ON a.id = v.source_id
    LEFT JOIN common c ON c.language = v.language
    WHERE v.notebook_id = :notebook_id AND v.model_id = :model_id AND a.wanted
    ORDER BY score DESC, v.chunk_id
    LIMIT :limit
    """
)


class VectorStrategy:
    """Finds chunks by cosine with the question, exactly.

    A multilingual model puts texts of one language together, so that a Russian question hardly finds an English
    passage, and may hold even strangers for alike. The mean vector of a language's passages is what all of them
    share; what the question has in common with it is taken off and the rest stretched to the scale of a model that
    spreads texts well. So a score means the same for every model: about 0 for unrelated texts, 1 for equal ones.
    Without a calibration what the question has in common with this notebook's chunks is taken off.
    """

    name = "vector"
    weight = 1.0

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        """Return the nearest chunks, `ForeignHit` for those in another language; [] for a question without a vector."""
        if query.embedding is None or query.model_id is None:
            return []
        values = {
            "embedding": str(list(query.embedding)),
            "model_id": query.model_id,
            "language": query.language,
            "pull": PULL,
        }
        return await find(self._engine, _SEARCH, query, limit, values)
