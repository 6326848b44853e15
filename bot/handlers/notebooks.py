"""A person's notebooks."""

from collections.abc import Awaitable, Callable

from aiogram import F, Router
from aiogram.filters import Command
from aiogram.types import CallbackQuery, Message

from bot.callbacks import NotebookAction
from bot.filters import ExpectedInput, WordsFor
from bot.i18n import Translate
from bot.screen import Screen
from bot.views.notebooks import (
    cancelled_view,
    notebook_delete_view,
    notebook_new_view,
    notebook_rename_view,
    notebook_said_view,
    notebook_view,
    notebooks_view,
)
from core.errors import UserError
from core.model.ids import NotebookId
from core.model.user import Caller, ChatKind
from core.wiring import App

NEW, RENAME = "notebook-new", "notebook-rename"
"""What a person's next words may be meant for."""


def build_router() -> Router:
    """Build the router."""
    router = Router(name="notebooks")
    router.message.register(list_all, Command("notebooks"))
    router.message.register(name_new, F.text, ~F.text.startswith("/"), ExpectedInput(NEW))
    router.message.register(rename, F.text, ~F.text.startswith("/"), ExpectedInput(RENAME))
    for action, handler in ACTIONS.items():
        router.callback_query.register(handler, NotebookAction.filter(F.action == action))
    return router


async def list_all(_event: object, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """List them; a group has one."""
    found = await app.list_notebooks(caller)
    if caller.chat.kind is ChatKind.GROUP:
        await screen.edit(notebook_view(t, found[0], active=True, may_manage=False))
        return
    await screen.edit(notebooks_view(t, found, caller.notebook_id))


async def open_one(
    _query: CallbackQuery, callback_data: NotebookAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Show one with what can be done."""
    notebook = await app.get_notebook(caller, NotebookId(callback_data.notebook_id))
    active = notebook.id == caller.notebook_id
    may = caller.chat.kind is ChatKind.PRIVATE
    await screen.edit(notebook_view(t, notebook, active=active, may_manage=may))


async def switch(
    _query: CallbackQuery, callback_data: NotebookAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Talk to another one; a group keeps its own."""
    _in_private(caller)
    notebook = await app.switch_notebook(caller, NotebookId(callback_data.notebook_id))
    await screen.edit(notebook_said_view(t, "notebook-switched", notebook.title))


async def ask_new(_query: CallbackQuery, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Ask for the title of a new one."""
    _in_private(caller)
    await app.expect_input(caller, NEW, 0, now=app.clock())
    await screen.edit(notebook_new_view(t))


async def name_new(message: Message, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Make it."""
    notebook = await app.create_notebook(caller, message.text or "")
    await screen.send(notebook_said_view(t, "notebook-made", notebook.title))


async def ask_rename(
    _query: CallbackQuery, callback_data: NotebookAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Ask for another title."""
    notebook = await app.get_notebook(caller, NotebookId(callback_data.notebook_id))
    await app.expect_input(caller, RENAME, notebook.id, now=app.clock())
    await screen.edit(notebook_rename_view(t, notebook))


async def rename(message: Message, words_for: WordsFor, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Rename it."""
    notebook = await app.rename_notebook(caller, NotebookId(words_for.reference), message.text or "")
    await screen.send(notebook_said_view(t, "notebook-renamed", notebook.title))


async def archive(
    _query: CallbackQuery, callback_data: NotebookAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Put it away or take it out."""
    notebook = await app.get_notebook(caller, NotebookId(callback_data.notebook_id))
    archived = callback_data.action == "archive"
    await app.archive_notebook(caller, notebook.id, archived=archived, first_title=t.plain("notebook-first"))
    said = "notebook-archived" if archived else "notebook-unarchived"
    await screen.edit(notebook_said_view(t, said, notebook.title))


async def ask_delete(
    _query: CallbackQuery, callback_data: NotebookAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Ask whether to delete it."""
    notebook = await app.get_notebook(caller, NotebookId(callback_data.notebook_id))
    await screen.edit(notebook_delete_view(t, notebook))


async def delete(
    _query: CallbackQuery, callback_data: NotebookAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Delete it."""
    notebook = await app.get_notebook(caller, NotebookId(callback_data.notebook_id))
    await app.delete_notebook(caller, notebook.id, first_title=t.plain("notebook-first"))
    await screen.edit(notebook_said_view(t, "notebook-deleted", notebook.title))


def _in_private(caller: Caller) -> None:
    """Refuse to give a group another notebook: its members share the one it has."""
    if caller.chat.kind is ChatKind.GROUP:
        raise UserError("notebook-gone")


async def cancel(_query: CallbackQuery, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Leave everything as it was."""
    await app.take_input(caller, now=app.clock())
    await screen.edit(cancelled_view(t))


ACTIONS: dict[str, Callable[..., Awaitable[None]]] = {
    "list": list_all,
    "open": open_one,
    "switch": switch,
    "new": ask_new,
    "rename": ask_rename,
    "archive": archive,
    "unarchive": archive,
    "delete": ask_delete,
    "delete_sure": delete,
    "cancel": cancel,
}
"""`NotebookAction.action` to what it does."""
