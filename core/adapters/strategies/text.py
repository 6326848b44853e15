"""By words: BM25 over the chunks of a notebook.

Source:
    Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
"""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.statement import find, statement
from core.model.search import Hit, SearchQuery
from core.retrieval.normalise import normalise

K1 = 1.2
"""How soon a repeated word stops counting."""
B = 0.75
"""How much a long chunk is held back. Both hardly matter between chunks of about one length."""

_SEARCH = statement(
    """
    , terms AS MATERIALIZED (SELECT CAST(:k1 AS float8) AS k1, CAST(:b AS float8) AS b),
    asked AS MATERIALIZED (
        SELECT lexeme FROM unnest(to_tsvector('russian', :words))
    ),
    size AS MATERIALIZED (
        SELECT sum(chunk_count) AS n, sum(term_count) / greatest(sum(chunk_count), 1)::float8 AS average FROM answerable
    ),
    found AS MATERIALIZED (
        SELECT p.lexeme, p.chunk_id, p.source_id, p.tf, p.length, a.wanted
        FROM postings p JOIN answerable a ON a.id = p.source_id
        WHERE p.notebook_id = :notebook_id AND p.lexeme = ANY (ARRAY(SELECT lexeme FROM asked))
    ),
    rarity AS MATERIALIZED (
        SELECT asked.lexeme, ln(1 + (size.n - count(f.chunk_id) + 0.5) / (count(f.chunk_id) + 0.5))::float8 AS idf
        FROM size CROSS JOIN asked LEFT JOIN found f ON f.lexeme = asked.lexeme
        GROUP BY asked.lexeme, size.n
    )
    SELECT f.source_id, f.chunk_id, false AS is_foreign,
           sum(r.idf * f.tf * (k1 + 1) / (f.tf + k1 * (1 - b + b * f.length / size.average)))
           / ((k1 + 1) * (SELECT sum(idf) FROM rarity)) AS score
    FROM found f JOIN rarity r ON r.lexeme = f.lexeme CROSS JOIN size CROSS JOIN terms
    WHERE f.wanted
    GROUP BY f.source_id, f.chunk_id, k1
    ORDER BY score DESC, f.chunk_id
    LIMIT :limit
    """
)


class TextStrategy:
    """Finds chunks by the question's words, the rarer the better.

    A score is BM25 divided by the most that any chunk could get for this question: 1 would be a chunk of nothing
    but its words.
    """

    name = "text"
    weight = 1.0

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        """Return the chunks that hold most of the question's words; [] when it has none but stop words."""
        words = normalise(query.text)
        return await find(self._engine, _SEARCH, query, limit, {"words": words, "k1": K1, "b": B}) if words else []
