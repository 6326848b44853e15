"""The sample notebook, one tap away: found or made, and talked to from now on."""

from dataclasses import dataclass, replace

from core.library.access import who_may_move
from core.model.ids import NotebookId
from core.model.notebook import Notebook
from core.model.user import Caller
from core.ports import Transactions


@dataclass(frozen=True, slots=True)
class OpenedNotebook:
    """A notebook, the caller who now talks to it, and the notebook of their own to come back to."""

    notebook: Notebook
    caller: Caller
    before: NotebookId


@dataclass(frozen=True, slots=True)
class OpenExample:
    """Switch to the caller's notebook of a title, making it at the first time."""

    transactions: Transactions

    async def __call__(self, caller: Caller, title: str) -> OpenedNotebook:
        """Return it with the caller moved there."""
        person = who_may_move(caller)
        async with self.transactions() as tx:
            notebook = await tx.notebooks.by_title(person.id, title)
            if notebook is None:
                notebook = await tx.notebooks.add(title, caller.locale, person.id)
            await tx.people.set_active_notebook(caller.chat.id, caller.thread_id, notebook.id)
            others = [item.id for item in await tx.notebooks.of_person(person.id) if item.id != notebook.id]
        before = caller.notebook_id if caller.notebook_id in others else next(iter(others), notebook.id)
        return OpenedNotebook(notebook, replace(caller, notebook_id=notebook.id), before)
