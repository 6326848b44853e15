"""A container gives way to the sources it holds: an archive to its documents, a playlist to its videos."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import UserError
from core.ingest.fetch_original import measure
from core.ingest.read_source import Found
from core.jobs import IngestSource
from core.library.kinds import HEAVY
from core.library.links import parse_link
from core.model.plan import Plan
from core.model.source import Source, SourceKind, SourceState, Stage, Upload
from core.ports import BlobStore, ContainerOpener, Member, NewSource, Opened, SourceUpdate, Transaction, Transactions

MOST_MEMBERS = 100
"""Of one container, whatever the plan: more is a library, not a message."""


@dataclass(frozen=True, slots=True)
class ExpandSource:
    """Record what a container holds as sources of its burst, in its place."""

    transactions: Transactions
    blobs: BlobStore
    openers: Mapping[SourceKind, ContainerOpener]

    async def __call__(self, found: Found, plan: Plan) -> Contents:
        """Open it and put its files into the blob store; nothing is recorded yet.

        Raises:
            UserError: Empty, damaged, or no room in the notebook.
            TransientError: The network.
        """
        room = await self._room(found.source, plan)
        with tempfile.TemporaryDirectory(prefix="konspekt-") as folder:
            opened = await self.openers[found.source.kind].open(found.request, Path(folder), limit=room)
            if not opened.members:
                raise UserError("source-container-empty", {"name": found.source.title})
            news = [await self._keep(found.source, n, member) for n, member in enumerate(opened.members, start=1)]
        return Contents(news, opened)

    async def _room(self, source: Source, plan: Plan) -> int:
        async with self.transactions() as tx:
            notebook = await tx.notebooks.get(source.notebook_id)
        room = plan.max_sources - (notebook.source_count - 1 if notebook else 0)  # the container itself makes room
        if room < 1:
            raise UserError("source-too-many", {"limit": plan.max_sources})
        return min(room, MOST_MEMBERS)

    async def _keep(self, source: Source, number: int, member: Member) -> NewSource:
        """Make a source of a member, with its bytes in the blob store."""
        new = NewSource(
            notebook_id=source.notebook_id,
            kind=member.kind,
            title=member.title,
            upload=Upload(file_name=member.title, caption=source.upload.caption),
            origin=source.origin,
            added_by=source.added_by,
            burst_id=source.burst_id,
        )
        if member.url:
            canonical = parse_link(member.url).canonical
            return replace(new, upload=replace(new.upload, file_name="", url=member.url), canonical_url=canonical)
        path = Path(member.path)
        key = f"{source.notebook_id}/{source.id}.{source.version}.{number}"
        await self.blobs.put_file(key, path)
        size_bytes, digest = await asyncio.to_thread(measure, path)
        upload = replace(new.upload, size_bytes=size_bytes)
        return replace(new, upload=upload, original_key=key, content_hash=digest)


@dataclass(frozen=True, slots=True)
class Contents:
    """What a container holds, ready to be recorded."""

    news: Sequence[NewSource]
    opened: Opened

    async def record(self, tx: Transaction, source: Source) -> list[str]:
        """Put the members in the container's place; of one that lost some, its row stays and says which.

        Call it with the container's lease kept.

        Returns:
            Keys of the blob store that nothing needs any more.
        """
        idle = [source.original_key] if source.original_key and not self.opened.lost else []
        for new in self.news:
            if await tx.sources.duplicate(new) is not None:
                idle.append(new.original_key)
                continue
            member = await tx.sources.add(new)
            tx.publish(IngestSource(member.notebook_id, member.id, heavy=member.kind in HEAVY))
        if self.opened.lost:
            change = SourceUpdate(state=SourceState.FAILED, stage=Stage.DONE, reason=self.opened.lost[0])
            await tx.sources.update(source.notebook_id, source.id, change)
        else:
            await tx.sources.delete(source.notebook_id, source.id)
        return [key for key in idle if key]
