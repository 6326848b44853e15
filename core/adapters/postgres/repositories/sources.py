"""Source rows."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, case, delete, func, null, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.repositories import leases
from core.adapters.postgres.repositories.source_rows import changed, origin_json, source_of
from core.adapters.postgres.tables import chunks, postings, sources, vectors
from core.model.ids import BurstId, NotebookId, SourceId
from core.model.source import Source, SourceKind, SourceState, Stage
from core.ports import NewSource, SourceUpdate

ENDED_WELL = (SourceState.READY, SourceState.PARTIAL)
BEFORE_TEXT = (Stage.FETCH, Stage.EXTRACT, Stage.CLEAN, Stage.CHUNK, Stage.INDEX)
_AFRESH = {"lease_owner": "", "lease_until": None, "retry_at": None, "tries": 0}
"""Nobody works on it, and nobody has tried."""


class PostgresSources:
    """See `core.ports.Sources`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(self, new: NewSource) -> Source:
        """Record a source as queued."""
        row = await self._connection.execute(
            insert(sources)
            .values(
                notebook_id=new.notebook_id,
                kind=new.kind,
                title=new.title,
                upload=asdict(new.upload),
                origin=origin_json(new.origin),
                unique_file=new.upload.unique_file,
                external_id=new.external_id,
                content_hash=new.content_hash,
                canonical_url=new.canonical_url,
                original_key=new.original_key,
                added_by=new.added_by,
                burst_id=new.burst_id,
            )
            .returning(sources)
        )
        return source_of(row.one())

    async def get(self, notebook_id: NotebookId, source_id: SourceId) -> Source | None:
        """Find one source."""
        row = (await self._connection.execute(select(sources).where(_key(notebook_id, source_id)))).one_or_none()
        return source_of(row) if row else None

    async def of_notebook(self, notebook_id: NotebookId) -> list[Source]:
        """List a notebook's sources, oldest first."""
        return await self._list(sources.c.notebook_id == notebook_id)

    async def of_burst(self, burst_id: BurstId) -> list[Source]:
        """List a burst's sources, in the order they came."""
        return await self._list(sources.c.burst_id == burst_id)

    async def lock_burst(self, burst_id: BurstId) -> list[Source]:
        """List a burst's sources and hold their rows, in the order of their ids."""
        of_burst = select(sources).where(sources.c.burst_id == burst_id)
        rows = await self._connection.execute(of_burst.order_by(sources.c.id).with_for_update())
        return [source_of(row) for row in rows]

    async def album(self, burst_id: BurstId, album: str, *, now: datetime) -> Source | None:
        """Find a burst's source of an album that nobody has begun to read, and hold its row."""
        rows = await self._connection.execute(
            select(sources)
            .where(sources.c.burst_id == burst_id, sources.c.upload["album"].astext == album)
            .where(sources.c.kind == SourceKind.IMAGE, sources.c.state == SourceState.QUEUED)
            .where(leases.free(sources, "", now), sources.c.original_key == "")
            .order_by(sources.c.id)
            .limit(1)
            .with_for_update()
        )
        row = rows.one_or_none()
        return source_of(row) if row else None

    async def duplicate(self, new: NewSource, *, besides: SourceId | None = None) -> Source | None:
        """Find the source that this one would repeat."""
        same: list[ColumnElement[bool]] = []
        for column, value in (
            (sources.c.content_hash, new.content_hash),
            (sources.c.unique_file, new.upload.unique_file),
            (sources.c.external_id, new.external_id),
            (sources.c.canonical_url, new.canonical_url),
        ):
            if value:
                same.append(column == value)
        if new.upload.unique_file:
            same.append(sources.c.upload["parts"].contains([{"unique_file": new.upload.unique_file}]))
        if not same:
            return None
        found = await self._list(
            and_(
                sources.c.notebook_id == new.notebook_id,
                sources.c.state != SourceState.FAILED,
                sources.c.id.is_distinct_from(besides),
                or_(*same),
            )
        )
        return found[0] if found else None

    async def update(self, notebook_id: NotebookId, source_id: SourceId, change: SourceUpdate) -> Source | None:
        """Change a source; None when it is gone."""
        row = await self._connection.execute(
            update(sources).where(_key(notebook_id, source_id)).values(**changed(change)).returning(sources)
        )
        found = row.one_or_none()
        return source_of(found) if found else None

    async def lease(
        self, notebook_id: NotebookId, source_id: SourceId, owner: str, *, now: datetime, seconds: float
    ) -> Source | None:
        """Take the right to work on a source that is not done."""
        row = await self._connection.execute(
            leases.take(sources, owner, now, seconds)
            .where(_key(notebook_id, source_id), leases.free(sources, owner, now), sources.c.stage != Stage.DONE)
            .returning(sources)
        )
        found = row.one_or_none()
        return source_of(found) if found else None

    async def renew(self, notebook_id: NotebookId, source_id: SourceId, owner: str, *, until: datetime) -> bool:
        """Keep the right."""
        done = await self._connection.execute(
            update(sources).where(_key(notebook_id, source_id), leases.held(sources, owner)).values(lease_until=until)
        )
        return done.rowcount == 1

    async def release(
        self, notebook_id: NotebookId, source_id: SourceId, owner: str, *, retry_at: datetime | None = None
    ) -> None:
        """Give the right back."""
        await self._connection.execute(
            leases.give_back(sources, retry_at).where(_key(notebook_id, source_id), leases.held(sources, owner))
        )

    async def unfinished(self, *, now: datetime, limit: int) -> list[Source]:
        """List sources that wait and that nobody holds, the longest waiting first."""
        waiting = and_(sources.c.stage != Stage.DONE, leases.free(sources, "", now))
        rows = await self._connection.execute(
            select(sources).where(waiting).order_by(sources.c.retry_at.nulls_first(), sources.c.id).limit(limit)
        )
        return [source_of(row) for row in rows]

    async def requeue(self, notebook_id: NotebookId, source_id: SourceId) -> Source | None:
        """Let a source be read from its beginning; what a link led to is fetched again."""
        answers = sources.c.state.in_(ENDED_WELL)
        is_link = sources.c.kind.in_([kind for kind in SourceKind if kind.is_link]) | (
            sources.c.upload["url"].astext != ""
        )
        row = await self._connection.execute(
            update(sources)
            .where(_key(notebook_id, source_id))
            .values(
                state=case((answers, sources.c.state), else_=SourceState.QUEUED),
                stage=Stage.FETCH,
                original_key=case((is_link, ""), else_=sources.c.original_key),
                reason=null(),
                progress_done=0,
                progress_total=0,
                **_AFRESH,
            )
            .returning(sources)
        )
        found = row.one_or_none()
        return source_of(found) if found else None

    async def move(self, notebook_id: NotebookId, source_ids: Iterable[SourceId], target: NotebookId) -> list[Source]:
        """Move the rows, the source's own first: its lock keeps a writer of the others out."""
        ids = list(source_ids)
        unread = sources.c.stage.in_(BEFORE_TEXT)
        begun = sources.c.state == SourceState.READING
        rows = await self._connection.execute(
            update(sources)
            .where(sources.c.notebook_id == notebook_id, sources.c.id.in_(ids))
            .values(
                notebook_id=target,
                state=case((begun, SourceState.QUEUED), else_=sources.c.state),
                stage=case((unread, Stage.FETCH), else_=sources.c.stage),
                **_AFRESH,
            )
            .returning(sources)
        )
        moved = [source_of(row) for row in rows]
        for table in (chunks, postings, vectors):
            theirs = update(table).where(table.c.notebook_id == notebook_id, table.c.source_id.in_(ids))
            await self._connection.execute(theirs.values(notebook_id=target))
        return sorted(moved, key=lambda source: source.id)

    async def delete(self, notebook_id: NotebookId, source_id: SourceId) -> bool:
        """Delete a source with all that was made of it; its row's lock keeps a writer of chunks out."""
        gone = await self._connection.execute(delete(sources).where(_key(notebook_id, source_id)))
        for table in (postings, vectors, chunks):
            await self._connection.execute(
                delete(table).where(table.c.notebook_id == notebook_id, table.c.source_id == source_id)
            )
        return gone.rowcount == 1

    async def standing(self, notebook_id: NotebookId, source_ids: Iterable[SourceId]) -> set[SourceId]:
        """Say which of these sources exist, and hold their keys."""
        found = await self._connection.execute(
            select(sources.c.id)
            .where(sources.c.notebook_id == notebook_id, sources.c.id.in_(list(source_ids)))
            .order_by(sources.c.id)
            .with_for_update(read=True, key_share=True)
        )
        return {SourceId(value) for value in found.scalars()}

    async def answerable(self, notebook_id: NotebookId) -> int:
        """Count sources that can be searched."""
        return await self._count(notebook_id, and_(sources.c.state.in_(ENDED_WELL), ~sources.c.muted))

    async def being_read(self, notebook_id: NotebookId) -> int:
        """Count sources that are still on their way."""
        return await self._count(notebook_id, sources.c.state.in_((SourceState.QUEUED, SourceState.READING)))

    async def _count(self, notebook_id: NotebookId, condition: ColumnElement[bool]) -> int:
        found = await self._connection.execute(
            select(func.count()).where(sources.c.notebook_id == notebook_id, condition)
        )
        return found.scalar_one()

    async def _list(self, condition: ColumnElement[bool]) -> list[Source]:
        rows: Sequence[Row[Any]] = (
            await self._connection.execute(select(sources).where(condition).order_by(sources.c.id))
        ).all()
        return [source_of(row) for row in rows]


def _key(notebook_id: NotebookId, source_id: SourceId) -> ColumnElement[bool]:
    return and_(sources.c.notebook_id == notebook_id, sources.c.id == source_id)
