"""Bursts: things sent together share one status message."""

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, ColumnElement, Row, cast, func, select, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import bursts
from core.model.ids import BurstId, ChatId, NotebookId, ReplyTo
from core.model.source import Reason, SourceKind
from core.ports import Burst, Known, Refused, Remarks


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
            bursts.c.removed == 0,
        )
        waiting = {"last_at": now, "begun_at": func.coalesce(bursts.c.begun_at, now)}
        found = await self._connection.execute(update(bursts).where(*still_open).values(waiting).returning(bursts))
        row = found.first()
        if row is None:
            times = {"last_at": now, "begun_at": now, "created_at": now}
            made = await self._connection.execute(
                insert(bursts)
                .values(chat_id=chat_id, notebook_id=notebook_id, reply_to=reply_to, **times)
                .returning(bursts)
            )
            row = made.one()
        return _burst(row)

    async def get(self, burst_id: BurstId) -> Burst | None:
        """Find a burst."""
        row = (await self._connection.execute(select(bursts).where(bursts.c.id == burst_id))).one_or_none()
        return _burst(row) if row else None

    async def remark(self, burst_id: BurstId, remarks: Remarks) -> None:
        """Add to what it has to say."""
        if remarks == Remarks():
            return
        await self._set(
            burst_id,
            note=func.concat_ws("\n", func.nullif(bursts.c.note, ""), remarks.note or None),
            known=_longer(bursts.c.known, [asdict(one) for one in remarks.known]),
            refused=_longer(bursts.c.refused, [asdict(one) for one in remarks.refused]),
            links=_longer(bursts.c.links, list(remarks.links)),
        )

    async def take_links(self, burst_id: BurstId) -> tuple[str, ...]:
        """Give the links that it offers, once."""
        offered = select(bursts.c.links).where(bursts.c.id == burst_id).with_for_update()
        links = (await self._connection.execute(offered)).scalar_one_or_none() or []
        await self._set(burst_id, links=[])
        return tuple(links)

    async def begin_again(self, burst_id: BurstId, *, now: datetime) -> None:
        """Record that its people wait for it from now on."""
        await self._set(burst_id, begun_at=now)

    async def end_wait(self, burst_id: BurstId) -> datetime | None:
        """Record that all of it has been read; say, once, since when its people waited."""
        held = select(bursts.c.begun_at).where(bursts.c.id == burst_id).with_for_update()
        begun_at: datetime | None = (await self._connection.execute(held)).scalar_one_or_none()
        if begun_at is not None:
            await self._set(burst_id, begun_at=None)
        return begun_at

    async def take_back(self, burst_id: BurstId, removed: int) -> None:
        """Record that so many of its sources were taken back."""
        await self._set(burst_id, removed=bursts.c.removed + removed)

    async def move(self, burst_id: BurstId, notebook_id: NotebookId) -> None:
        """Record that it belongs to another notebook."""
        await self._set(burst_id, notebook_id=notebook_id)

    async def _set(self, burst_id: BurstId, **values: Any) -> None:
        await self._connection.execute(update(bursts).where(bursts.c.id == burst_id).values(**values))


def _longer(column: Column[Any], values: list[Any]) -> ColumnElement[Any]:
    """Append to a JSON array."""
    return column.op("||")(cast(values, JSONB))


def _burst(row: Row[Any]) -> Burst:
    return Burst(
        id=BurstId(row.id),
        notebook_id=NotebookId(row.notebook_id),
        chat_id=ChatId(row.chat_id),
        reply_to=ReplyTo(row.reply_to),
        created_at=row.created_at,
        last_at=row.last_at,
        begun_at=row.begun_at,
        remarks=Remarks(
            note=row.note,
            known=tuple(Known(one["title"], SourceKind(one["kind"])) for one in row.known),
            refused=tuple(_refused(one) for one in row.refused),
            links=tuple(row.links),
        ),
        removed=row.removed,
    )


def _refused(value: dict[str, Any]) -> Refused:
    kind = SourceKind(value["kind"]) if value["kind"] else None
    return Refused(value["title"], kind, Reason(**value["reason"]))
