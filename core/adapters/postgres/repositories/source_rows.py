"""Rows of sources and their values."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Row, null

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
from core.ports import SourceUpdate


def changed(change: SourceUpdate) -> dict[str, Any]:
    """Give the columns that a change sets."""
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


def origin_json(origin: Origin) -> dict[str, Any]:
    """Write where a source came from."""
    return {**asdict(origin), "date": origin.date.isoformat() if origin.date else None}


def _origin(value: dict[str, Any]) -> Origin:
    date = datetime.fromisoformat(value["date"]) if value["date"] else None
    return Origin(value["author"], date, value["link"], value["message"])


def source_of(row: Row[Any]) -> Source:
    """Read a source."""
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
