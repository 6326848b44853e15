"""Repositories of sources and of the bursts they came in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.model.ids import (
    BurstId,
    ChatId,
    NotebookId,
    PersonId,
    ReplyTo,
    SourceId,
)
from core.model.source import About, Attempt, Origin, Reason, Source, SourceKind, SourceState, Stage, Upload


@dataclass(frozen=True, slots=True)
class NewSource:
    """A source about to be recorded."""

    notebook_id: NotebookId
    kind: SourceKind
    title: str
    upload: Upload
    origin: Origin
    added_by: PersonId | None
    burst_id: BurstId | None
    content_hash: str = ""
    external_id: str = ""
    canonical_url: str = ""
    original_key: str = ""


@dataclass(frozen=True, slots=True)
class SourceUpdate:
    """Fields of a source to change; None leaves a field as it is."""

    kind: SourceKind | None = None
    version: int | None = None
    state: SourceState | None = None
    stage: Stage | None = None
    title: str | None = None
    progress_done: int | None = None
    progress_total: int | None = None
    reason: Reason | None = None
    clear_reason: bool | None = None
    """There is nothing to say any more."""
    content_hash: str | None = None
    original_key: str | None = None
    language: str | None = None
    extractor: str | None = None
    attempts: tuple[Attempt, ...] | None = None
    pages: int | None = None
    missing_pages: tuple[int, ...] | None = None
    characters: int | None = None
    chunk_count: int | None = None
    muted: bool | None = None
    tries: int | None = None
    upload: Upload | None = None
    about: About | None = None
    canonical_url: str | None = None
    burst_id: BurstId | None = None


class Sources(Protocol):
    """Source rows; every call names the notebook, so none can reach into another."""

    async def add(self, new: NewSource) -> Source:
        """Record a source as queued."""
        ...

    async def get(self, notebook_id: NotebookId, source_id: SourceId) -> Source | None:
        """Find one source."""
        ...

    async def of_notebook(self, notebook_id: NotebookId) -> list[Source]:
        """List a notebook's sources, oldest first."""
        ...

    async def of_burst(self, burst_id: BurstId) -> list[Source]:
        """List a burst's sources, in the order they came."""
        ...

    async def lock_burst(self, burst_id: BurstId) -> list[Source]:
        """List a burst's sources like `of_burst`, and keep them as they are until the transaction ends."""
        ...

    async def album(self, burst_id: BurstId, album: str, *, now: datetime) -> Source | None:
        """Find a burst's source of an album that nobody has begun to read, and keep it so until the end."""
        ...

    async def duplicate(self, new: NewSource, *, besides: SourceId | None = None) -> Source | None:
        """Find another source of the notebook, not failed, with the same content hash, file, link or external id.

        A photo counts as held when it is one of an album's.
        """
        ...

    async def update(self, notebook_id: NotebookId, source_id: SourceId, change: SourceUpdate) -> Source | None:
        """Change a source; None when it is gone (deleted while it was read)."""
        ...

    async def lease(
        self, notebook_id: NotebookId, source_id: SourceId, owner: str, *, now: datetime, seconds: float
    ) -> Source | None:
        """Take the right to work on a source and count the try; None when another holds it, it is gone or ended."""
        ...

    async def renew(self, notebook_id: NotebookId, source_id: SourceId, owner: str, *, until: datetime) -> bool:
        """Keep the right; False when it was lost: the work must stop without saving."""
        ...

    async def release(
        self, notebook_id: NotebookId, source_id: SourceId, owner: str, *, retry_at: datetime | None = None
    ) -> None:
        """Give the right back, optionally not to be taken before a time."""
        ...

    async def unfinished(self, *, now: datetime, limit: int) -> list[Source]:
        """List sources whose reading or embedding waits and that nobody holds (for the sweep)."""
        ...

    async def requeue(self, notebook_id: NotebookId, source_id: SourceId) -> Source | None:
        """Let a source be read from its beginning, as if it had not been tried; None when it is gone.

        One that answers goes on answering from its old text; of a link nothing that was fetched counts any more.
        """
        ...

    async def move(self, notebook_id: NotebookId, source_ids: Iterable[SourceId], target: NotebookId) -> list[Source]:
        """Move sources with all that was made of them; whoever worked on one of them has lost it."""
        ...

    async def delete(self, notebook_id: NotebookId, source_id: SourceId) -> bool:
        """Delete a source with its text, chunks, postings, vectors and insights; False when it is not there."""
        ...

    async def standing(self, notebook_id: NotebookId, source_ids: Iterable[SourceId]) -> set[SourceId]:
        """Say which of these sources exist, and keep them from being deleted until the transaction ends."""
        ...

    async def answerable(self, notebook_id: NotebookId) -> int:
        """Count sources that can be searched: ended well and not muted."""
        ...

    async def being_read(self, notebook_id: NotebookId) -> int:
        """Count sources that are still on their way to being searchable."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """Something that was sent and that the notebook had already."""

    title: str
    kind: SourceKind


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that was sent and not taken in; `kind` is None for what is no source at all (a sticker)."""

    title: str
    kind: SourceKind | None
    reason: Reason


@dataclass(frozen=True, slots=True)
class Remarks:
    """What a burst has to say besides its sources.

    Attributes:
        note: Words that came before what was sent.
        links: Addresses in longer texts, offered as sources.
    """

    note: str = ""
    known: tuple[Known, ...] = ()
    refused: tuple[Refused, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Burst:
    """A series of things sent together, with the place its one status message lives.

    Attributes:
        last_at: When the latest of them came.
        begun_at: Since when people wait for it: later than `created_at` when a part of it is read again; None when all
            of it has been read.
        removed: Sources that were taken back.
    """

    id: BurstId
    notebook_id: NotebookId
    chat_id: ChatId
    reply_to: ReplyTo
    created_at: datetime
    last_at: datetime
    begun_at: datetime | None = None
    remarks: Remarks = Remarks()
    removed: int = 0


class Bursts(Protocol):
    """Bursts of sources; what changes one happens behind the lock of its chat."""

    async def join(
        self, chat_id: ChatId, notebook_id: NotebookId, reply_to: ReplyTo, *, now: datetime, window_s: float
    ) -> Burst:
        """Find the chat's open burst for this notebook or open one; one that was taken back is not open."""
        ...

    async def get(self, burst_id: BurstId) -> Burst | None:
        """Find a burst."""
        ...

    async def remark(self, burst_id: BurstId, remarks: Remarks) -> None:
        """Add to what it has to say."""
        ...

    async def take_links(self, burst_id: BurstId) -> tuple[str, ...]:
        """Give the links that it offers, once."""
        ...

    async def begin_again(self, burst_id: BurstId, *, now: datetime) -> None:
        """Record that its people wait for it from now on."""
        ...

    async def end_wait(self, burst_id: BurstId) -> datetime | None:
        """Record that all of it has been read; say, once, since when its people waited."""
        ...

    async def take_back(self, burst_id: BurstId, removed: int) -> None:
        """Record that so many of its sources were taken back."""
        ...

    async def move(self, burst_id: BurstId, notebook_id: NotebookId) -> None:
        """Record that it belongs to another notebook."""
        ...
