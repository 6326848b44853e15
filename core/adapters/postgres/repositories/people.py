"""Persons and chats, and the mapping of the messenger's ids to ours."""

from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import chat_notebooks, chats, expected_inputs, outbox, persons
from core.model.ids import ChatId, NotebookId, PersonId
from core.model.plan import PlanName
from core.model.user import Chat, ChatKind, Person


class PostgresPeople:
    """See `core.ports.People`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def person(self, bot_id: int, external_id: int, name: str, locale: str) -> Person:
        """Find or make a person; a chosen locale stays, and so does the known one where "" is given."""
        new = insert(persons).values(bot_id=bot_id, external_id=external_id, name=name, locale=locale)
        kept = func.coalesce(
            select(persons.c.locale)
            .where(persons.c.bot_id == bot_id, persons.c.external_id == external_id, persons.c.locale_chosen)
            .scalar_subquery(),
            func.nullif(new.excluded.locale, ""),
            persons.c.locale,
        )
        row = await self._connection.execute(
            new.on_conflict_do_update(
                index_elements=["bot_id", "external_id"], set_={"name": new.excluded.name, "locale": kept}
            ).returning(persons)
        )
        return _person(row.one())

    async def find_person(self, bot_id: int, external_id: int) -> Person | None:
        """Find a person by the messenger's id."""
        row = (
            await self._connection.execute(
                select(persons).where(persons.c.bot_id == bot_id, persons.c.external_id == external_id)
            )
        ).one_or_none()
        return _person(row) if row else None

    async def get_person(self, person_id: PersonId) -> Person | None:
        """Find a person by our id."""
        row = (await self._connection.execute(select(persons).where(persons.c.id == person_id))).one_or_none()
        return _person(row) if row else None

    async def set_plan(self, person_id: PersonId, plan: PlanName) -> None:
        """Put a person on a plan."""
        await self._connection.execute(update(persons).where(persons.c.id == person_id).values(plan=plan))

    async def choose_locale(self, person_id: PersonId, locale: str) -> None:
        """Remember a choice of language."""
        await self._connection.execute(
            update(persons).where(persons.c.id == person_id).values(locale=locale, locale_chosen=True)
        )

    async def chat(self, bot_id: int, external_id: int, kind: ChatKind, title: str) -> Chat:
        """Find or make a chat, reachable again since it speaks to us."""
        new = insert(chats).values(bot_id=bot_id, external_id=external_id, kind=kind, title=title)
        row = await self._connection.execute(
            new.on_conflict_do_update(
                index_elements=["bot_id", "external_id"],
                set_={"title": new.excluded.title, "kind": new.excluded.kind, "reachable": True},
            ).returning(chats)
        )
        return _chat(row.one())

    async def get_chat(self, chat_id: ChatId) -> Chat | None:
        """Find a chat by our id."""
        row = (await self._connection.execute(select(chats).where(chats.c.id == chat_id))).one_or_none()
        return _chat(row) if row else None

    async def lock_chat(self, chat_id: ChatId) -> None:
        """Hold the chat's row until the end of the transaction."""
        await self._connection.execute(select(chats.c.id).where(chats.c.id == chat_id).with_for_update())

    async def rekey_chat(self, bot_id: int, old: int, new: int) -> bool:
        """Move a group to the id of its supergroup.

        Either id may have got a second row: the new one by words that came before the news, the old one by words
        that came after it. The older row is the group that people know, so the younger gives way to it, with what
        it still had to say.
        """
        mine = chats.c.bot_id == bot_id
        held = select(chats.c.id).where(mine, chats.c.external_id == old).with_for_update()  # one news at a time
        known = (await self._connection.execute(held)).scalar()
        if known is None:
            return False
        early = (await self._connection.execute(select(chats.c.id).where(mine, chats.c.external_id == new))).scalar()
        kept = known if early is None else min(known, early)
        if early is not None:
            given_up = max(known, early)
            await self._connection.execute(update(outbox).where(outbox.c.chat_id == given_up).values(chat_id=kept))
            await self._connection.execute(chats.delete().where(chats.c.id == given_up))
        await self._connection.execute(update(chats).where(chats.c.id == kept).values(external_id=new, reachable=True))
        return bool(kept == known)

    async def set_reachable(self, chat_id: ChatId, reachable: bool) -> None:
        """Remember whether the chat takes our messages."""
        await self._connection.execute(update(chats).where(chats.c.id == chat_id).values(reachable=reachable))

    async def expect_input(
        self, chat_id: ChatId, person_id: PersonId, kind: str, reference: int, *, until: datetime
    ) -> None:
        """Remember what a person's next words are meant for."""
        new = insert(expected_inputs).values(
            chat_id=chat_id, person_id=person_id, kind=kind, reference=reference, until=until
        )
        latest = {name: new.excluded[name] for name in ("kind", "reference", "until")}
        await self._connection.execute(new.on_conflict_do_update(index_elements=["chat_id", "person_id"], set_=latest))

    async def take_input(self, chat_id: ChatId, person_id: PersonId, *, now: datetime) -> tuple[str, int] | None:
        """Say what the words are meant for, once."""
        taken = await self._connection.execute(
            delete(expected_inputs)
            .where(expected_inputs.c.chat_id == chat_id, expected_inputs.c.person_id == person_id)
            .returning(expected_inputs)
        )
        row = taken.one_or_none()
        return (row.kind, row.reference) if row and row.until > now else None

    async def active_notebook(self, chat_id: ChatId, thread_id: int) -> NotebookId | None:
        """Name the notebook of a chat or topic."""
        found = await self._connection.execute(
            select(chat_notebooks.c.notebook_id).where(
                chat_notebooks.c.chat_id == chat_id, chat_notebooks.c.thread_id == thread_id
            )
        )
        value = found.scalar()
        return NotebookId(value) if value is not None else None

    async def set_active_notebook(self, chat_id: ChatId, thread_id: int, notebook_id: NotebookId) -> None:
        """Point a chat or topic at a notebook."""
        new = insert(chat_notebooks).values(chat_id=chat_id, thread_id=thread_id, notebook_id=notebook_id)
        await self._connection.execute(
            new.on_conflict_do_update(
                index_elements=["chat_id", "thread_id"], set_={"notebook_id": new.excluded.notebook_id}
            )
        )


def _person(row: Row[Any]) -> Person:
    return Person(PersonId(row.id), row.name, row.locale)


def _chat(row: Row[Any]) -> Chat:
    return Chat(ChatId(row.id), row.external_id, ChatKind(row.kind), row.title, row.reachable)
