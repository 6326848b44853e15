"""An answer and what it stands on."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.model.chunk import Chunk
from core.model.ids import NotebookId, QuestionId, SourceId


class Verdict(StrEnum):
    """What comparing a statement with its passage showed."""

    VERBATIM = "verbatim"
    SUPPORTED = "supported"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Passage:
    """A numbered passage that the model may cite: `n` is 1-based and unique within one answer."""

    n: int
    chunk: Chunk
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation with a snapshot of its quote, so that it survives what happens to its source.

    `start` and `end` are the quote's character range in the source's clean text.
    """

    n: int
    source_id: SourceId
    version: int
    external_id: str
    title: str
    quote: str
    start: int
    end: int
    verdict: Verdict
    page: int | None = None
    time_s: float | None = None
    headings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer after its citations were checked.

    Attributes:
        answered: False: the sources do not hold it; then there are no citations.
        text: Markdown with `[n]` marks that match `citations`.
        searched: Sources looked through.
        used: Sources whose passages were read for it.
        model: Name of the language model, or "extractive".
        unsupported: Sentences that no passage holds, as they stand in `text`.
        reading: Sources that were still being read.
        cut_off: The person stopped it, or the model reached its limit.
        prompts_left: What the asker has left after it; None when it cost nothing.
    """

    answered: bool
    text: str
    citations: tuple[Citation, ...]
    searched: int
    used: int
    model: str
    unsupported: tuple[str, ...] = ()
    reading: int = 0
    cut_off: bool = False
    prompts_left: int | None = None


class QuestionState(StrEnum):
    """Where a question stands."""

    QUEUED = "queued"
    RUNNING = "running"
    ANSWERED = "answered"
    REFUSED = "refused"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a row: who asked, where the answer goes, how far it is.

    Attributes:
        not_before: It waits until then: what was typed may yet turn out to belong to what comes next.
        waits_for: The source that it was written under; answered when that has been read, or at `waits_until`.
    """

    id: QuestionId
    notebook_id: NotebookId
    person_id: int | None
    chat_id: int
    thread_id: int
    text: str
    locale: str
    state: QuestionState
    reply_to: str
    tries: int
    with_model: bool = False
    not_before: datetime | None = None
    waits_for: SourceId | None = None
    waits_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange of the conversation, for follow-up questions."""

    question: str
    answer: str
