"""Source rows."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, delete, func, null, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.repositories import leases
from core.adapters.postgres.tables import chunks, postings, sources, vectors
from core.model.ids import BurstId, NotebookId, PersonId, SourceId
from core.model.source import (
    About,
    Attempt,
    Origin,
    Outcome,
    Part,
    Reason,
    Source,
    SourceKind,
    SourceState,
    Stage,
    Upload,
)
from core.ports import NewSource, SourceUpdate

ENDED_WELL = (SourceState.READY, SourceState.PARTIAL)


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
                origin=_origin_json(new.origin),
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
        return _source(row.one())

    async def get(self, notebook_id: NotebookId, source_id: SourceId) -> Source | None:
        """Find one source."""
        row = (await self._connection.execute(select(sources).where(_key(notebook_id, source_id)))).one_or_none()
        return _source(row) if row else None

    async def of_notebook(self, notebook_id: NotebookId) -> list[Source]:
        """List a notebook's sources, oldest first."""
        return await self._list(sources.c.notebook_id == notebook_id)

    async def of_burst(self, burst_id: BurstId) -> list[Source]:
        """List a burst's sources, in the order they came."""
        return await self._list(sources.c.burst_id == burst_id)

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
            update(sources).where(_key(notebook_id, source_id)).values(**_changed(change)).returning(sources)
        )
        found = row.one_or_none()
        return _source(found) if found else None

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
        return _source(found) if found else None

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
        return [_source(row) for row in rows]

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
        return [_source(row) for row in rows]


def _key(notebook_id: NotebookId, source_id: SourceId) -> ColumnElement[bool]:
    return and_(sources.c.notebook_id == notebook_id, sources.c.id == source_id)


def _changed(change: SourceUpdate) -> dict[str, Any]:
    values = {name: value for name, value in asdict(change).items() if value is not None}
    if values.pop("clear_reason", False):
        values["reason"] = null()
    if "missing_pages" in values:
        values["missing_pages"] = list(values["missing_pages"])
    if "attempts" in values:
        values["attempts"] = list(values["attempts"])
    return values


def _upload(value: dict[str, Any]) -> Upload:
    return Upload(**{**value, "parts": tuple(Part(**part) for part in value.get("parts", ()))})


def _origin_json(origin: Origin) -> dict[str, Any]:
    return {**asdict(origin), "date": origin.date.isoformat() if origin.date else None}


def _origin(value: dict[str, Any]) -> Origin:
    date = datetime.fromisoformat(value["date"]) if value["date"] else None
    return Origin(value["author"], date, value["link"], value["message"])


def _source(row: Row[Any]) -> Source:
    return Source(
        notebook_id=NotebookId(row.notebook_id),
        id=SourceId(row.id),
        version=row.version,
        kind=SourceKind(row.kind),
        title=row.title,
        state=SourceState(row.state),
        stage=Stage(row.stage),
        upload=_upload(row.upload),
        origin=_origin(row.origin),
        external_id=row.external_id,
        original_key=row.original_key,
        progress_done=row.progress_done,
        progress_total=row.progress_total,
        reason=Reason(**row.reason) if row.reason else None,
        content_hash=row.content_hash,
        canonical_url=row.canonical_url,
        about=About(**row.about),
        language=row.language,
        extractor=row.extractor,
        attempts=tuple(Attempt(**{**item, "outcome": Outcome(item["outcome"])}) for item in row.attempts),
        pages=row.pages,
        missing_pages=tuple(row.missing_pages),
        characters=row.characters,
        chunk_count=row.chunk_count,
        muted=row.muted,
        tries=row.tries,
        burst_id=BurstId(row.burst_id) if row.burst_id is not None else None,
        added_by=PersonId(row.added_by) if row.added_by is not None else None,
        created_at=row.created_at,
    )
