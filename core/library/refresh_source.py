"""A source is read again: a link as it is today, a failed one once what failed may work."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from core.errors import UserError
from core.jobs import IngestSource
from core.library.access import WRITE, allowed_notebook
from core.library.burst_status import burst_of, is_callers, tell_burst
from core.library.kinds import HEAVY
from core.library.manage_sources import own_source
from core.model.ids import BurstId, NotebookId, SourceId
from core.model.source import Source, SourceState, Stage
from core.model.user import Caller
from core.ports import Notifier, Transaction, Transactions

HEALED_BY_TIME = (
    "-away",
    "-barred",
    "-blocked",
    "-busy",
    "-captcha",
    "-dropped",
    "-later",
    "-no-process",
    "-no-space",
    "-rate-limited",
    "-refused",
    "-timeout",
    "-unavailable",
    "-unreachable",
)
"""Endings of the text keys of reasons that may be gone by tomorrow; of others the person has to change something."""


def may_retry(source: Source) -> bool:
    """Tell whether a failed source may succeed as it is."""
    failed = source.state is SourceState.FAILED and source.reason is not None
    return failed and source.reason is not None and source.reason.text_key.endswith(HEALED_BY_TIME)


def is_read(source: Source) -> bool:
    """Tell whether the reading of a source is over; vectors and insights may still follow."""
    return source.stage in (Stage.EMBED, Stage.INSIGHTS, Stage.DONE)


def may_refresh(source: Source) -> bool:
    """Tell whether a source can be brought up to date: a link that was read and is not being read now."""
    return bool(source.upload.url) and source.state.answers and is_read(source)


@dataclass(frozen=True, slots=True)
class RefreshSource:
    """Read one source again: a link from its address, a failed one from its beginning.

    A link goes on answering from its old text until the new one is there.
    """

    transactions: Transactions
    notifier: Notifier

    async def __call__(self, caller: Caller, notebook_id: NotebookId, source_id: SourceId, *, now: datetime) -> Source:
        """Return it, queued.

        Raises:
            UserError: `source-gone`, `source-not-yours`, or `refresh-not-needed`: it is no link, or is being read.
        """
        async with self.transactions() as tx:
            source = await own_source(tx, caller, notebook_id, source_id)
            if not may_refresh(source) and source.state is not SourceState.FAILED:
                raise UserError("refresh-not-needed")
            (again,) = await _again(tx, [source], now=now)
            if again.burst_id is not None:
                await tell_burst(tx, self.notifier, again.burst_id)
            return again


@dataclass(frozen=True, slots=True)
class RetryBurst:
    """Read again what of a burst failed for a reason that time heals."""

    transactions: Transactions
    notifier: Notifier

    async def __call__(self, caller: Caller, burst_id: BurstId, *, now: datetime) -> int:
        """Return how many are read again.

        Raises:
            UserError: `burst-gone`, or no right to write there.
        """
        async with self.transactions() as tx:
            await tx.people.lock_chat(caller.chat.id)
            burst = await burst_of(tx, caller, burst_id)
            await allowed_notebook(tx, caller, burst.notebook_id, WRITE)
            held = await tx.sources.lock_burst(burst.id)
            again = await _again(tx, (one for one in held if may_retry(one) and is_callers(caller, one)), now=now)
            await tell_burst(tx, self.notifier, burst.id)
            return len(again)


async def _again(tx: Transaction, sources: Iterable[Source], *, now: datetime) -> list[Source]:
    """Send sources to be read from their beginning; their people wait from now on."""
    queued: list[Source] = []
    for source in sources:
        again = await tx.sources.requeue(source.notebook_id, source.id)
        if again is None:
            raise UserError("source-gone")
        tx.publish(IngestSource(again.notebook_id, again.id, heavy=again.kind in HEAVY))
        queued.append(again)
    for burst_id in {one.burst_id for one in queued if one.burst_id is not None}:
        await tx.bursts.begin_again(burst_id, now=now)
    return queued
