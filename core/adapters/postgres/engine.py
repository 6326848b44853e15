"""The one engine a process has, and the one place where text is made storable before it reaches Postgres."""

from __future__ import annotations

import json
from time import monotonic
from typing import Any

from pgvector.asyncpg import register_vector
from sqlalchemy import event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from core.ingest.cleaning import storable

CONNECT_TIMEOUT_S = 10
COMMAND_TIMEOUT_S = 60
"""No statement of ours takes so long; a hung server must not hold a worker for ever."""
PING_AFTER_S = 5
"""A connection that lay idle for longer is tried before use: its other end may have gone without a word. One that
was closed is known as such at once. Trying each time would cost a question as much as its searches."""


def make_engine(url: str, *, pool_size: int = 10) -> AsyncEngine:
    """Build a lazy pool on a `postgresql+asyncpg://` address.

    Its connections speak pgvector's types, and no NUL or lone surrogate in any parameter, JSON included, can lose a
    transaction.
    """
    engine = create_async_engine(
        url,
        pool_size=pool_size,
        max_overflow=pool_size,
        json_serializer=_json,
        hide_parameters=True,  # an error must not carry users' words into a log
        connect_args={"timeout": CONNECT_TIMEOUT_S, "command_timeout": COMMAND_TIMEOUT_S},
    )
    event.listen(engine.sync_engine, "connect", _speak_vectors)
    event.listen(engine.sync_engine, "checkin", _note_idle)
    event.listen(engine.sync_engine, "checkout", _refuse_dead)
    event.listen(engine.sync_engine, "before_cursor_execute", _store_text, retval=True)
    return engine


def _speak_vectors(connection: Any, _record: object) -> None:
    connection.run_async(register_vector)


def _note_idle(_connection: object, record: Any) -> None:
    record.info["idle_since"] = monotonic()


def _refuse_dead(connection: Any, record: Any, _proxy: object) -> None:
    """Let the pool open another connection in place of a dead one."""
    try:
        if connection.driver_connection.is_closed():
            raise DisconnectionError
        if monotonic() - record.info.get("idle_since", monotonic()) > PING_AFTER_S:
            connection.ping()
    except (OSError, connection.dbapi.Error) as error:
        raise DisconnectionError from error


def _json(value: object) -> str:
    return json.dumps(_clean(value), ensure_ascii=False)


def _store_text(
    _connection: object, _cursor: object, statement: str, parameters: Any, _context: object, _many: bool
) -> tuple[str, Any]:
    return statement, _clean(parameters)


def _clean(value: Any) -> Any:
    """Make every string in a value storable; all else stays as it is."""
    if isinstance(value, str):
        return storable(value)
    if type(value) in (list, tuple):
        return type(value)(_clean(item) for item in value)
    if type(value) is dict:
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value
