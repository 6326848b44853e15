"""By title: fuzzy and by prefix, for "in the book X" and "what is X about"."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.statement import find, statement
from core.model.search import Hit, SearchQuery
from core.retrieval.normalise import normalise

FLOOR = 0.5
"""Similarity below which a title is not meant: half of its trigrams stand together in the question."""

_SEARCH = statement(
    """
    , titled AS (
        SELECT id, lower(title) AS title FROM answerable WHERE wanted AND title <> ''
    ),
    scored AS (
        SELECT id, greatest(
            word_similarity(title, :words),
            similarity(title, :words),
            CASE WHEN length(:words) >= 3 AND strpos(' ' || title, ' ' || :words) > 0 THEN 0.9 ELSE 0 END
        )::float8 AS score
        FROM titled
    )
    SELECT id AS source_id, NULL AS chunk_id, false AS is_foreign, score FROM scored
    WHERE score >= :floor
    ORDER BY score DESC, id
    LIMIT :limit
    """
)


class TitleStrategy:
    """Finds sources whose title stands in the question, with slips, or begins as the question does.

    A score is 1 for a title that stands there whole.
    """

    name = "title"
    weight = 1.0

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        """Return sources by how much of their title is in the question; [] when none is meant."""
        words = normalise(query.text)
        return await find(self._engine, _SEARCH, query, limit, {"words": words, "floor": FLOOR}) if words else []
