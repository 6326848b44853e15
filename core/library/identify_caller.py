"""Who speaks, where, and to which notebook: found or made at the first word."""

from dataclasses import dataclass

from core.model.ids import NotebookId
from core.model.notebook import Role
from core.model.user import Caller, Chat, ChatKind, Person
from core.ports import Transaction, Transactions


@dataclass(frozen=True, slots=True)
class Appearance:
    """What the messenger shows of a speaker and a place.

    Attributes:
        person_id: The messenger's id of the person; None for anonymous senders and channels.
        topic_id: Forum topic, 0 for none.
        first_title: Title for the notebook that is made at the first word, in the speaker's language.
    """

    bot_id: int
    person_id: int | None
    person_name: str
    locale: str
    chat_id: int
    chat_kind: ChatKind
    chat_title: str
    topic_id: int
    first_title: str


@dataclass(frozen=True, slots=True)
class IdentifyCaller:
    """Turn an appearance into a caller with a notebook; the first message works without set-up."""

    transactions: Transactions

    async def __call__(self, seen: Appearance) -> Caller:
        """Find or make person, chat and notebook in one transaction."""
        async with self.transactions() as tx:
            chat = await tx.people.chat(seen.bot_id, seen.chat_id, seen.chat_kind, seen.chat_title)
            person = await self._person(tx, seen)
            notebook_id = await self._notebook(tx, seen, chat, person)
            locale = person.locale if person else seen.locale
            return Caller(person, chat, notebook_id, locale, seen.topic_id)

    async def _person(self, tx: Transaction, seen: Appearance) -> Person | None:
        if seen.person_id is None:
            return None
        return await tx.people.person(seen.bot_id, seen.person_id, seen.person_name, seen.locale)

    async def _notebook(self, tx: Transaction, seen: Appearance, chat: Chat, person: Person | None) -> NotebookId:
        known = await self._usable(tx, seen, chat, person)
        if known is not None:
            return known
        await tx.people.lock_chat(chat.id)
        known = await self._usable(tx, seen, chat, person)
        if known is not None:
            return known
        private = seen.chat_kind is ChatKind.PRIVATE
        owner = person.id if person and private else None
        notebook = await tx.notebooks.add(seen.first_title, person.locale if person else seen.locale, owner)
        if person and not private:
            await tx.notebooks.set_role(notebook.id, person.id, Role.EDITOR)
        await tx.people.set_active_notebook(chat.id, seen.topic_id, notebook.id)
        return notebook.id

    async def _usable(self, tx: Transaction, seen: Appearance, chat: Chat, person: Person | None) -> NotebookId | None:
        """Name the open notebook, unless it is one that this person may not read any more (they left its group)."""
        known = await tx.people.active_notebook(chat.id, seen.topic_id)
        if known is None or seen.chat_kind is ChatKind.GROUP or person is None:
            return known
        if await tx.notebooks.role(known, person.id) is not None:
            return known
        living = [item.id for item in await tx.notebooks.of_person(person.id) if not item.archived]
        if not living:
            return None
        await tx.people.set_active_notebook(chat.id, seen.topic_id, living[0])
        return living[0]
