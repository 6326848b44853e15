"""Summaries and key points of sources, with the words they are found by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import insights, sources
from core.ingest.cleaning import storable
from core.model.ids import NotebookId, SourceId
from core.model.insight import QUESTIONS
from core.retrieval.normalise import normalise


class PostgresInsights:
    """See `core.ports.Insights`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def put(self, notebook_id: NotebookId, source_id: SourceId, kind: str, text: str, language: str) -> None:
        """Store one insight of a source, replacing the one of that kind; nothing happens when the source is gone.

        An empty text removes it. A question says nothing of its source: no search finds it.
        """
        held = select(sources.c.id).where(sources.c.notebook_id == notebook_id, sources.c.id == source_id)
        if (await self._connection.execute(held.with_for_update())).scalar_one_or_none() is None:
            return
        if not storable(text).strip():
            await self._remove(notebook_id, source_id, kind)
            return
        content = {
            "text": storable(text),
            "language": language,
            "words": func.to_tsvector("russian", "" if kind == QUESTIONS else normalise(text)),
        }
        row = {"notebook_id": notebook_id, "source_id": source_id, "kind": kind, **content}
        await self._connection.execute(
            insert(insights)
            .values(row)
            .on_conflict_do_update(index_elements=["notebook_id", "source_id", "kind"], set_=content)
        )

    async def _remove(self, notebook_id: NotebookId, source_id: SourceId, kind: str) -> None:
        await self._connection.execute(
            delete(insights).where(
                insights.c.notebook_id == notebook_id, insights.c.source_id == source_id, insights.c.kind == kind
            )
        )

    async def of_sources(self, notebook_id: NotebookId, source_ids: Sequence[SourceId]) -> dict[SourceId, str]:
        """Load the insights of sources, as one text each, the summary first; sources without are left out."""
        rows = await self._connection.execute(
            select(insights.c.source_id, insights.c.text)
            .where(
                insights.c.notebook_id == notebook_id,
                insights.c.source_id.in_(source_ids),
                insights.c.kind != QUESTIONS,
            )
            .order_by(insights.c.source_id, insights.c.kind != "summary", insights.c.kind)
        )
        found: dict[SourceId, list[str]] = defaultdict(list)
        for row in rows:
            found[SourceId(row.source_id)].append(row.text)
        return {source_id: "\n\n".join(parts) for source_id, parts in found.items()}

    async def of_kind(self, notebook_id: NotebookId, source_ids: Sequence[SourceId], kind: str) -> dict[SourceId, str]:
        """Load the insights of one kind; sources without are left out."""
        rows = await self._connection.execute(
            select(insights.c.source_id, insights.c.text).where(
                insights.c.notebook_id == notebook_id,
                insights.c.source_id.in_(source_ids),
                insights.c.kind == kind,
            )
        )
        return {SourceId(row.source_id): row.text for row in rows}
