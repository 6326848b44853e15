"""Files, the messenger, the queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.jobs import Job
from core.model.answer import Answer, Question
from core.model.ids import AnswerId, NotebookId, SourceId
from core.model.source import Source
from core.model.user import Chat
from core.ports.sources import Burst
from core.ports.transaction import Transaction


class RemoteFiles(Protocol):
    """Files that the messenger holds (TelegramFiles in `bot/files.py`)."""

    async def fetch(self, remote_file: str, target: Path) -> None:
        """Download a file to a path.

        Raises:
            UserError: Too large for the messenger, or no longer there.
            TransientError: The network.
        """
        ...


class BlobStore(Protocol):
    """Originals, by key."""

    async def put_file(self, key: str, path: Path) -> None:
        """Store a file under a key (a repeat replaces it)."""
        ...

    def path(self, key: str) -> Path:
        """Say where the bytes of a key are on this machine."""
        ...

    async def delete(self, keys: Iterable[str]) -> None:
        """Remove keys; unknown ones are fine."""
        ...


class Drafts(Protocol):
    """The live, unsaved sight of an answer while it is written."""

    async def show(self, text: str) -> None:
        """Show the text so far; may drop a frame; never raises."""
        ...

    async def close(self) -> None:
        """End it; the final message comes by the outbox."""
        ...


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question that a source answers: the `ordinal`-th (from 0) of its suggested ones."""

    notebook_id: NotebookId
    source_id: SourceId
    ordinal: int
    text: str


@dataclass(frozen=True, slots=True)
class BurstStatus:
    """What a burst's status message shows.

    Attributes:
        suggestions: A few questions to begin with, once nothing of the burst is being read any more.
        gist: A short summary of the burst's only readable source, "" without.
    """

    burst: Burst
    notebook_title: str
    sources: tuple[Source, ...]
    suggestions: tuple[Suggestion, ...] = ()
    gist: str = ""


class Notifier(Protocol):
    """Tells people, through the outbox of the transaction that made it true (bot/notifier.py)."""

    async def burst_changed(self, tx: Transaction, status: BurstStatus) -> None:
        """Bring a burst's one status message up to date."""
        ...

    async def answered(self, tx: Transaction, question: Question, answer_id: AnswerId, answer: Answer) -> None:
        """Send the answer or the refusal."""
        ...

    async def question_failed(
        self, tx: Transaction, question: Question, text_key: str, values: Mapping[str, str | int]
    ) -> None:
        """Say that a question could not be answered and why."""
        ...

    def drafts(self, question: Question, chat: Chat) -> Drafts:
        """Open the live sight of an answer."""
        ...


class JobQueue(Protocol):
    """Carries jobs to workers."""

    async def publish(self, jobs: Sequence[Job]) -> None:
        """Enqueue; equal keys that still wait are one. Raises TransientError when the queue is away."""
        ...

    async def republish(self, jobs: Sequence[Job]) -> None:
        """Enqueue jobs whose rows nobody holds, over the lock that a killed worker may have left."""
        ...


class FloodGate(Protocol):
    """The messenger's speed limits, shared by every process that sends."""

    async def wait_s(self, bot_id: int, chat: Chat, *, edit: bool) -> float:
        """Take a place: 0 when it may be sent now, otherwise the seconds until one is free (none is taken)."""
        ...

    async def block(self, bot_id: int, chat: Chat, seconds: float) -> None:
        """The messenger asked to wait (`retry_after`)."""
        ...
