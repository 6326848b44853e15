"""Bursts: things sent together share one status message."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import bursts
from core.model.ids import BurstId, ChatId, NotebookId, ReplyTo
from core.ports import Burst


class PostgresBursts:
    """See `core.ports.Bursts`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def join(
        self, chat_id: ChatId, notebook_id: NotebookId, reply_to: ReplyTo, *, now: datetime, window_s: float
    ) -> Burst:
        """Find the open burst, each arrival keeping it open, or open one."""
        still_open = (
            bursts.c.chat_id == chat_id,
            bursts.c.notebook_id == notebook_id,
            bursts.c.last_at >= now - timedelta(seconds=window_s),
        )
        found = await self._connection.execute(update(bursts).where(*still_open).values(last_at=now).returning(bursts))
        row = found.first()
        if row is None:
            made = await self._connection.execute(
                insert(bursts)
                .values(chat_id=chat_id, notebook_id=notebook_id, reply_to=reply_to, last_at=now, created_at=now)
                .returning(bursts)
            )
            row = made.one()
        return _burst(row)

    async def get(self, burst_id: BurstId) -> Burst | None:
        """Find a burst."""
        row = (await self._connection.execute(select(bursts).where(bursts.c.id == burst_id))).one_or_none()
        return _burst(row) if row else None


def _burst(row: Row[Any]) -> Burst:
    return Burst(
        BurstId(row.id),
        NotebookId(row.notebook_id),
        ChatId(row.chat_id),
        ReplyTo(row.reply_to),
        row.created_at,
        row.last_at,
    )
