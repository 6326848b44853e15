"""A person gives the notebook something to read."""

import hashlib
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.billing.plans import MEGABYTE, PLANS
from core.errors import UserError
from core.jobs import IngestSource
from core.library.access import WRITE, allowed_notebook
from core.library.burst_status import tell_burst
from core.library.kinds import HEAVY
from core.model.ids import ReplyTo
from core.model.plan import Plan, PlanName
from core.model.source import Origin, Source, SourceKind, Upload
from core.model.user import Caller
from core.ports import Burst, NewSource, Notifier, SourceUpdate, Transaction, Transactions

BURST_WINDOW_S = 3.0
"""Things that follow each other this closely are one burst: an album arrives within a second, a series of forwards
within two."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """One thing to be kept.

    Attributes:
        title: "" for what has no name yet (a photo, a link).
        external_id: The importer's own id, for measuring.
        content_hash: SHA-256 of its bytes in hexadecimal, where they are at hand: a duplicate is then known before
            anything is recorded. Words are hashed here; a messenger's file when it has been fetched.
        canonical_url: The one address of what a link leads to.
    """

    kind: SourceKind
    title: str
    upload: Upload
    origin: Origin = field(default_factory=Origin)
    external_id: str = ""
    content_hash: str = ""
    canonical_url: str = ""


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
            await allowed_notebook(tx, caller, caller.notebook_id, WRITE)
            await tx.people.lock_chat(caller.chat.id)
            burst = await join_burst(tx, caller, reply_to, now=now) if reply_to else None
            added = await self.record(tx, caller, incoming, burst, now=now)
            if burst is not None and not added.duplicate:
                await tell_burst(tx, self.notifier, burst.id)
            return added

    async def record(
        self, tx: Transaction, caller: Caller, incoming: Incoming, burst: Burst | None, *, now: datetime
    ) -> Added:
        """Record one thing within a transaction that holds the chat; a photo joins its album.

        Raises:
            UserError: Too large or too many sources; nothing was recorded.
        """
        new = _new(caller, incoming, burst)
        known = await tx.sources.duplicate(new)
        if known is not None:
            return Added(known, duplicate=True)
        await self._check_size(tx, caller, incoming)
        album = await _join_album(tx, new, now=now)
        if album is not None:
            return Added(album, duplicate=False)
        await self._check_count(tx, caller)
        source = await tx.sources.add(new)
        tx.publish(IngestSource(source.notebook_id, source.id, heavy=source.kind in HEAVY))
        return Added(source, duplicate=False)

    async def _check_size(self, tx: Transaction, caller: Caller, incoming: Incoming) -> None:
        plan = await plan_of(tx, caller)
        upload = incoming.upload
        limit = min(plan.max_file_bytes, self.file_limit_bytes or plan.max_file_bytes)
        held_elsewhere = bool(upload.remote_file or upload.parts)
        size = upload.size_bytes + sum(part.size_bytes for part in upload.parts)
        if held_elsewhere and size > limit:
            raise UserError("source-too-large", {"limit_mb": limit // MEGABYTE, "name": incoming.title})

    async def _check_count(self, tx: Transaction, caller: Caller) -> None:
        plan = await plan_of(tx, caller)
        notebook = await tx.notebooks.get(caller.notebook_id)
        if notebook is not None and notebook.source_count >= plan.max_sources:
            raise UserError("source-too-many", {"limit": plan.max_sources})


async def join_burst(tx: Transaction, caller: Caller, reply_to: ReplyTo, *, now: datetime) -> Burst:
    """Find the caller's open burst or open one; call with the chat locked."""
    return await tx.bursts.join(caller.chat.id, caller.notebook_id, reply_to, now=now, window_s=BURST_WINDOW_S)


async def plan_of(tx: Transaction, caller: Caller) -> Plan:
    """Give the plan whose limits hold for what a caller adds; the account stays locked."""
    name = await tx.ledger.lock(caller.person.id) if caller.person else PlanName.FREE
    return PLANS[name]


async def _join_album(tx: Transaction, new: NewSource, *, now: datetime) -> Source | None:
    """Put a photo to those of its album, in the messenger's order, unless they are being read already."""
    if new.kind is not SourceKind.IMAGE or not new.upload.album or new.burst_id is None:
        return None
    album = await tx.sources.album(new.burst_id, new.upload.album, now=now)
    if album is None:
        return None
    parts = tuple(sorted((*album.upload.parts, *new.upload.parts), key=lambda part: part.place))
    change = SourceUpdate(upload=replace(album.upload, parts=parts))
    return await tx.sources.update(album.notebook_id, album.id, change)


def _new(caller: Caller, incoming: Incoming, burst: Burst | None) -> NewSource:
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
        canonical_url=incoming.canonical_url,
    )


def _hash(words: str) -> str:
    """Hash words as their file in UTF-8 would be; half a character, which no file can hold, counts as it is."""
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest() if words else ""
