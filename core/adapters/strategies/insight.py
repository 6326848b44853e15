"""By insight: words of the question in summaries and key points, for broad questions."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.statement import find, statement
from core.adapters.strategies.text import K1, B
from core.model.search import Hit, SearchQuery
from core.retrieval.normalise import normalise

_SEARCH = statement(
    """
    , terms AS MATERIALIZED (SELECT CAST(:k1 AS float8) AS k1, CAST(:b AS float8) AS b),
    asked AS MATERIALIZED (
        SELECT lexeme FROM unnest(to_tsvector('russian', :words))
    ),
    known AS MATERIALIZED (
        SELECT i.source_id, i.words, length(i.words) AS length, a.wanted
        FROM insights i JOIN answerable a ON a.id = i.source_id
        WHERE i.notebook_id = :notebook_id AND i.kind <> 'questions'
    ),
    size AS MATERIALIZED (SELECT count(*) AS n, greatest(avg(length), 1)::float8 AS average FROM known),
    found AS MATERIALIZED (
        SELECT k.source_id, k.length, k.wanted, asked.lexeme
        FROM known k JOIN asked ON tsvector_to_array(k.words) @> ARRAY[asked.lexeme]
    ),
    rarity AS MATERIALIZED (
        SELECT asked.lexeme, ln(1 + (size.n - count(f.lexeme) + 0.5) / (count(f.lexeme) + 0.5))::float8 AS idf
        FROM size CROSS JOIN asked LEFT JOIN found f ON f.lexeme = asked.lexeme
        GROUP BY asked.lexeme, size.n
    ),
    scored AS (
        SELECT f.source_id, sum(r.idf * (k1 + 1) / (1 + k1 * (1 - b + b * f.length / size.average)))
               / ((k1 + 1) * (SELECT sum(idf) FROM rarity)) AS score
        FROM found f JOIN rarity r ON r.lexeme = f.lexeme CROSS JOIN size CROSS JOIN terms
        WHERE f.wanted
        GROUP BY f.source_id, f.length, k1
    )
    SELECT source_id, NULL AS chunk_id, false AS is_foreign, max(score) AS score FROM scored
    GROUP BY source_id
    ORDER BY score DESC, source_id
    LIMIT :limit
    """
)


class InsightStrategy:
    """Finds sources by BM25 over their insights, where a word counts once: summaries hardly repeat."""

    name = "insight"
    weight = 1.0

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        """Return sources by their best insight; [] when no insight holds a word of the question."""
        words = normalise(query.text)
        return await find(self._engine, _SEARCH, query, limit, {"words": words, "k1": K1, "b": B}) if words else []
