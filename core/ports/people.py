"""Repositories of persons, chats and notebooks."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from core.model.ids import (
    ChatId,
    NotebookId,
    PersonId,
)
from core.model.notebook import Notebook, Role
from core.model.plan import PlanName
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

    async def leave_chat(self, chat_id: ChatId, person_id: PersonId) -> None:
        """End a person's access to the notebooks of a chat and of its topics."""
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
