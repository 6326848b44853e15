"""Who speaks and where."""

from dataclasses import dataclass
from enum import StrEnum

from core.model.ids import ChatId, NotebookId, PersonId


@dataclass(frozen=True, slots=True)
class Person:
    """Someone with a quota of their own; anonymous senders never become one."""

    id: PersonId
    name: str
    locale: str


class ChatKind(StrEnum):
    """What a chat is to us: channels hold no notebook."""

    PRIVATE = "private"
    GROUP = "group"


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation, by our id; `external_id` is the messenger's and may change once (a migrated group)."""

    id: ChatId
    external_id: int
    kind: ChatKind
    title: str
    reachable: bool


@dataclass(frozen=True, slots=True)
class Caller:
    """Everything a use-case may know of who asks: the person (None: anonymous), the chat, the active notebook."""

    person: Person | None
    chat: Chat
    notebook_id: NotebookId
    locale: str
    thread_id: int = 0
