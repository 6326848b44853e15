"""Messages to the workers: what to do and to which row, never the data itself.

A job may be delivered twice and must then do no harm; its `key` makes equal jobs one while they wait.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, ClassVar

from core.model.ids import NotebookId, QuestionId, SourceId


class QueueName(StrEnum):
    """One queue a kind of patience; each worker process serves one."""

    QUESTIONS = "questions"
    LIGHT = "light"
    HEAVY = "heavy"


@dataclass(frozen=True, slots=True)
class IngestSource:
    """Read one source from its bytes to searchable chunks."""

    name: ClassVar[str] = "ingest_source"
    notebook_id: NotebookId
    source_id: SourceId
    heavy: bool

    @property
    def queue(self) -> QueueName:
        """Documents wait behind documents; words never do."""
        return QueueName.HEAVY if self.heavy else QueueName.LIGHT

    @property
    def key(self) -> str:
        """Equal while it waits in one queue: a link that leads to a heavy file moves to the other while it is run."""
        return f"{self.name}:{self.queue}:{self.notebook_id}:{self.source_id}"


@dataclass(frozen=True, slots=True)
class EmbedSource:
    """Give a searchable source its vectors and insights."""

    name: ClassVar[str] = "embed_source"
    queue: ClassVar[QueueName] = QueueName.HEAVY
    notebook_id: NotebookId
    source_id: SourceId

    @property
    def key(self) -> str:
        """Equal while it waits."""
        return f"{self.name}:{self.notebook_id}:{self.source_id}"


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer one question row."""

    name: ClassVar[str] = "answer_question"
    queue: ClassVar[QueueName] = QueueName.QUESTIONS
    question_id: QuestionId

    @property
    def key(self) -> str:
        """Equal while it waits."""
        return f"{self.name}:{self.question_id}"


Job = IngestSource | EmbedSource | AnswerQuestion
JOBS: tuple[type[Job], ...] = (IngestSource, EmbedSource, AnswerQuestion)


def job_payload(job: Job) -> dict[str, Any]:
    """Turn a job into JSON-ready fields (its name travels apart)."""
    return asdict(job)
