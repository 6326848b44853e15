"""A searchable source gets its vectors, then its insights."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.errors import PermanentError, TransientError
from core.ingest.status import ShowBurst
from core.insights.summarise import summarise
from core.library.lease import Backoff, LeaseLost, LeaseTerms, hold
from core.model.ids import ChunkId, ModelId, NotebookId, SourceId
from core.model.source import Source, Stage
from core.ports import SourceUpdate, Transaction, Transactions
from core.retrieval.embedding_model import EmbeddingModel

BATCH = 16
"""Chunks embedded between two commits: about two seconds of the embedded model's time."""
LATER_S = 600.0
"""When an embedding endpoint stays away, the source waits for the sweep: keyword answers go on meanwhile."""


@dataclass(frozen=True, slots=True)
class EmbedSource:
    """Embed what has no vector yet and write the summary; a repeat goes on where the last try stopped."""

    transactions: Transactions
    model: EmbeddingModel
    show: ShowBurst
    terms: LeaseTerms
    backoff: Backoff
    clock: Callable[[], datetime]

    async def __call__(self, notebook_id: NotebookId, source_id: SourceId) -> float | None:
        """Do it, or find that there is nothing to do.

        Returns:
            Seconds after which it should be tried again; None when it is done or another's.
        """
        async with self.transactions() as tx:
            source = await tx.sources.lease(
                notebook_id, source_id, self.terms.owner, now=self.clock(), seconds=self.terms.seconds
            )
        if source is None or not source.state.answers:
            await self._release(notebook_id, source_id)
            return None
        try:
            return await self._try(source)
        except LeaseLost:
            return None
        except asyncio.CancelledError:  # this worker is told to end: another one need not wait for the lease to run out
            await self._release(notebook_id, source_id)
            raise

    async def give_up(self, notebook_id: NotebookId, source_id: SourceId) -> None:
        """Leave a source that answers by keywords as it is, unless it is another worker's by now."""
        async with self.transactions() as tx:
            owner, now = self.terms.owner, self.clock()
            if await tx.sources.lease(notebook_id, source_id, owner, now=now, seconds=self.terms.seconds) is None:
                return
            await tx.sources.update(notebook_id, source_id, SourceUpdate(stage=Stage.DONE))
            await tx.sources.release(notebook_id, source_id, owner)

    async def _try(self, source: Source) -> float | None:
        try:
            async with hold(lambda: self._beat(source), self.terms):
                await self._embed(source)
                await self._summarise(source)
            await self._finish(source)
        except TransientError:
            delay = self.backoff(source.tries)
            retry_at = self.clock() + timedelta(seconds=delay or LATER_S)
            await self._release(source.notebook_id, source.id, retry_at=retry_at)
            return delay
        except PermanentError:
            await self._finish(source)  # keyword search goes on without vectors
        return None

    async def _embed(self, source: Source) -> None:
        model_id = await self.model.id()
        while True:
            async with self.transactions() as tx:
                batch = await tx.vectors.missing(source.notebook_id, source.id, model_id, BATCH)
                known = await tx.vectors.cached(model_id, [text for _, text in batch])
            if not batch:
                return
            fresh = [text for _, text in batch if text not in known]
            made = dict(zip(fresh, await self.model.embedder.embed_passages(fresh), strict=True)) if fresh else {}
            vectors: dict[ChunkId, list[float]] = {
                chunk_id: known[text] if text in known else made[text] for chunk_id, text in batch
            }
            await self._store(source, model_id, vectors)

    async def _store(self, source: Source, model_id: ModelId, vectors: dict[ChunkId, list[float]]) -> None:
        async with self.transactions() as tx:
            await self._keep(tx, source)
            current = await tx.sources.get(source.notebook_id, source.id)
            if current is None:
                raise LeaseLost
            await tx.vectors.add(source.notebook_id, source.id, model_id, vectors)
            done = current.progress_done + len(vectors)
            await tx.sources.update(source.notebook_id, source.id, SourceUpdate(progress_done=done))
            await self.show(tx, source)

    async def _summarise(self, source: Source) -> None:
        async with self.transactions() as tx:
            document = await tx.texts.document(source.notebook_id, source.id)
            if document is None:
                raise LeaseLost
        summary = summarise(document.text)
        if not summary:
            return
        async with self.transactions() as tx:
            await self._keep(tx, source)
            await tx.sources.update(source.notebook_id, source.id, SourceUpdate(stage=Stage.INSIGHTS))
            await tx.insights.put(source.notebook_id, source.id, "summary", summary, source.language)

    async def _beat(self, source: Source) -> bool:
        async with self.transactions() as tx:
            await self._keep(tx, source)
        return True

    async def _keep(self, tx: Transaction, source: Source) -> None:
        """Prolong the lease before the row is changed.

        Raises:
            LeaseLost: It is not ours any more; nothing of this transaction may stay.
        """
        until = self.terms.until(self.clock())
        if not await tx.sources.renew(source.notebook_id, source.id, self.terms.owner, until=until):
            raise LeaseLost

    async def _finish(self, source: Source) -> None:
        async with self.transactions() as tx:
            await self._keep(tx, source)
            await tx.sources.update(source.notebook_id, source.id, SourceUpdate(stage=Stage.DONE))
            await tx.sources.release(source.notebook_id, source.id, self.terms.owner)
            await self.show(tx, source)

    async def _release(self, notebook_id: NotebookId, source_id: SourceId, *, retry_at: datetime | None = None) -> None:
        async with self.transactions() as tx:
            await tx.sources.release(notebook_id, source_id, self.terms.owner, retry_at=retry_at)
