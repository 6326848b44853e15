"""A source is read: fetch, extract, clean, chunk, index. Then it answers keyword questions; vectors follow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.billing.plans import PLANS
from core.errors import KonspektError, PermanentError, TransientError, UserError
from core.ingest.cascade import Reading, read
from core.ingest.chunking import cut
from core.ingest.cleaning import clean
from core.ingest.fetch_original import FetchOriginal
from core.ingest.status import ShowBurst
from core.jobs import EmbedSource
from core.library.lease import Backoff, LeaseLost, LeaseTerms, hold
from core.model.chunk import ChunkDraft
from core.model.document import Document
from core.model.ids import NotebookId, SourceId
from core.model.plan import PlanName
from core.model.source import Reason, Source, SourceKind, SourceState, Stage
from core.ports import (
    Cascade,
    ChildRunner,
    ExtractionRequest,
    FileInspector,
    SourceUpdate,
    Transaction,
    Transactions,
)
from core.retrieval.language import detect_language

AS_IT_CAME = "as-it-came"
"""The extractor of words that a person typed, pasted or forwarded: there is nothing to extract."""


@dataclass(slots=True)
class _Work:
    """One try at one source: who it is for and how far it is."""

    source: Source
    max_pages: int
    now: tuple[str, int, int] = ("", 0, 0)
    shown: tuple[str, int, int] = ("", 0, 0)

    def trying(self, extractor: str) -> None:
        """Take in which extractor is at work; the heartbeat shows it."""
        self.now = (extractor, 0, self.now[2])

    def progress(self, done: int, total: int) -> None:
        """Take the extractor's numbers in; the heartbeat shows them."""
        self.now = (self.now[0], done, total)


@dataclass(frozen=True, slots=True)
class IngestSource:
    """Read one source from its bytes to searchable chunks, under a lease of its row.

    Attributes:
        cascades: What is tried on each kind.
        count_tokens: The local embedder's own counting; None: the chunker's vocabulary.
    """

    transactions: Transactions
    fetch: FetchOriginal
    inspect: FileInspector
    cascades: Mapping[SourceKind, Cascade]
    runner: ChildRunner
    show: ShowBurst
    terms: LeaseTerms
    backoff: Backoff
    clock: Callable[[], datetime]
    count_tokens: Callable[[str], int] | None = None

    async def __call__(self, notebook_id: NotebookId, source_id: SourceId) -> float | None:
        """Read it, or find that there is nothing to do (gone, done, or another worker's).

        Returns:
            Seconds after which it should be tried again; None when it has ended or is another's.
        """
        work = await self._take(notebook_id, source_id)
        if work is None:
            return None
        try:
            return await self._try(work)
        except LeaseLost:
            return None
        except asyncio.CancelledError:  # this worker is told to end: another one need not wait for the lease to run out
            await self._let_go(work.source)
            raise

    async def give_up(self, notebook_id: NotebookId, source_id: SourceId) -> None:
        """End a source whose reading broke in a way nobody foresaw, unless it is another worker's by now."""
        async with self.transactions() as tx:
            source = await self._lease(tx, notebook_id, source_id)
            if source is not None and not source.state.ended:
                await self._end(tx, source, Reason("source-broke", {}))
            elif source is not None:
                await tx.sources.release(notebook_id, source_id, self.terms.owner)

    async def _try(self, work: _Work) -> float | None:
        try:
            async with hold(lambda: self._beat(work), self.terms):
                reading = await self._read(work)
                document, chunks, language = await asyncio.to_thread(self._prepare, reading)
            await self._save(work, reading, document, chunks, language)
        except TransientError as error:
            return await self._postpone(work.source, error)
        except (UserError, PermanentError) as error:
            await self._fail(work.source, error)
        return None

    async def _take(self, notebook_id: NotebookId, source_id: SourceId) -> _Work | None:
        async with self.transactions() as tx:
            source = await self._lease(tx, notebook_id, source_id)
            if source is None:
                return None
            if source.state.ended:  # read before; a repeat of the job has only vectors to ask for
                await tx.sources.release(notebook_id, source_id, self.terms.owner)
                tx.publish(EmbedSource(notebook_id, source_id))
                return None
            if self.backoff(source.tries - 1) is None:  # it killed its worker every time
                await self._end(tx, source, Reason("source-broke", {}))
                return None
            # the account before the message: whoever adds to the burst now holds the one and waits for the other
            name = await tx.ledger.lock(source.added_by) if source.added_by else PlanName.FREE
            source = replace(source, state=SourceState.READING)
            await tx.sources.update(notebook_id, source_id, SourceUpdate(state=SourceState.READING, stage=Stage.FETCH))
            await self.show(tx, source)
            return _Work(source, PLANS[name].max_pages)

    async def _lease(self, tx: Transaction, notebook_id: NotebookId, source_id: SourceId) -> Source | None:
        return await tx.sources.lease(
            notebook_id, source_id, self.terms.owner, now=self.clock(), seconds=self.terms.seconds
        )

    async def _read(self, work: _Work) -> Reading:
        source = work.source
        if source.kind is SourceKind.TEXT:
            return Reading(Document(source.upload.text), AS_IT_CAME, ())
        path = await self.fetch(source)
        seen = await self.inspect(
            str(path), source.upload.file_name, source.upload.media_type, max_pages=work.max_pages
        )
        kind = seen.kind
        work.now = ("", 0, seen.pages)
        await self._enter(source, SourceUpdate(stage=Stage.EXTRACT, kind=kind, progress_total=seen.pages))
        request = ExtractionRequest(
            str(path), kind, source.upload.file_name, source.upload.media_type, max_pages=work.max_pages
        )
        reading = await read(
            self.cascades[kind], request, runner=self.runner, progress=work.progress, trying=work.trying
        )
        if reading.document is None:
            await self._enter(source, SourceUpdate(attempts=reading.attempts))
            reason = reading.reason or Reason("source-unreadable", {})
            raise UserError(reason.text_key, reason.values)
        return reading

    def _prepare(self, reading: Reading) -> tuple[Document, list[ChunkDraft], str]:
        """Clean and cut; runs in a thread since a long book takes seconds."""
        assert reading.document is not None
        document = clean(reading.document)
        chunks = cut(document, count_tokens=self.count_tokens)
        if not chunks:
            raise UserError("source-empty")
        return document, chunks, detect_language(document.text)

    async def _save(
        self, work: _Work, reading: Reading, document: Document, chunks: list[ChunkDraft], language: str
    ) -> None:
        source = work.source
        missing = document.missing_pages
        state = SourceState.PARTIAL if missing else SourceState.READY
        read_pages = document.page_count - len(missing)
        values: dict[str, str | int] = {"read": read_pages, "total": document.page_count}
        async with self.transactions() as tx:
            await self._keep(tx, source)
            await tx.texts.save(source.notebook_id, source.id, document, chunks, language)
            await tx.sources.update(
                source.notebook_id,
                source.id,
                SourceUpdate(
                    state=state,
                    stage=Stage.EMBED,
                    title=source.title or document.title,
                    reason=Reason("source-partial", values) if missing else None,
                    language=language,
                    extractor=reading.extractor,
                    attempts=reading.attempts,
                    pages=document.page_count,
                    missing_pages=missing,
                    characters=len(document.text),
                    chunk_count=len(chunks),
                    progress_done=0,
                    progress_total=len(chunks),
                    tries=0,
                ),
            )
            await tx.sources.release(source.notebook_id, source.id, self.terms.owner)
            await self.show(tx, source)
            tx.publish(EmbedSource(source.notebook_id, source.id))

    async def _beat(self, work: _Work) -> bool:
        """Keep the lease and show how far the reading is."""
        source = work.source
        async with self.transactions() as tx:
            await self._keep(tx, source)
            if work.now != work.shown:
                work.shown = extractor, done, total = work.now
                change = SourceUpdate(extractor=extractor, progress_done=done, progress_total=total)
                await tx.sources.update(source.notebook_id, source.id, change)
                await self.show(tx, source)
        return True

    async def _enter(self, source: Source, change: SourceUpdate) -> None:
        async with self.transactions() as tx:
            await self._keep(tx, source)
            await tx.sources.update(source.notebook_id, source.id, change)
            await self.show(tx, source)

    async def _keep(self, tx: Transaction, source: Source) -> None:
        """Prolong the lease before the row is changed: what was lost is another worker's to write.

        Raises:
            LeaseLost: It is not ours any more; nothing of this transaction may stay.
        """
        until = self.terms.until(self.clock())
        if not await tx.sources.renew(source.notebook_id, source.id, self.terms.owner, until=until):
            raise LeaseLost

    async def _postpone(self, source: Source, error: TransientError) -> float | None:
        delay = self.backoff(source.tries)
        if delay is None:
            await self._fail(source, error)
            return None
        async with self.transactions() as tx:
            await self._keep(tx, source)
            retry_at = self.clock() + timedelta(seconds=delay)
            await tx.sources.release(source.notebook_id, source.id, self.terms.owner, retry_at=retry_at)
            await tx.sources.update(source.notebook_id, source.id, SourceUpdate(state=SourceState.QUEUED))
            await self.show(tx, source)
        return delay

    async def _fail(self, source: Source, error: KonspektError) -> None:
        async with self.transactions() as tx:
            await self._keep(tx, source)
            await self._end(tx, source, Reason(error.text_key, error.values))

    async def _let_go(self, source: Source) -> None:
        async with self.transactions() as tx:
            await tx.sources.release(source.notebook_id, source.id, self.terms.owner)

    async def _end(self, tx: Transaction, source: Source, reason: Reason) -> None:
        change = SourceUpdate(state=SourceState.FAILED, stage=Stage.DONE, reason=reason)
        await tx.sources.update(source.notebook_id, source.id, change)
        await tx.sources.release(source.notebook_id, source.id, self.terms.owner)
        await self.show(tx, source)
