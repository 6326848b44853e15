"""Repositories: rows, and the transaction they live in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.jobs import Job
from core.model.answer import Answer, Citation, Question, QuestionState, Turn
from core.model.chunk import Chunk, ChunkDraft
from core.model.document import Document
from core.model.ids import (
    AnswerId,
    BurstId,
    ChatId,
    ChunkId,
    ModelId,
    NotebookId,
    PersonId,
    QuestionId,
    ReplyTo,
    SourceId,
)
from core.model.notebook import Notebook, Role
from core.model.plan import PlanName
from core.model.source import Attempt, Origin, Reason, Source, SourceKind, SourceState, Stage, Upload
from core.model.user import Chat, ChatKind, Person


class People(Protocol):
    """Persons and chats by our ids, and the one place where the messenger's ids are mapped."""

    async def person(self, bot_id: int, external_id: int, name: str, locale: str) -> Person:
        """Find or make a person; a locale once chosen wins over the one given, and "" keeps the known one."""
        ...

    async def find_person(self, bot_id: int, external_id: int) -> Person | None:
        """Find a person by the messenger's id, without making one."""
        ...

    async def get_person(self, person_id: PersonId) -> Person | None:
        """Find a person by our id."""
        ...

    async def set_plan(self, person_id: PersonId, plan: PlanName) -> None:
        """Put a person on a plan."""
        ...

    async def choose_locale(self, person_id: PersonId, locale: str) -> None:
        """Remember the language a person chose."""
        ...

    async def chat(self, bot_id: int, external_id: int, kind: ChatKind, title: str) -> Chat:
        """Find or make a chat; it becomes reachable again."""
        ...

    async def get_chat(self, chat_id: ChatId) -> Chat | None:
        """Find a chat by our id."""
        ...

    async def lock_chat(self, chat_id: ChatId) -> None:
        """Hold the chat's row until the transaction ends: what needs order in a chat happens behind it."""
        ...

    async def rekey_chat(self, bot_id: int, old: int, new: int) -> bool:
        """Give a migrated chat its new outside id; False when it is unknown or already done."""
        ...

    async def set_reachable(self, chat_id: ChatId, reachable: bool) -> None:
        """Remember whether the chat still takes our messages."""
        ...

    async def expect_input(
        self, chat_id: ChatId, person_id: PersonId, kind: str, reference: int, *, until: datetime
    ) -> None:
        """Remember that a person's next words in a chat are meant for something (one thing at a time)."""
        ...

    async def take_input(self, chat_id: ChatId, person_id: PersonId, *, now: datetime) -> tuple[str, int] | None:
        """Say what the words are meant for, once, and forget it."""
        ...

    async def active_notebook(self, chat_id: ChatId, thread_id: int) -> NotebookId | None:
        """Name the notebook a chat (or a forum topic; 0: none) talks to."""
        ...

    async def set_active_notebook(self, chat_id: ChatId, thread_id: int, notebook_id: NotebookId) -> None:
        """Point a chat or topic at a notebook."""
        ...


class Notebooks(Protocol):
    """Notebooks and their members."""

    async def add(self, title: str, language: str, owner_id: PersonId | None) -> Notebook:
        """Make a notebook; its owner becomes a member."""
        ...

    async def get(self, notebook_id: NotebookId) -> Notebook | None:
        """Find a notebook that is not deleted."""
        ...

    async def of_person(self, person_id: PersonId) -> list[Notebook]:
        """List a person's notebooks, oldest first, archived ones last."""
        ...

    async def by_title(self, person_id: PersonId, title: str) -> Notebook | None:
        """Find a person's own notebook by its exact title."""
        ...

    async def role(self, notebook_id: NotebookId, person_id: PersonId) -> Role | None:
        """Say what a person may do there; None: nothing."""
        ...

    async def set_role(self, notebook_id: NotebookId, person_id: PersonId, role: Role) -> None:
        """Make a person a member, or change their role."""
        ...

    async def remove_member(self, notebook_id: NotebookId, person_id: PersonId) -> None:
        """End a person's access."""
        ...

    async def rename(self, notebook_id: NotebookId, title: str) -> None:
        """Change its title."""
        ...

    async def archive(self, notebook_id: NotebookId, archived: bool) -> None:
        """Put it away or take it out again."""
        ...

    async def delete(self, notebook_id: NotebookId) -> None:
        """Delete it with everything in it."""
        ...


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


@dataclass(frozen=True, slots=True)
class SourceUpdate:
    """Fields of a source to change; None leaves a field as it is."""

    kind: SourceKind | None = None
    state: SourceState | None = None
    stage: Stage | None = None
    title: str | None = None
    progress_done: int | None = None
    progress_total: int | None = None
    reason: Reason | None = None
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

    async def duplicate(self, new: NewSource, *, besides: SourceId | None = None) -> Source | None:
        """Find another source of the notebook, not failed, with the same content hash, file or external id."""
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

    async def delete(self, notebook_id: NotebookId, source_id: SourceId) -> bool:
        """Delete a source with its text, chunks, postings, vectors and insights; False when it is not there."""
        ...

    async def answerable(self, notebook_id: NotebookId) -> int:
        """Count sources that can be searched: ended well and not muted."""
        ...

    async def being_read(self, notebook_id: NotebookId) -> int:
        """Count sources that are still on their way to being searchable."""
        ...


@dataclass(frozen=True, slots=True)
class Burst:
    """A series of things sent together, with the place its one status message lives."""

    id: BurstId
    notebook_id: NotebookId
    chat_id: ChatId
    reply_to: ReplyTo
    created_at: datetime


class Bursts(Protocol):
    """Bursts of sources."""

    async def join(
        self, chat_id: ChatId, notebook_id: NotebookId, reply_to: ReplyTo, *, now: datetime, window_s: float
    ) -> Burst:
        """Find the chat's open burst for this notebook or open one (call with the chat locked)."""
        ...

    async def get(self, burst_id: BurstId) -> Burst | None:
        """Find a burst."""
        ...


class Texts(Protocol):
    """A source's words and what is derived from them."""

    async def save(
        self,
        notebook_id: NotebookId,
        source_id: SourceId,
        document: Document,
        chunks: Sequence[ChunkDraft],
        language: str,
    ) -> None:
        """Store the clean text, its maps, its chunks and their postings (replacing what was there), by bulk copy."""
        ...

    async def document(self, notebook_id: NotebookId, source_id: SourceId) -> Document | None:
        """Load a source's clean text with its maps."""
        ...

    async def slice(self, notebook_id: NotebookId, source_id: SourceId, start: int, end: int) -> str:
        """Load a character range of a source's clean text, clipped to it."""
        ...

    async def chunks(self, notebook_id: NotebookId, chunk_ids: Sequence[ChunkId]) -> list[Chunk]:
        """Load chunks in the order of the ids given; unknown ones are left out."""
        ...

    async def of_source(self, notebook_id: NotebookId, source_id: SourceId) -> list[Chunk]:
        """Load all chunks of a source in document order."""
        ...

    async def neighbours(self, notebook_id: NotebookId, source_id: SourceId, ordinals: Sequence[int]) -> list[Chunk]:
        """Load a source's chunks by ordinal, in document order; unknown ones are left out."""
        ...


class Vectors(Protocol):
    """Vectors of chunks, side by side for several models."""

    async def model(self, name: str, dimensions: int) -> ModelId:
        """Find or register an embedding model."""
        ...

    async def missing(
        self, notebook_id: NotebookId, source_id: SourceId, model_id: ModelId, limit: int
    ) -> list[tuple[ChunkId, str]]:
        """List chunks without a vector of this model, in document order, with the text to embed."""
        ...

    async def cached(self, model_id: ModelId, texts: Sequence[str]) -> dict[str, list[float]]:
        """Find vectors of equal texts made before."""
        ...

    async def add(
        self,
        notebook_id: NotebookId,
        source_id: SourceId,
        model_id: ModelId,
        vectors: Mapping[ChunkId, Sequence[float]],
    ) -> None:
        """Store vectors (a repeat changes nothing) and remember them by the hash of their text."""
        ...


class Insights(Protocol):
    """Summaries and key points, searchable."""

    async def put(self, notebook_id: NotebookId, source_id: SourceId, kind: str, text: str, language: str) -> None:
        """Store one insight of a source, replacing the one of that kind."""
        ...

    async def of_sources(self, notebook_id: NotebookId, source_ids: Sequence[SourceId]) -> dict[SourceId, str]:
        """Load the summaries of sources, as one text each."""
        ...


class Questions(Protocol):
    """Questions, answers and citations as rows."""

    async def add(
        self,
        notebook_id: NotebookId,
        person_id: PersonId | None,
        reply_to: ReplyTo,
        text: str,
        locale: str,
        place: tuple[ChatId, int],
    ) -> Question:
        """Record a question as queued; `place` is the chat and thread of its conversation."""
        ...

    async def allow_model(self, question_id: QuestionId) -> None:
        """Record that prompts are reserved for it."""
        ...

    async def get(self, question_id: QuestionId) -> Question | None:
        """Find a question."""
        ...

    async def lease(self, question_id: QuestionId, owner: str, *, now: datetime, seconds: float) -> Question | None:
        """Take the right to answer and count the try; None when another holds it or it is ended."""
        ...

    async def renew(self, question_id: QuestionId, owner: str, *, until: datetime) -> bool:
        """Keep the right; False when it was lost or the person asked to stop."""
        ...

    async def release(self, question_id: QuestionId, owner: str, *, retry_at: datetime | None = None) -> None:
        """Give the right back."""
        ...

    async def cancel(self, question_id: QuestionId, person_id: PersonId | None) -> bool:
        """Ask for a stop; False when it is over or not this person's."""
        ...

    async def cancel_requested(self, question_id: QuestionId) -> bool:
        """Say whether its person asked for a stop."""
        ...

    async def end(self, question_id: QuestionId, state: QuestionState) -> bool:
        """End an open question, once, without an answer; False when it was ended before."""
        ...

    async def finish(self, question_id: QuestionId, state: QuestionState, answer: Answer) -> AnswerId | None:
        """End an open question, once, with its answer and citations; None when it was ended before."""
        ...

    async def history(self, chat_id: ChatId, thread_id: int, notebook_id: NotebookId, limit: int) -> list[Turn]:
        """Load the latest answered exchanges of a conversation, oldest first."""
        ...

    async def begin_conversation(self, chat_id: ChatId, thread_id: int) -> None:
        """Let the questions so far count no more for follow-ups."""
        ...

    async def citation(self, answer_id: AnswerId, n: int) -> tuple[NotebookId, Citation, bool] | None:
        """Load one citation with its notebook and whether its source (in that version) still exists."""
        ...

    async def citation_count(self, answer_id: AnswerId) -> int:
        """Count the citations of an answer."""
        ...

    async def unfinished(self, *, now: datetime, limit: int) -> list[QuestionId]:
        """List questions that wait and that nobody holds (for the sweep)."""
        ...


class Ledger(Protocol):
    """The one book of prompts; every quota decision goes through it."""

    async def lock(self, person_id: PersonId) -> PlanName:
        """Hold the account's row until the transaction ends, and say its plan."""
        ...

    async def used(self, person_id: PersonId, *, since: datetime | None) -> int:
        """Count prompts reserved or spent after a time (None: ever). Call with the account locked."""
        ...

    async def reserve(self, person_id: PersonId, kind: str, price: int, reference: str, *, now: datetime) -> None:
        """Take prompts for one request; a second call with the same reference changes nothing."""
        ...

    async def give_back(self, reference: str) -> None:
        """Return a reservation whose call failed; a spent one stays."""
        ...

    async def spend(self, reference: str) -> None:
        """Make a reservation final."""
        ...


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message that a chat shall show.

    Attributes:
        key: Equal key, same message: a later `put` with other content becomes an edit of it.
        payload: Content in the face's words (JSON); core does not look inside.
        priority: Lower is sooner among what is due.
    """

    key: str
    chat_id: ChatId
    payload: str
    priority: int = 5


@dataclass(frozen=True, slots=True)
class OutgoingClaim:
    """A message that this process now has to bring to its newest content."""

    id: int
    revision: int
    key: str
    chat: Chat
    bot_id: int
    payload: str
    message_ref: str
    tries: int


class Outbox(Protocol):
    """What must be shown, durably; the sender makes the messenger agree."""

    async def put(self, message: OutgoingMessage) -> None:
        """Add a message, or give the one with this key new content."""
        ...

    async def claim(self, *, now: datetime, limit: int, lease_s: float, owner: str) -> list[OutgoingClaim]:
        """Take messages that are due: at most one a chat, each chat in order, none that another holds."""
        ...

    async def shown(self, claim: OutgoingClaim, message_ref: str) -> None:
        """Record that this revision is on the screen."""
        ...

    async def postpone(self, claim: OutgoingClaim, *, until: datetime, failed: bool) -> None:
        """Give it back, not before a time; a failed try is counted, a wait for a place is not."""
        ...

    async def drop(self, claim: OutgoingClaim, why: str) -> None:
        """Give up on it for good."""
        ...

    async def ref(self, key: str) -> str:
        """Find where a message is shown; "" when it is not (yet)."""
        ...


class Updates(Protocol):
    """Which of the messenger's updates had their effect."""

    async def begin(self, bot_id: int, update_id: int) -> bool:
        """Mark an update as done within this transaction; False when it already is."""
        ...


class Transaction(Protocol):
    """All rows, until the commit."""

    people: People
    notebooks: Notebooks
    sources: Sources
    bursts: Bursts
    texts: Texts
    vectors: Vectors
    insights: Insights
    questions: Questions
    ledger: Ledger
    outbox: Outbox
    updates: Updates

    def publish(self, job: Job) -> None:
        """Send a job to the queue once the rows are committed."""
        ...

    def after_commit(self, call: Callable[[], Awaitable[None]]) -> None:
        """Do something once the rows are committed; it must not raise and may be lost."""
        ...


class Transactions(Protocol):
    """Opens transactions: leaving commits, an exception rolls back.

    Opened inside another one (the update that called the use-case), it joins it as a savepoint: rows, the mark of
    the update and the messages that tell of it become true together.
    """

    def __call__(self) -> AbstractAsyncContextManager[Transaction]:
        """Open one."""
        ...
