"""A source's words, its chunks and their postings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import chunks, postings, source_texts, sources, vectors
from core.ingest.cleaning import storable
from core.model.chunk import Chunk, ChunkDraft
from core.model.document import Document, PageStart, TimeStart
from core.model.ids import ChunkId, NotebookId, SourceId
from core.retrieval.language import part_language
from core.retrieval.normalise import normalise

_CHUNK_COLUMNS = (
    "notebook_id", "source_id", "version", "ordinal", "start", "end", "page", "time_s", "headings", "language", "text",
)  # fmt: skip

_INDEX = text(
    """
    WITH made AS (
        INSERT INTO postings (notebook_id, lexeme, chunk_id, source_id, tf, length)
        SELECT c.notebook_id, w.lexeme, c.id, c.source_id, cardinality(w.positions),
               sum(cardinality(w.positions)) OVER (PARTITION BY c.id)
        FROM unnest(CAST(:ordinals AS integer[]), CAST(:words AS text[])) AS given (ordinal, words)
        JOIN chunks c ON c.notebook_id = :notebook_id AND c.source_id = :source_id AND c.ordinal = given.ordinal
        CROSS JOIN LATERAL unnest(to_tsvector('russian', given.words)) AS w
        RETURNING tf
    )
    UPDATE sources SET chunk_count = :chunk_count, characters = :characters, language = :language,
                       term_count = (SELECT coalesce(sum(tf), 0) FROM made)
    WHERE notebook_id = :notebook_id AND id = :source_id
    """
)
"""`russian` stems Cyrillic words by Russian and Latin ones by English rules: one index serves both."""

_BY_ID = text(
    """
    SELECT c.*, s.title, s.external_id
    FROM unnest(CAST(:ids AS bigint[])) WITH ORDINALITY AS given (id, place)
    JOIN chunks c ON c.notebook_id = :notebook_id AND c.id = given.id
    JOIN sources s ON s.notebook_id = c.notebook_id AND s.id = c.source_id
    ORDER BY given.place
    """
)
"""In plain SQL, because every question runs it: building a statement costs more than this one takes."""

_OF_SOURCES = text(
    """
    SELECT c.*, s.title, s.external_id, s.characters
    FROM sources s JOIN chunks c ON c.notebook_id = s.notebook_id AND c.source_id = s.id
    WHERE s.notebook_id = :notebook_id AND c.notebook_id = :notebook_id AND s.id = ANY (CAST(:source_ids AS bigint[]))
      AND (s.characters <= :whole OR (c.source_id, c.ordinal) IN (
          SELECT * FROM unnest(CAST(:wanted_of AS bigint[]), CAST(:wanted AS integer[]))
      ))
    ORDER BY c.source_id, c.ordinal
    """
)
"""So too."""


class PostgresTexts:
    """See `core.ports.Texts`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def save(
        self,
        notebook_id: NotebookId,
        source_id: SourceId,
        document: Document,
        chunks: Sequence[ChunkDraft],
        language: str,
    ) -> None:
        """Store text, chunks and postings, replacing what was there; nothing happens when the source is gone."""
        version = await self._lock(notebook_id, source_id)
        if version is None:
            return
        await self._clear(notebook_id, source_id)
        await self._connection.execute(
            insert(source_texts).values(
                notebook_id=notebook_id,
                source_id=source_id,
                version=version,
                text=storable(document.text),
                pages=[[start.offset, start.page] for start in document.pages],
                times=[[start.offset, start.seconds] for start in document.times],
                raw_offsets=[list(pair) for pair in document.raw_offsets],
            )
        )
        await self._copy([_record((notebook_id, source_id, version), draft, language) for draft in chunks])
        about = {"characters": len(document.text), "language": language}
        await self._index(chunks, {"notebook_id": notebook_id, "source_id": source_id, **about})

    async def document(self, notebook_id: NotebookId, source_id: SourceId) -> Document | None:
        """Load a source's clean text with its maps."""
        row = (
            await self._connection.execute(
                select(source_texts, sources.c.title, sources.c.pages.label("page_count"), sources.c.missing_pages)
                .join(sources, _text_of_source())
                .where(_of(source_texts, notebook_id, source_id))
            )
        ).one_or_none()
        return _document(row) if row else None

    async def slice(self, notebook_id: NotebookId, source_id: SourceId, start: int, end: int) -> str:
        """Load a character range of a source's clean text, clipped to it; "" when there is none."""
        first, length = max(start, 0), max(end - max(start, 0), 0)
        found = await self._connection.execute(
            select(func.substr(source_texts.c.text, first + 1, length))
            .join(sources, _text_of_source())
            .where(_of(source_texts, notebook_id, source_id))
        )
        return found.scalar_one_or_none() or ""

    async def chunks(self, notebook_id: NotebookId, chunk_ids: Sequence[ChunkId]) -> list[Chunk]:
        """Load chunks in the order of the ids given; unknown ones are left out."""
        rows = await self._connection.execute(_BY_ID, {"notebook_id": notebook_id, "ids": list(chunk_ids)})
        return [_chunk(row) for row in rows]

    async def of_source(self, notebook_id: NotebookId, source_id: SourceId) -> list[Chunk]:
        """Load all chunks of a source in document order."""
        return await self._chunks(_chunks().where(_of(chunks, notebook_id, source_id)).order_by(chunks.c.ordinal))

    async def neighbours(self, notebook_id: NotebookId, source_id: SourceId, ordinals: Sequence[int]) -> list[Chunk]:
        """Load a source's chunks by ordinal, in document order; unknown ones are left out."""
        wanted = and_(_of(chunks, notebook_id, source_id), chunks.c.ordinal.in_(ordinals))
        return await self._chunks(_chunks().where(wanted).order_by(chunks.c.ordinal))

    async def of_sources(
        self, notebook_id: NotebookId, ordinals: Mapping[SourceId, Sequence[int]], *, whole: int
    ) -> dict[SourceId, tuple[int, list[Chunk]]]:
        """Load what several sources have to say, in one statement.

        Args:
            notebook_id: Their notebook.
            ordinals: The sources, each with the chunks wanted of it.
            whole: A source of at most so many characters gives all its chunks.

        Returns:
            Each source that is there and has such chunks: its length in characters and the chunks in document order.
        """
        wanted = [(source_id, ordinal) for source_id, each in ordinals.items() for ordinal in each]
        values = {
            "notebook_id": notebook_id,
            "source_ids": list(ordinals),
            "whole": whole,
            "wanted_of": [source_id for source_id, _ in wanted],
            "wanted": [ordinal for _, ordinal in wanted],
        }
        rows = await self._connection.execute(_OF_SOURCES, values)
        found: dict[SourceId, tuple[int, list[Chunk]]] = {}
        for row in rows:
            found.setdefault(SourceId(row.source_id), (row.characters, []))[1].append(_chunk(row))
        return found

    async def _lock(self, notebook_id: NotebookId, source_id: SourceId) -> int | None:
        """Hold the source's row until the transaction ends; give its version, None when it is gone."""
        found = await self._connection.execute(
            select(sources.c.version)
            .where(sources.c.notebook_id == notebook_id, sources.c.id == source_id)
            .with_for_update()
        )
        return found.scalar_one_or_none()

    async def _clear(self, notebook_id: NotebookId, source_id: SourceId) -> None:
        for table in (postings, vectors, chunks, source_texts):
            await self._connection.execute(delete(table).where(_of(table, notebook_id, source_id)))

    async def _copy(self, records: Sequence[tuple[object, ...]]) -> None:
        raw = await self._connection.get_raw_connection()
        assert raw.driver_connection is not None
        await raw.driver_connection.copy_records_to_table("chunks", records=records, columns=_CHUNK_COLUMNS)

    async def _index(self, drafts: Sequence[ChunkDraft], values: Mapping[str, object]) -> None:
        """Write the postings of the chunks just stored, and what the source's row says of them."""
        ordinals = [draft.ordinal for draft in drafts]
        words = [normalise(draft.text) for draft in drafts]
        await self._connection.execute(
            _INDEX, {"ordinals": ordinals, "words": words, "chunk_count": len(drafts), **values}
        )

    async def _chunks(self, statement: Select[Any]) -> list[Chunk]:
        return [_chunk(row) for row in await self._connection.execute(statement)]


def _of(table: Any, notebook_id: NotebookId, source_id: SourceId) -> ColumnElement[bool]:
    return and_(table.c.notebook_id == notebook_id, table.c.source_id == source_id)


def _text_of_source() -> ColumnElement[bool]:
    return and_(
        sources.c.notebook_id == source_texts.c.notebook_id,
        sources.c.id == source_texts.c.source_id,
        sources.c.version == source_texts.c.version,
    )


def _chunks() -> Select[Any]:
    """Select chunks with what their source says of itself."""
    return select(chunks, sources.c.title, sources.c.external_id).join(
        sources, and_(sources.c.notebook_id == chunks.c.notebook_id, sources.c.id == chunks.c.source_id)
    )


def _record(key: tuple[NotebookId, SourceId, int], draft: ChunkDraft, language: str) -> tuple[object, ...]:
    """Give a chunk's row in the order of `_CHUNK_COLUMNS`."""
    headings = [storable(heading) for heading in draft.headings]
    place = (draft.ordinal, draft.start, draft.end, draft.page, draft.time_s, headings)
    return (*key, *place, part_language(draft.text, language), storable(draft.text))


def _document(row: Row[Any]) -> Document:
    return Document(
        text=row.text,
        pages=tuple(PageStart(offset, page) for offset, page in row.pages),
        times=tuple(TimeStart(offset, seconds) for offset, seconds in row.times),
        page_count=row.page_count,
        missing_pages=tuple(row.missing_pages),
        title=row.title,
        raw_offsets=tuple((new, old) for new, old in row.raw_offsets),
    )


def _chunk(row: Row[Any]) -> Chunk:
    return Chunk(
        id=ChunkId(row.id),
        notebook_id=NotebookId(row.notebook_id),
        source_id=SourceId(row.source_id),
        version=row.version,
        title=row.title,
        ordinal=row.ordinal,
        start=row.start,
        end=row.end,
        text=row.text,
        page=row.page,
        time_s=row.time_s,
        headings=tuple(row.headings),
        external_id=row.external_id,
    )
