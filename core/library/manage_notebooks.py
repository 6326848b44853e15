"""A person's notebooks: list, make, switch, rename, archive, delete."""

from dataclasses import dataclass

from core.billing.quota import Request, reference_of
from core.errors import UserError
from core.library.access import OWN, allowed_notebook, who_may_move
from core.model.answer import QuestionState
from core.model.ids import NotebookId
from core.model.notebook import Notebook
from core.model.user import Caller, ChatKind
from core.ports import BlobStore, Notifier, Transaction, Transactions

TITLE_LIMIT = 80
"""Characters of a title: longer ones do not fit on a button."""
NOTEBOOK_LIMIT = 100
"""Notebooks a person: a list stays a list."""


def as_title(text: str, limit: int = TITLE_LIMIT) -> str:
    """Make one line of at most `limit` characters of what a person typed; "" when nothing is left."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class ListNotebooks:
    """List the caller's notebooks; in a group the one of the chat."""

    transactions: Transactions

    async def __call__(self, caller: Caller) -> list[Notebook]:
        """Return them oldest first, archived last."""
        async with self.transactions() as tx:
            if caller.chat.kind is ChatKind.GROUP or caller.person is None:
                return [await allowed_notebook(tx, caller, caller.notebook_id)]
            return await tx.notebooks.of_person(caller.person.id)


@dataclass(frozen=True, slots=True)
class GetNotebook:
    """Show one notebook that the caller may read."""

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId) -> Notebook:
        """Return it, or raise `notebook-gone`."""
        async with self.transactions() as tx:
            return await allowed_notebook(tx, caller, notebook_id)


@dataclass(frozen=True, slots=True)
class CreateNotebook:
    """Make a notebook and talk to it."""

    transactions: Transactions

    async def __call__(self, caller: Caller, title: str) -> Notebook:
        """Return the new, now active notebook."""
        name = as_title(title)
        if not name:
            raise UserError("notebook-title-empty")
        person = who_may_move(caller)
        async with self.transactions() as tx:
            if len(await tx.notebooks.of_person(person.id)) >= NOTEBOOK_LIMIT:
                raise UserError("notebook-limit", {"limit": NOTEBOOK_LIMIT})
            notebook = await tx.notebooks.add(name, caller.locale, person.id)
            await tx.people.set_active_notebook(caller.chat.id, caller.thread_id, notebook.id)
            return notebook


@dataclass(frozen=True, slots=True)
class SwitchNotebook:
    """Talk to another notebook from now on."""

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId) -> Notebook:
        """Return the notebook that is now active; an archived one of one's own is taken out again."""
        person = who_may_move(caller)
        async with self.transactions() as tx:
            notebook = await allowed_notebook(tx, caller, notebook_id)
            if notebook.owner_id == person.id:
                await tx.notebooks.archive(notebook_id, False)
            await tx.people.set_active_notebook(caller.chat.id, caller.thread_id, notebook_id)
            return notebook


@dataclass(frozen=True, slots=True)
class RenameNotebook:
    """Give a notebook another title."""

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId, title: str) -> Notebook:
        """Return it renamed."""
        name = as_title(title)
        if not name:
            raise UserError("notebook-title-empty")
        async with self.transactions() as tx:
            await allowed_notebook(tx, caller, notebook_id, OWN)
            await tx.notebooks.rename(notebook_id, name)
            return await allowed_notebook(tx, caller, notebook_id)


@dataclass(frozen=True, slots=True)
class ArchiveNotebook:
    """Put a notebook away; the active one gives its place to another."""

    transactions: Transactions

    async def __call__(self, caller: Caller, notebook_id: NotebookId, *, archived: bool, first_title: str) -> None:
        """Archive it or take it out again."""
        async with self.transactions() as tx:
            await allowed_notebook(tx, caller, notebook_id, OWN)
            await tx.notebooks.archive(notebook_id, archived)
            if archived and notebook_id == caller.notebook_id:
                await _activate_another(tx, caller, first_title)


@dataclass(frozen=True, slots=True)
class DeleteNotebook:
    """Delete a notebook with all its sources, vectors and answers, at once."""

    transactions: Transactions
    blobs: BlobStore
    notifier: Notifier

    async def __call__(self, caller: Caller, notebook_id: NotebookId, *, first_title: str) -> None:
        """Delete it; the originals go after the commit."""
        async with self.transactions() as tx:
            await allowed_notebook(tx, caller, notebook_id, OWN)
            await self._end_questions(tx, notebook_id)
            keys = [source.original_key for source in await tx.sources.of_notebook(notebook_id)]
            await tx.notebooks.delete(notebook_id)
            if notebook_id == caller.notebook_id:
                await _activate_another(tx, caller, first_title)

            async def delete_originals() -> None:
                await self.blobs.delete(key for key in keys if key)

            tx.after_commit(delete_originals)

    async def _end_questions(self, tx: Transaction, notebook_id: NotebookId) -> None:
        """Tell whoever waits for an answer from it, and give their prompts back."""
        for question in await tx.questions.open_of(notebook_id):
            if await tx.questions.end(question.id, QuestionState.CANCELLED):
                await tx.ledger.give_back(reference_of(Request.ANSWER, question.id))
                await self.notifier.question_failed(tx, question, "asking-notebook-deleted", {})


async def _activate_another(tx: Transaction, caller: Caller, first_title: str) -> None:
    """Point the chat at the person's oldest living notebook, or at a new first one.

    Only their own will do: a group's notebook must not get what they go on sending privately.
    """
    if caller.person is None:
        return
    mine = caller.person.id
    living = [item for item in await tx.notebooks.of_person(mine) if not item.archived and item.owner_id == mine]
    heir = living[0] if living else await tx.notebooks.add(first_title, caller.locale, mine)
    await tx.people.set_active_notebook(caller.chat.id, caller.thread_id, heir.id)
