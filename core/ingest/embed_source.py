"""A searchable source gets its vectors, then its insights."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from core.errors import KonspektError, PermanentError, TransientError
from core.ingest.status import ShowBurst
from core.insights.choose_title import sentence_title, worth_showing
from core.insights.make_insights import MakeInsights
from core.insights.source_insights import SourceInsights
from core.library.lease import Backoff, LeaseLost, LeaseTerms, hold
from core.model.ids import ChunkId, ModelId, NotebookId, SourceId
from core.model.insight import SUMMARY
from core.model.source import Source, Stage
from core.ports import SourceUpdate, Transaction, Transactions
from core.retrieval.embedding_model import EmbeddingModel

log = structlog.get_logger()

BATCH = 16
"""Chunks embedded between two commits: about two seconds of the embedded model's time."""
LATER_S = 600.0
"""When an embedding endpoint stays away, the source waits for the sweep: keyword answers go on meanwhile."""
INSIGHT_TRIES = 3
"""Tries of a source after which a language model that fails is not waited for any longer: the rules do without it."""


@dataclass(frozen=True, slots=True)
class EmbedSource:
    """Embed what has no vector yet, then make the insights; a repeat goes on where the last try stopped.

    Attributes:
        insights: Makes summary, key points and questions; by rule unless it is given a language model.
    """

    transactions: Transactions
    model: EmbeddingModel
    show: ShowBurst
    terms: LeaseTerms
    backoff: Backoff
    clock: Callable[[], datetime]
    insights: MakeInsights = field(default_factory=MakeInsights)

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
                try:
                    await self._embed(source)
                except PermanentError as error:  # keyword search goes on without vectors
                    log.error("vectors_refused", source_id=source.id, text_key=error.text_key)
                await self._tell(source)
            await self._finish(source)
        except TransientError:
            delay = self.backoff(source.tries)
            retry_at = self.clock() + timedelta(seconds=delay or LATER_S)
            await self._release(source.notebook_id, source.id, retry_at=retry_at)
            return delay
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

    async def _tell(self, source: Source) -> None:
        """Make and keep the insights, once a reading; a failure nobody foresaw costs them and nothing else.

        Raises:
            TransientError: The language model is away, and another try is worth it.
        """
        async with self.transactions() as tx:
            document = await tx.texts.document(source.notebook_id, source.id)
            notebook = await tx.notebooks.get(source.notebook_id)
            if document is None or notebook is None:
                raise LeaseLost
            kept = await tx.insights.of_kind(source.notebook_id, [source.id], SUMMARY)
        if kept and source.stage is Stage.DONE:
            return  # only vectors were wanted: another embedding model
        asked_in = notebook.language or source.language
        may_wait = source.tries < INSIGHT_TRIES and self.backoff(source.tries) is not None
        try:
            made = await self.insights(document.text, language=source.language, asked_in=asked_in, try_again=may_wait)
        except KonspektError:
            raise
        except Exception as error:
            log.exception("insights_broke", source_id=source.id, kind=type(error).__name__)
            return
        await self._keep_insights(source, made, document.text, asked_in)

    async def _keep_insights(self, source: Source, made: SourceInsights, text: str, asked_in: str) -> None:
        async with self.transactions() as tx:
            await self._keep(tx, source)
            title = made.title if _is_makeshift(source, text) else ""
            change = SourceUpdate(stage=Stage.INSIGHTS, title=title or None)
            await tx.sources.update(source.notebook_id, source.id, change)
            for kind, words, language in made.rows(source.language, asked_in):
                await tx.insights.put(source.notebook_id, source.id, kind, words, language)

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


def _is_makeshift(source: Source, text: str) -> bool:
    """Tell whether a source's title says nothing, or is only the beginning of its text for want of a better one.

    Words that were typed or forwarded are known by their beginning; a title that a person gave stays.
    """
    if not worth_showing(source.title):
        return True
    return bool(source.upload.file_name) and source.title == sentence_title(text)
