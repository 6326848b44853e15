"""What all strategies share: one statement over the sources of one notebook that may answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from asyncpg import InterfaceError, PostgresConnectionError, PostgresError, Record
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.postgres.unit_of_work import translated_errors
from core.errors import PermanentError, TransientError
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

_NAME = re.compile(r"(?<!:):([a-z][a-z_0-9]*)")


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL in the driver's own words, with the names of its parameters in their order.

    Searches go to the driver directly: through SQLAlchemy's cursors they cost as much again as they take.
    """

    sql: str
    names: tuple[str, ...]


def statement(body: str) -> Statement:
    """Put the sources that may answer in front of a statement's own parts; `:name` is a parameter."""
    text = f"WITH {ANSWERABLE} {body}"
    names = tuple(dict.fromkeys(_NAME.findall(text)))
    return Statement(_NAME.sub(lambda found: f"${names.index(found[1]) + 1}", text), names)


async def find(
    engine: AsyncEngine, body: Statement, query: SearchQuery, limit: int, values: Mapping[str, object]
) -> list[Hit]:
    """Run a statement on a connection of its own.

    Args:
        engine: Pool to take the connection from.
        body: Gives rows (source_id, chunk_id or None, is_foreign, score), best first.
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
                raw = await connection.get_raw_connection()
                assert raw.driver_connection is not None
                rows = await raw.driver_connection.fetch(body.sql, *(parameters[name] for name in body.names))
    except (PostgresConnectionError, InterfaceError) as error:
        raise TransientError("database-away") from error
    except (PostgresError, SQLAlchemyError) as error:
        raise PermanentError("search-failed") from error
    return [_hit(row) for row in rows]


def _hit(row: Record) -> Hit:
    kind = ForeignHit if row["is_foreign"] else Hit
    chunk_id = row["chunk_id"]
    return kind(SourceId(row["source_id"]), row["score"], None if chunk_id is None else ChunkId(chunk_id))
