"""Notebooks and their members."""

from typing import Any

from sqlalchemy import Row, Select, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from core.adapters.postgres.tables import (
    answers,
    chat_notebooks,
    chunks,
    citations,
    notebook_members,
    notebooks,
    postings,
    sources,
    vectors,
)
from core.model.ids import ChatId, NotebookId, PersonId
from core.model.notebook import Notebook, Role


class PostgresNotebooks:
    """See `core.ports.Notebooks`."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def add(self, title: str, language: str, owner_id: PersonId | None) -> Notebook:
        """Make a notebook; its owner becomes a member."""
        made = await self._connection.execute(
            insert(notebooks).values(title=title, language=language, owner_id=owner_id).returning(notebooks.c.id)
        )
        notebook = Notebook(NotebookId(made.scalar_one()), title, owner_id, language)
        if owner_id is not None:
            await self.set_role(notebook.id, owner_id, Role.OWNER)
        return notebook

    async def get(self, notebook_id: NotebookId) -> Notebook | None:
        """Find a notebook."""
        row = (await self._connection.execute(_listing().where(notebooks.c.id == notebook_id))).one_or_none()
        return _notebook(row) if row else None

    async def of_person(self, person_id: PersonId) -> list[Notebook]:
        """List a person's notebooks, archived ones last."""
        mine = select(notebook_members.c.notebook_id).where(notebook_members.c.person_id == person_id)
        rows = await self._connection.execute(
            _listing().where(notebooks.c.id.in_(mine)).order_by(notebooks.c.archived, notebooks.c.id)
        )
        return [_notebook(row) for row in rows]

    async def by_title(self, person_id: PersonId, title: str) -> Notebook | None:
        """Find a person's own notebook by its exact title, the oldest if several have it."""
        rows = await self._connection.execute(
            _listing()
            .where(notebooks.c.owner_id == person_id, notebooks.c.title == title)
            .order_by(notebooks.c.id)
            .limit(1)
        )
        row = rows.one_or_none()
        return _notebook(row) if row else None

    async def role(self, notebook_id: NotebookId, person_id: PersonId) -> Role | None:
        """Say what a person may do there."""
        found = await self._connection.execute(
            select(notebook_members.c.role).where(
                notebook_members.c.notebook_id == notebook_id, notebook_members.c.person_id == person_id
            )
        )
        value = found.scalar()
        return Role(value) if value else None

    async def set_role(self, notebook_id: NotebookId, person_id: PersonId, role: Role) -> None:
        """Make a person a member, or change their role."""
        new = insert(notebook_members).values(notebook_id=notebook_id, person_id=person_id, role=role)
        await self._connection.execute(
            new.on_conflict_do_update(index_elements=["notebook_id", "person_id"], set_={"role": new.excluded.role})
        )

    async def leave_chat(self, chat_id: ChatId, person_id: PersonId) -> None:
        """End a person's access to a chat's notebooks."""
        of_chat = select(chat_notebooks.c.notebook_id).where(chat_notebooks.c.chat_id == chat_id)
        await self._connection.execute(
            delete(notebook_members).where(
                notebook_members.c.notebook_id.in_(of_chat), notebook_members.c.person_id == person_id
            )
        )

    async def rename(self, notebook_id: NotebookId, title: str) -> None:
        """Change its title."""
        await self._connection.execute(update(notebooks).where(notebooks.c.id == notebook_id).values(title=title))

    async def archive(self, notebook_id: NotebookId, archived: bool) -> None:
        """Put it away or take it out again."""
        await self._connection.execute(update(notebooks).where(notebooks.c.id == notebook_id).values(archived=archived))

    async def delete(self, notebook_id: NotebookId) -> None:
        """Delete it with everything in it; the tables without foreign keys first.

        Its sources' rows are locked before, so that no worker writes behind the deletion.
        """
        await self._connection.execute(
            select(sources.c.id).where(sources.c.notebook_id == notebook_id).order_by(sources.c.id).with_for_update()
        )
        for table in (postings, vectors, chunks, citations, answers):
            await self._connection.execute(delete(table).where(table.c.notebook_id == notebook_id))
        await self._connection.execute(delete(notebooks).where(notebooks.c.id == notebook_id))


def _listing() -> Select[Any]:
    count = select(func.count()).where(sources.c.notebook_id == notebooks.c.id).scalar_subquery().label("source_count")
    return select(notebooks, count)


def _notebook(row: Row[Any]) -> Notebook:
    owner = PersonId(row.owner_id) if row.owner_id is not None else None
    return Notebook(NotebookId(row.id), row.title, owner, row.language, row.source_count, row.archived)
