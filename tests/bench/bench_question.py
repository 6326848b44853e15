"""A question's search against one bare vector query: `python -m tests.bench.bench_question [--chunks N …]`.

Timed is all that happens between the question's vector and the text for the model: four strategies, fusion, loading,
packing. The measure is a ratio, so that the machine cancels out: against one exact pgvector query over the same
notebook on one warm connection. Allowed: p50 at most 2x + 15 ms, p95 at most 4x + 30 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import asyncpg
import numpy as np
from pgvector import HalfVector
from pgvector.asyncpg import register_vector
from sqlalchemy import make_url

from core.adapters.embedded_services import start_embedded, stop_embedded
from core.adapters.postgres.engine import make_engine
from core.adapters.postgres.unit_of_work import PostgresTransactions
from core.adapters.strategies import build_strategies
from core.answering.budget import pack
from core.answering.gather import gather
from core.ingest.chunking import cut
from core.jobs import Job
from core.model.document import Document
from core.model.ids import ModelId, NotebookId
from core.model.search import SearchQuery
from core.model.source import Origin, SourceKind, SourceState, Upload
from core.ports import NewSource, SourceUpdate
from core.retrieval.retrieve import Retrieve

ROOT = Path(__file__).parents[2]
DIMENSIONS = 384
SIZES = (300, 3_000, 11_000)
"""Chunks of a notebook."""
CHUNKS_A_SOURCE = 40
QUESTIONS = 200
WARM_UP = 20
VOCABULARY = 30_000
STOP_WORDS = 100
"""The commonest words of a language are not indexed: the uneven rest begins behind them."""
LETTERS = "абвгдежзиклмнопрстуфх"
P50_TIMES, P50_MORE_MS = 2, 15
P95_TIMES, P95_MORE_MS = 4, 30
BARE = "SELECT chunk_id FROM vectors WHERE notebook_id = $1 AND model_id = $2 ORDER BY embedding <=> $3 LIMIT 10"


class NoQueue:
    """Nothing is published here."""

    async def publish(self, jobs: Sequence[Job]) -> None:
        """Drop the jobs."""


class Words:
    """Text whose words are as unevenly common as in a language."""

    def __init__(self, seed: int) -> None:
        letters = random.Random(seed)
        self._random = np.random.default_rng(seed)
        self._words = ["".join(letters.choices(LETTERS, k=letters.randint(3, 11))) for _ in range(VOCABULARY)]
        weights = 1 / np.arange(STOP_WORDS, STOP_WORDS + VOCABULARY)
        self._weights = weights / weights.sum()

    def take(self, count: int) -> list[str]:
        """Draw words."""
        return [self._words[index] for index in self._random.choice(VOCABULARY, count, p=self._weights)]

    def text(self, sentences: int) -> str:
        """Draw sentences of twelve words."""
        return " ".join(" ".join(self.take(12)).capitalize() + "." for _ in range(sentences))

    def vector(self) -> list[float]:
        """Draw a unit vector."""
        drawn = self._random.normal(size=DIMENSIONS)
        vector: list[float] = (drawn / np.linalg.norm(drawn)).tolist()
        return vector


async def fill(transactions: PostgresTransactions, words: Words, chunks: int) -> tuple[NotebookId, ModelId]:
    """Make a notebook of about so many chunks, by the product's own repositories."""
    async with transactions() as tx:
        notebook = (await tx.notebooks.add(f"{chunks} chunks", "ru", None)).id
        model = await tx.vectors.model("bench:multilingual-e5-small", DIMENSIONS)
    made = 0
    while made < chunks:
        document = Document(words.text(18 * min(CHUNKS_A_SOURCE, chunks - made)))
        drafts = cut(document)
        async with transactions() as tx:
            title = " ".join(words.take(3))
            new = NewSource(notebook, SourceKind.TEXT, title, Upload(text="…"), Origin(), None, None)
            source = await tx.sources.add(new)
            await tx.texts.save(notebook, source.id, document, drafts, "ru")
            missing = await tx.vectors.missing(notebook, source.id, model, len(drafts))
            await tx.vectors.add(notebook, source.id, model, {chunk_id: words.vector() for chunk_id, _ in missing})
            await tx.insights.put(notebook, source.id, "summary", words.text(5), "ru")
            await tx.sources.update(notebook, source.id, SourceUpdate(state=SourceState.READY))
        made += len(drafts)
    return notebook, model


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    """Return the milliseconds a call takes."""
    begun = perf_counter()
    await call()
    return (perf_counter() - begun) * 1000


async def measure(url: str, chunks: int) -> bool:
    """Print a row for a notebook of this size; False when it is too slow."""
    engine = make_engine(url)
    transactions = PostgresTransactions(engine, NoQueue())
    words = Words(chunks)
    notebook, model = await fill(transactions, words, chunks)
    retrieve = Retrieve(build_strategies(engine), transactions)
    bare = await asyncpg.connect(make_url(url).set(drivername="postgresql").render_as_string(hide_password=False))
    await register_vector(bare)
    await bare.execute("ANALYZE")

    async def answer(query: SearchQuery) -> None:
        result = await retrieve(query)
        assert len(result.chunks) == min(20, chunks)
        assert not result.failed
        async with transactions() as tx:
            pack(await gather(tx, result))

    ours, theirs = [], []
    for _ in range(QUESTIONS + WARM_UP):  # in turn, so that noise meets both
        vector, text = words.vector(), " ".join(words.take(8))
        embedding = HalfVector(vector)
        theirs.append(await timed(lambda: bare.fetch(BARE, notebook, model, embedding)))  # noqa: B023 - called at once
        query = SearchQuery(notebook, text, "ru", tuple(vector), model)
        ours.append(await timed(lambda: answer(query)))  # noqa: B023 - called at once
    await bare.close()
    await engine.dispose()
    return row(chunks, ours[WARM_UP:], theirs[WARM_UP:])


def row(chunks: int, ours: Sequence[float], theirs: Sequence[float]) -> bool:
    """Print the percentiles with what is allowed."""
    (our50, our95), (bare50, bare95) = percentiles(ours), percentiles(theirs)
    allowed50, allowed95 = P50_TIMES * bare50 + P50_MORE_MS, P95_TIMES * bare95 + P95_MORE_MS
    fast = our50 <= allowed50 and our95 <= allowed95
    print(
        f"{chunks:>7} | {bare50:7.1f} {bare95:7.1f} | {our50:7.1f} {our95:7.1f} | {allowed50:7.1f} {allowed95:7.1f} "
        f"| {'ok' if fast else 'TOO SLOW'}",
        flush=True,
    )
    return fast


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """Give the 50th and the 95th."""
    cuts = quantiles(values, n=20)
    return cuts[9], cuts[18]


def main(sizes: Sequence[int] = SIZES) -> bool:
    """Start a database of its own, measure each size, clean up; False when one is too slow."""
    folder = Path(tempfile.mkdtemp(prefix="konspekt-bench-"))
    try:
        url = start_embedded(folder, postgres=True, valkey=False).database_url
        subprocess.run(
            [sys.executable, "-m", "alembic", "upgrade", "head"],
            cwd=ROOT, env={**os.environ, "DATABASE_URL": url}, check=True, capture_output=True, timeout=100,
        )  # fmt: skip
        print(" chunks |    bare p50, p95 |    ours p50, p95 |    most p50, p95 | milliseconds")
        fast = [asyncio.run(measure(url, size)) for size in sizes]
        return all(fast)
    finally:
        stop_embedded(folder)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, nargs="+", default=SIZES)
    raise SystemExit(not main(parser.parse_args().chunks))
