"""The one engine a process has."""

from typing import Any

from pgvector.asyncpg import register_vector
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

CONNECT_TIMEOUT_S = 10
COMMAND_TIMEOUT_S = 60
"""No statement of ours takes so long; a hung server must not hold a worker for ever."""


def make_engine(url: str, *, pool_size: int = 10) -> AsyncEngine:
    """Build a lazy pool on a `postgresql+asyncpg://` address, with pgvector's types spoken on each connection."""
    engine = create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_pre_ping=True,
        connect_args={"timeout": CONNECT_TIMEOUT_S, "command_timeout": COMMAND_TIMEOUT_S},
    )
    event.listen(engine.sync_engine, "connect", _speak_vectors)
    return engine


def _speak_vectors(connection: Any, _record: object) -> None:
    connection.run_async(register_vector)
