"""The evaluation notebooks in a database of their own, made by the product's own parts and kept for the next run."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import asyncpg
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.embedded_services import start_embedded, stop_embedded
from core.adapters.embeddings.embedded import EmbeddedE5
from core.adapters.postgres.engine import make_engine
from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.ingest.chunking import cut
from core.ingest.cleaning import clean
from core.insights.summarise import summarise
from core.jobs import Job
from core.model.document import Document
from core.model.ids import ModelId, NotebookId, SourceId
from core.model.source import Origin, SourceKind, SourceState, Stage, Upload
from core.ports import Embedder, NewSource, SourceUpdate, Transactions
from core.retrieval.language import detect_language
from tests.quality.data import ROOT, EvalSet
from tests.quality.questions import RememberingEmbedder

CACHE = ROOT / ".konspekt" / "quality"
BATCH = 32
"""Chunks between two commits: an interrupted run goes on from there."""
MAKERS = (
    "alembic/versions/0001_initial_schema.py",
    "core/adapters/postgres/calibration.py",
    "core/adapters/postgres/calibrations/e5_small.json",
    "core/adapters/postgres/repositories/texts.py",
    "core/ingest/chunking.py",
    "core/ingest/cleaning.py",
    "core/ingest/edited_text.py",
    "core/ingest/running_lines.py",
    "core/ingest/windows.py",
    "core/insights/summarise.py",
    "core/retrieval/language.py",
    "core/retrieval/normalise.py",
)
"""What shapes the stored rows: when one of them changes, the notebooks are made anew (vectors come from the cache)."""


class NoQueue:
    """Nothing is published here."""

    async def publish(self, jobs: Sequence[Job]) -> None:
        """Drop the jobs."""


@dataclass
class Library:
    """Open notebooks.

    Attributes:
        notebooks: Evaluation name to our id.
        sources: Our id to the evaluation's.
    """

    engine: AsyncEngine
    transactions: Transactions
    embedder: Embedder
    count_tokens: Callable[[str], int]
    model_id: ModelId
    notebooks: dict[str, NotebookId]
    sources: dict[SourceId, str]


@asynccontextmanager
async def open_library(data: EvalSet, say: Callable[[str], None], *, cache: Path = CACHE) -> AsyncIterator[Library]:
    """Start the database, import what is missing and embed it; servers are stopped at the end."""
    await asyncio.to_thread(cache.mkdir, parents=True, exist_ok=True)
    services = await asyncio.to_thread(start_embedded, cache, postgres=True, valkey=False)
    engine_of_vectors = EmbeddedE5(cache / "model")
    embedder = RememberingEmbedder(engine_of_vectors, cache)
    try:
        url = await _database(services.database_url, data, embedder)
        engine = make_engine(url)
        transactions = PostgresTransactions(engine, NoQueue())
        async with transactions() as tx:
            model_id = await tx.vectors.model(embedder.model_id, embedder.dimensions)
        await _recall_vectors(_dsn(url))
        library = Library(engine, transactions, embedder, engine_of_vectors.count_tokens, model_id, {}, {})
        for name, sids in data.notebooks.items():
            await _import_notebook(library, data, name, sids, say)
        yield library
        await engine.dispose()
    finally:
        await embedder.close()
        await asyncio.to_thread(stop_embedded, cache)


async def _database(server_url: str, data: EvalSet, embedder: Embedder) -> str:
    """Make and migrate the database of this set and this code, unless an earlier run did."""
    made_by = sha256()
    for path in MAKERS:
        made_by.update((ROOT / path).read_bytes())
    made_by.update(f"{data.folder} {embedder.model_id}".encode())
    url = make_url(server_url).set(database=f"quality_{made_by.hexdigest()[:12]}")
    admin = await asyncpg.connect(_dsn(server_url))
    known = await admin.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", url.database)
    if not known:
        for (old,) in await admin.fetch("SELECT datname FROM pg_database WHERE datname LIKE 'quality\\_%'"):
            await _remember_vectors(_dsn(make_url(server_url).set(database=old).render_as_string(hide_password=False)))
            await admin.execute(f'DROP DATABASE "{old}" WITH (FORCE)')
        await admin.execute(f'CREATE DATABASE "{url.database}"')
    await admin.close()
    plain = url.render_as_string(hide_password=False)
    if not known:
        await asyncio.to_thread(_migrate, plain)
    return plain


def _migrate(url: str) -> None:
    environment = {**os.environ, "DATABASE_URL": url}
    subprocess.run(
        [sys.executable, "-m", "alembic", "upgrade", "head"], cwd=ROOT, env=environment, check=True, timeout=100
    )


async def _remember_vectors(dsn: str) -> None:
    """Save the vectors of a database that is about to go."""
    connection = await asyncpg.connect(dsn)
    await connection.copy_from_query(
        "SELECT m.name, encode(c.text_hash, 'hex'), c.embedding::text FROM vector_cache c "
        "JOIN embedding_models m ON m.id = c.model_id",
        output=CACHE / "vectors.tsv",
    )
    await connection.close()


async def _recall_vectors(dsn: str) -> None:
    """Load the vectors that an earlier database knew, into one that knows none."""
    saved = CACHE / "vectors.tsv"
    if not saved.is_file():
        return
    connection = await asyncpg.connect(dsn)
    if not await connection.fetchval("SELECT EXISTS (SELECT FROM vector_cache)"):
        await connection.execute("CREATE TEMP TABLE saved (name text, hash text, embedding text)")
        await connection.copy_to_table("saved", source=saved)
        await connection.execute(
            "INSERT INTO vector_cache SELECT m.id, decode(s.hash, 'hex'), s.embedding::halfvec FROM saved s "
            "JOIN embedding_models m ON m.name = s.name"
        )
    await connection.close()


def _dsn(url: str) -> str:
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


async def _import_notebook(
    library: Library, data: EvalSet, name: str, sids: list[str], say: Callable[[str], None]
) -> None:
    async with library.transactions() as tx:
        owner = await tx.people.person(0, 0, "quality", "en")
        notebook = await tx.notebooks.by_title(owner.id, name) or await tx.notebooks.add(name, "ru", owner.id)
        known = {source.external_id: source for source in await tx.sources.of_notebook(notebook.id)}
    library.notebooks[name] = notebook.id
    for number, sid in enumerate(sids, 1):
        source = known.get(sid)
        source_id = source.id if source else await _add(library, notebook.id, data.sources[sid])
        if source is None or source.stage is not Stage.DONE:
            await _embed(library, notebook.id, source_id)
            say(f"{name}: {number}/{len(sids)} sources")
        library.sources[source_id] = sid


async def _add(library: Library, notebook_id: NotebookId, row: dict[str, str]) -> SourceId:
    document = clean(Document(row["text"], title=row["title"]))
    chunks = cut(document, count_tokens=library.count_tokens)
    language = detect_language(document.text)
    async with library.transactions() as tx:
        new = NewSource(
            notebook_id, SourceKind.TEXT, row["title"], Upload(), Origin(), None, None, external_id=row["sid"]
        )
        source = await tx.sources.add(new)
        await tx.texts.save(notebook_id, source.id, document, chunks, language)
        await tx.insights.put(notebook_id, source.id, "summary", summarise(document.text), language)
        await tx.sources.update(notebook_id, source.id, SourceUpdate(state=SourceState.READY, stage=Stage.EMBED))
    return source.id


async def _embed(library: Library, notebook_id: NotebookId, source_id: SourceId) -> None:
    while True:
        async with library.transactions() as tx:
            batch = await tx.vectors.missing(notebook_id, source_id, library.model_id, BATCH)
            known = await tx.vectors.cached(library.model_id, [text for _, text in batch])
        if not batch:
            break
        fresh = [text for _, text in batch if text not in known]
        known |= dict(zip(fresh, await library.embedder.embed_passages(fresh), strict=True))
        async with library.transactions() as tx:
            vectors = {chunk_id: known[text] for chunk_id, text in batch}
            await tx.vectors.add(notebook_id, source_id, library.model_id, vectors)
    async with library.transactions() as tx:
        await tx.sources.update(notebook_id, source_id, SourceUpdate(stage=Stage.DONE))
