"""Repositories of what was taken in from the messenger and what it shall show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.model.ids import (
    ChatId,
)
from core.model.user import Chat


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
