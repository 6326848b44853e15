"""A person gives the notebook something to read."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime

from core.billing.plans import MEGABYTE, PLANS
from core.errors import UserError
from core.jobs import IngestSource
from core.library.access import WRITE, allowed_notebook
from core.library.kinds import HEAVY
from core.model.ids import ReplyTo
from core.model.notebook import Notebook
from core.model.plan import Plan, PlanName
from core.model.source import Origin, Source, SourceKind, Upload
from core.model.user import Caller
from core.ports import Burst, BurstStatus, NewSource, Notifier, Transaction, Transactions

BURST_WINDOW_S = 3.0
"""Things that follow each other this closely are one burst: an album arrives within a second, a series of forwards
within two."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """One thing to be kept.

    Attributes:
        external_id: The importer's own id, for measuring.
        content_hash: SHA-256 of its bytes in hexadecimal, where they are at hand: a duplicate is then known before
            anything is recorded. Words are hashed here; a messenger's file when it has been fetched.
    """

    kind: SourceKind
    title: str
    upload: Upload
    origin: Origin = field(default_factory=Origin)
    external_id: str = ""
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of it: the source, and whether the notebook already had it."""

    source: Source
    duplicate: bool


@dataclass(frozen=True, slots=True)
class AddSource:
    """Record a source, show it in its burst's one status message, and send it to be read.

    Attributes:
        file_limit_bytes: What the messenger can hand over (20 MB by the public Bot API); None: no limit of its own.
    """

    transactions: Transactions
    notifier: Notifier
    file_limit_bytes: int | None

    async def __call__(self, caller: Caller, incoming: Incoming, reply_to: ReplyTo, *, now: datetime) -> Added:
        """Return the recorded source, or the equal one that was there.

        Args:
            reply_to: Where the burst's status message goes; empty: nobody waits for one, and there is no burst.

        Raises:
            UserError: Too large, too many sources, or no right to add here; nothing was recorded.
        """
        async with self.transactions() as tx:
            notebook = await allowed_notebook(tx, caller, caller.notebook_id, WRITE)
            await tx.people.lock_chat(caller.chat.id)
            burst = await self._burst(tx, caller, reply_to, now)
            new = self._new(caller, incoming, burst)
            known = await tx.sources.duplicate(new)
            if known is not None:
                return Added(known, duplicate=True)
            await self._check_limits(tx, caller, notebook, incoming)
            source = await tx.sources.add(new)
            if burst is not None:
                await self._announce(tx, notebook, burst)
            tx.publish(IngestSource(notebook.id, source.id, heavy=source.kind in HEAVY))
            return Added(source, duplicate=False)

    async def _burst(self, tx: Transaction, caller: Caller, reply_to: ReplyTo, now: datetime) -> Burst | None:
        if not reply_to:
            return None
        return await tx.bursts.join(caller.chat.id, caller.notebook_id, reply_to, now=now, window_s=BURST_WINDOW_S)

    def _new(self, caller: Caller, incoming: Incoming, burst: Burst | None) -> NewSource:
        return NewSource(
            notebook_id=caller.notebook_id,
            kind=incoming.kind,
            title=incoming.title,
            upload=incoming.upload,
            origin=incoming.origin,
            added_by=caller.person.id if caller.person else None,
            burst_id=burst.id if burst else None,
            content_hash=incoming.content_hash or _hash(incoming.upload.text),
            external_id=incoming.external_id,
        )

    async def _check_limits(self, tx: Transaction, caller: Caller, notebook: Notebook, incoming: Incoming) -> None:
        plan = await self._plan(tx, caller)
        if notebook.source_count >= plan.max_sources:
            raise UserError("source-too-many", {"limit": plan.max_sources})
        limit = min(plan.max_file_bytes, self.file_limit_bytes or plan.max_file_bytes)
        if incoming.upload.remote_file and incoming.upload.size_bytes > limit:
            raise UserError("source-too-large", {"limit_mb": limit // MEGABYTE, "name": incoming.title})

    async def _plan(self, tx: Transaction, caller: Caller) -> Plan:
        name = await tx.ledger.lock(caller.person.id) if caller.person else PlanName.FREE
        return PLANS[name]

    async def _announce(self, tx: Transaction, notebook: Notebook, burst: Burst) -> None:
        members = tuple(await tx.sources.of_burst(burst.id))
        await self.notifier.burst_changed(tx, BurstStatus(burst, notebook.title, members))


def _hash(words: str) -> str:
    """Hash words as their file in UTF-8 would be; half a character, which no file can hold, counts as it is."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest() if words else ""
