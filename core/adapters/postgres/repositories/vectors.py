"""Vectors of chunks, side by side for several models, and the cache that saves making them twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from pgvector import HalfVector
from sqlalchemy import ColumnElement, and_, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.calibration import learn, shipped_calibration
from core.adapters.postgres.tables import chunks, embedding_models, sources, vector_cache, vectors
from core.ingest.cleaning import storable
from core.model.ids import ChunkId, ModelId, NotebookId, SourceId

_ADD = text(
    """
    WITH given AS (
        SELECT c.id, c.source_id, c.language, sha256(convert_to(c.text, 'UTF8')) AS hash, CAST(g.e AS halfvec) AS e
        FROM unnest(CAST(:ids AS bigint[]), CAST(:embeddings AS text[])) AS g (id, e)
        JOIN chunks c ON c.notebook_id = :notebook_id AND c.id = g.id AND c.source_id = :source_id
    ), remembered AS (
        INSERT INTO vector_cache (model_id, text_hash, embedding)
        SELECT DISTINCT ON (hash) :model_id, hash, e FROM given ORDER BY hash
        ON CONFLICT DO NOTHING
    )
    INSERT INTO vectors (notebook_id, model_id, chunk_id, source_id, language, embedding)
    SELECT :notebook_id, :model_id, id, source_id, language, e FROM given
    ON CONFLICT DO NOTHING
    """
)


_MEANS = func.coalesce(embedding_models.c.calibration["means"], text("'{}'::jsonb"))


def _is(model_id: ModelId) -> ColumnElement[bool]:
    return embedding_models.c.id == model_id


class PostgresVectors:
    """See `core.ports.Vectors`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def model(self, name: str, dimensions: int) -> ModelId:
        """Find or register an embedding model, with the calibration that ships for it."""
        known = select(embedding_models.c.id).where(embedding_models.c.name == name)
        found = (await self._connection.execute(known)).scalar_one_or_none()
        if found is None:
            row = {"name": name, "dimensions": dimensions, "calibration": shipped_calibration(name)}
            await self._connection.execute(insert(embedding_models).values(row).on_conflict_do_nothing())
            found = (await self._connection.execute(known)).scalar_one()
        return ModelId(found)

    async def missing(
        self, notebook_id: NotebookId, source_id: SourceId, model_id: ModelId, limit: int
    ) -> list[tuple[ChunkId, str]]:
        """List chunks without a vector of this model, in document order, with the text to embed."""
        has = and_(
            vectors.c.notebook_id == notebook_id, vectors.c.model_id == model_id, vectors.c.chunk_id == chunks.c.id
        )
        rows = await self._connection.execute(
            select(chunks.c.id, chunks.c.text)
            .where(chunks.c.notebook_id == notebook_id, chunks.c.source_id == source_id)
            .where(~select(vectors.c.chunk_id).where(has).exists())
            .order_by(chunks.c.ordinal)
            .limit(limit)
        )
        return [(ChunkId(row.id), row.text) for row in rows]

    async def cached(self, model_id: ModelId, texts: Sequence[str]) -> dict[str, list[float]]:
        """Find vectors of equal texts made before, in any notebook."""
        by_hash = {sha256(storable(one).encode()).digest(): one for one in texts}
        rows = await self._connection.execute(
            select(vector_cache.c.text_hash, vector_cache.c.embedding).where(
                vector_cache.c.model_id == model_id, vector_cache.c.text_hash.in_(by_hash)
            )
        )
        return {by_hash[bytes(row.text_hash)]: list(row.embedding) for row in rows}

    async def add(
        self,
        notebook_id: NotebookId,
        source_id: SourceId,
        model_id: ModelId,
        vectors: Mapping[ChunkId, Sequence[float]],
    ) -> None:
        """Store vectors and remember them; those whose chunk is gone by now are dropped."""
        held = select(sources.c.id).where(sources.c.notebook_id == notebook_id, sources.c.id == source_id)
        if not vectors or (await self._connection.execute(held.with_for_update())).scalar_one_or_none() is None:
            return
        await self._connection.execute(
            _ADD,
            {
                "notebook_id": notebook_id,
                "source_id": source_id,
                "model_id": model_id,
                "ids": list(vectors),
                "embeddings": [HalfVector(list(vector)).to_text() for vector in vectors.values()],
            },
        )
        await self._learn(notebook_id, source_id, model_id, vectors)

    async def _learn(
        self, notebook_id: NotebookId, source_id: SourceId, model_id: ModelId, found: Mapping[ChunkId, Sequence[float]]
    ) -> None:
        """Let the model's calibration learn from a language whose mean it does not know yet."""
        rows = await self._connection.execute(
            select(chunks.c.language, func.array_agg(chunks.c.id).label("ids"))
            .where(chunks.c.notebook_id == notebook_id, chunks.c.id.in_(found))
            .where(chunks.c.language.not_in(select(func.jsonb_object_keys(_MEANS)).where(_is(model_id))))
            .group_by(chunks.c.language)
        )
        for language, ids in rows.all():
            calibration = select(embedding_models.c.calibration).where(_is(model_id)).with_for_update()
            known = (await self._connection.execute(calibration)).scalar_one()
            learnt = learn(known, language, source_id, [found[chunk_id] for chunk_id in ids])
            if learnt is not None:
                change = update(embedding_models).where(_is(model_id)).values(calibration=learnt)
                await self._connection.execute(change)
