"""What all strategies share: one statement over the sources of one notebook that may answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, TextClause, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.postgres.unit_of_work import translated_errors
from core.errors import PermanentError
from core.model.ids import ChunkId, SourceId
from core.model.search import Hit, SearchQuery
from core.retrieval.foreign import ForeignHit

ANSWERABLE = """
    answerable AS MATERIALIZED (
        SELECT id, title, chunk_count, term_count,
               CAST(:source_ids AS bigint[]) IS NULL OR id = ANY (CAST(:source_ids AS bigint[])) AS wanted
        FROM sources
        WHERE notebook_id = :notebook_id AND state IN ('ready', 'partial') AND NOT muted
    )
"""
"""The only door to a notebook's rows: every statement of a strategy starts from it."""


def statement(body: str) -> TextClause:
    """Put the sources that may answer in front of a statement's own parts."""
    return text(f"WITH {ANSWERABLE} {body}")


async def find(
    engine: AsyncEngine, body: TextClause, query: SearchQuery, limit: int, values: Mapping[str, object]
) -> list[Hit]:
    """Run a statement on a connection of its own.

    Args:
        engine: Pool to take the connection from.
        body: Made by `statement`; gives rows (source_id, chunk_id or None, is_foreign, score), best first.
        query: Names the notebook and, if so wished, the sources.
        limit: Rows at most.
        values: The statement's own parameters.

    Raises:
        TransientError: The database is away.
        PermanentError: It refuses the statement, for one because the vectors have another length.
    """
    parameters = {
        "notebook_id": query.notebook_id,
        "source_ids": None if query.source_ids is None else list(query.source_ids),
        "limit": limit,
        **values,
    }
    try:
        with translated_errors():
            async with engine.connect() as connection:
                return [_hit(row) for row in await connection.execute(body, parameters)]
    except SQLAlchemyError as error:
        raise PermanentError("search-failed") from error


def _hit(row: Row[Any]) -> Hit:
    kind = ForeignHit if row.is_foreign else Hit
    return kind(SourceId(row.source_id), row.score, None if row.chunk_id is None else ChunkId(row.chunk_id))
