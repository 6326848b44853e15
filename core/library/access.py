"""Row ownership, checked in one place: what a caller names must live in a notebook that the caller may use."""

from core.errors import UserError
from core.model.ids import NotebookId
from core.model.notebook import Notebook, Role
from core.model.user import Caller, ChatKind, Person
from core.ports import Transaction

READ = frozenset(Role)
WRITE = frozenset({Role.OWNER, Role.EDITOR})
OWN = frozenset({Role.OWNER})


async def allowed_notebook(
    tx: Transaction, caller: Caller, notebook_id: NotebookId, roles: frozenset[Role] = READ
) -> Notebook:
    """Load a notebook that the caller may use in one of these roles.

    In a group the chat itself is the right: whoever may write there reads and adds to the notebook that the chat is
    mapped to. Owning (rename, delete) always needs the person's own role.

    Raises:
        UserError: `notebook-gone` when there is none, or it is another's: the two are not told apart.
    """
    notebook = await tx.notebooks.get(notebook_id)
    if notebook is None or not await _may(tx, caller, notebook_id, roles):
        raise UserError("notebook-gone")
    return notebook


async def _may(tx: Transaction, caller: Caller, notebook_id: NotebookId, roles: frozenset[Role]) -> bool:
    if caller.chat.kind is ChatKind.GROUP and notebook_id == caller.notebook_id and roles != OWN:
        return True
    if caller.person is None:
        return False
    return await tx.notebooks.role(notebook_id, caller.person.id) in roles


def who_may_move(caller: Caller) -> Person:
    """Name the person who points their own chat at another notebook.

    Raises:
        UserError: In a group, whose members share the one notebook it has, and for senders without an account.
    """
    if caller.chat.kind is ChatKind.GROUP:
        raise UserError("notebook-gone")
    if caller.person is None:
        raise UserError("person-needed")
    return caller.person
