"""A source is read: fetch, extract, clean, chunk, index. Then it answers keyword questions; vectors follow."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.billing.plans import PLANS
from core.errors import KonspektError, PermanentError, RateLimited, TransientError, UserError
from core.ingest.expand_source import Contents, ExpandSource
from core.ingest.read_source import ReadSource
from core.ingest.save_text import Prepared, SaveText
from core.ingest.status import ShowBurst
from core.jobs import EmbedSource
from core.jobs import IngestSource as IngestJob
from core.library.kinds import HEAVY
from core.library.lease import Backoff, LeaseLost, LeaseTerms, hold
from core.model.ids import NotebookId, SourceId
from core.model.plan import Plan, PlanName
from core.model.source import Reason, Source, SourceState, Stage
from core.ports import BlobStore, SourceUpdate, Transaction, Transactions

ALBUM_SETTLES_S = 1.5
"""After the latest of a burst came: the photos of an album arrive one by one within a second."""


TO_READ = (Stage.FETCH, Stage.EXTRACT)
"""Stages before there is a new text; a source that answers may be in them while it is read anew."""


@dataclass(slots=True)
class _Work:
    """One try at one source: who it is for and how far it is."""

    source: Source
    plan: Plan
    language: str
    now: tuple[str, int, int] = ("", 0, 0)
    shown: tuple[str, int, int] = ("", 0, 0)

    def trying(self, extractor: str) -> None:
        """Take in which extractor is at work; the heartbeat shows it."""
        self.now = (extractor, 0, self.now[2])

    def progress(self, done: int, total: int) -> None:
        """Take the extractor's numbers in; the heartbeat shows them."""
        self.now = (self.now[0], done, total)


class _TooHeavy(Exception):
    """A link led to something that has to wait its turn behind other heavy work."""


@dataclass(frozen=True, slots=True)
class IngestSource:
    """Read one source from its bytes to searchable chunks, under a lease of its row.

    A link that is read anew keeps answering from its old text until the new one is there.
    """

    transactions: Transactions
    blobs: BlobStore
    read: ReadSource
    expand: ExpandSource
    save: SaveText
    show: ShowBurst
    terms: LeaseTerms
    backoff: Backoff
    clock: Callable[[], datetime]

    async def __call__(self, notebook_id: NotebookId, source_id: SourceId) -> float | None:
        """Read it, or find that there is nothing to do (gone, done, or another worker's).

        Returns:
            Seconds after which it should be tried again; None when it has ended or is another's.
        """
        work = await self._take(notebook_id, source_id)
        if not isinstance(work, _Work):
            return work
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
            if source is not None and (not source.state.ended or source.stage in TO_READ):
                await self._end(tx, source, Reason("source-broke", {}))
            elif source is not None:
                await tx.sources.release(notebook_id, source_id, self.terms.owner)

    async def _try(self, work: _Work) -> float | None:
        try:
            async with hold(lambda: self._beat(work), self.terms):
                made = await self._make(work)
            await self._keep_made(work, made)
        except _TooHeavy:
            await self._hand_over(work.source)
        except TransientError as error:
            return await self._postpone(work.source, error)
        except (UserError, PermanentError) as error:
            await self._fail(work.source, error)
        return None

    async def _take(self, notebook_id: NotebookId, source_id: SourceId) -> _Work | float | None:
        """Take a source to be read; the seconds until an album is complete; or None."""
        async with self.transactions() as tx:
            seen = await tx.sources.get(notebook_id, source_id)
            if seen is None:
                return None
            if settles_in := await self._settles_in(tx, seen):
                return settles_in
            # the account before the source and the message: adding to the burst and taking it back go this way too
            name = await tx.ledger.lock(seen.added_by) if seen.added_by else PlanName.FREE
            source = await self._lease(tx, notebook_id, source_id)
            if source is None:
                return None
            if source.state.ended and source.stage not in TO_READ:
                # read before; a repeat of the job has only vectors to ask for
                await tx.sources.release(notebook_id, source_id, self.terms.owner)
                tx.publish(EmbedSource(notebook_id, source_id))
                return None
            if self.backoff(source.tries - 1) is None:  # it killed its worker every time
                await self._end(tx, source, Reason("source-broke", {}))
                return None
            if not source.state.answers:
                source = replace(source, state=SourceState.READING)
            await tx.sources.update(notebook_id, source_id, SourceUpdate(state=source.state, stage=Stage.FETCH))
            await self.show(tx, source)
            notebook = await tx.notebooks.get(notebook_id)
            return _Work(source, PLANS[name], notebook.language if notebook else "")

    async def _settles_in(self, tx: Transaction, source: Source) -> float | None:
        """Say how long an album's next photo may still be on its way; None when it is complete or no album."""
        if not source.upload.parts or source.burst_id is None or source.state.ended:
            return None
        burst = await tx.bursts.get(source.burst_id)
        waits = ALBUM_SETTLES_S - (self.clock() - burst.last_at).total_seconds() if burst else 0.0
        return waits if waits > 0 else None

    async def _lease(self, tx: Transaction, notebook_id: NotebookId, source_id: SourceId) -> Source | None:
        return await tx.sources.lease(
            notebook_id, source_id, self.terms.owner, now=self.clock(), seconds=self.terms.seconds
        )

    async def _make(self, work: _Work) -> Prepared | Contents:
        """Do what takes time: fetch, look, read, cut."""
        source = work.source

        async def enter(change: SourceUpdate) -> None:
            work.now = ("", 0, change.progress_total or 0)
            await self._enter(source, change)

        found = await self.read.look(source, work.plan, work.language, enter)
        was_light, work.source = source.kind not in HEAVY, found.source
        if found.source.kind.is_container:
            return await self.expand(found, work.plan)
        if was_light and found.source.kind in HEAVY:
            raise _TooHeavy
        reading = await self.read(found, work.progress, work.trying, enter)
        return await asyncio.to_thread(self.save.prepare, found.source, reading)

    async def _keep_made(self, work: _Work, made: Prepared | Contents) -> None:
        source = work.source
        async with self.transactions() as tx:
            await self._keep(tx, source)
            if isinstance(made, Contents):
                idle = await made.record(tx, source)
                tx.after_commit(lambda: self.blobs.delete(idle))
            else:
                await self.save(tx, source, made)
                await tx.sources.release(source.notebook_id, source.id, self.terms.owner)
                tx.publish(EmbedSource(source.notebook_id, source.id))
            await self.show(tx, source)

    async def _hand_over(self, source: Source) -> None:
        """Let the workers of heavy files read it; what was fetched stays."""
        async with self.transactions() as tx:
            await self._keep(tx, source)
            await tx.sources.release(source.notebook_id, source.id, self.terms.owner)
            await tx.sources.update(source.notebook_id, source.id, SourceUpdate(tries=0))
            tx.publish(IngestJob(source.notebook_id, source.id, heavy=True))

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
        if isinstance(error, RateLimited):  # to ask before would only use a try up
            delay = max(delay, error.retry_after_s)
        async with self.transactions() as tx:
            await self._keep(tx, source)
            retry_at = self.clock() + timedelta(seconds=delay)
            await tx.sources.release(source.notebook_id, source.id, self.terms.owner, retry_at=retry_at)
            if not source.state.answers:
                change = SourceUpdate(state=SourceState.QUEUED, reason=Reason(error.text_key, error.values))
                await tx.sources.update(source.notebook_id, source.id, change)
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
        """End it with a reason; what was to be read anew goes on answering from its old text."""
        state = source.state if source.state.answers else SourceState.FAILED
        change = SourceUpdate(state=state, stage=Stage.DONE, reason=reason)
        await tx.sources.update(source.notebook_id, source.id, change)
        await tx.sources.release(source.notebook_id, source.id, self.terms.owner)
        await self.show(tx, source)
