"""Notebooks: the list, a card, and what is asked and said on the way."""

from __future__ import annotations

from collections.abc import Sequence

from bot.callbacks import NotebookAction, SourcePage
from bot.i18n import Translate
from bot.views.view import Button, View
from bot.views.wording import LABEL_SHOWN, paragraphs, short
from core.model.notebook import Notebook

LIST_LIMIT = 90
"""Notebooks with a button: Telegram takes 100 under one message."""


def notebooks_view(t: Translate, notebooks: Sequence[Notebook], active_id: int) -> View:
    """List a person's notebooks as buttons, the active one marked."""
    rows = [(_open(t, notebook, active_id),) for notebook in notebooks[:LIST_LIMIT]]
    new = Button(t.plain("button-new-notebook"), data=NotebookAction(action="new").pack())
    return View(t("notebooks-header"), keyboard=(*rows, (new,)), silent=True)


def notebook_view(t: Translate, notebook: Notebook, *, active: bool, may_manage: bool = True) -> View:
    """Show a notebook with what can be done about it; only its owner may rename, archive and delete it."""
    state = "notebook-card-archived" if notebook.archived else "notebook-card-active" if active else ""
    text = paragraphs(t("notebook-card", title=notebook.title, count=notebook.source_count), t(state) if state else "")
    rows: list[tuple[Button, ...]] = []
    if not active:
        rows.append((_button(t, "button-switch", "switch", notebook),))
    sources = SourcePage(notebook_id=notebook.id, page=0).pack()
    rows.append((Button(t.plain("button-sources"), data=sources),))
    if may_manage:
        rows += _manage(t, notebook)
    rows.append((Button(t.plain("button-to-notebooks"), data=NotebookAction(action="list").pack()),))
    return View(text, keyboard=tuple(rows), silent=True)


def notebook_new_view(t: Translate) -> View:
    """Ask for the title of a new notebook."""
    return View(t("notebook-new-prompt"), keyboard=(_cancel(t),), silent=True)


def notebook_rename_view(t: Translate, notebook: Notebook) -> View:
    """Ask for another title."""
    return View(t("notebook-rename-prompt", title=notebook.title), keyboard=(_cancel(t),), silent=True)


def notebook_delete_view(t: Translate, notebook: Notebook) -> View:
    """Ask before deleting, with what goes along."""
    sure = _button(t, "button-delete-sure", "delete_sure", notebook)
    keep = _button(t, "button-keep", "open", notebook)
    text = t("notebook-delete-confirm", title=notebook.title, count=notebook.source_count)
    return View(text, keyboard=((sure, keep),), silent=True)


def notebook_said_view(t: Translate, text_key: str, title: str) -> View:
    """Say what has happened to a notebook: `notebook-made`, `-renamed`, `-switched`, `-archived`, `-deleted`, …"""
    back = Button(t.plain("button-notebooks"), data=NotebookAction(action="list").pack())
    return View(t(text_key, title=title), keyboard=((back,),), silent=True)


def cancelled_view(t: Translate) -> View:
    """Say that nothing has changed."""
    return View(t("cancelled"), silent=True)


def _open(t: Translate, notebook: Notebook, active_id: int) -> Button:
    key = "notebook-label"
    if notebook.archived:
        key = "notebook-label-archived"
    elif notebook.id == active_id:
        key = "notebook-label-active"
    label = t.plain(key, title=short(notebook.title, LABEL_SHOWN), count=notebook.source_count)
    return Button(label, data=NotebookAction(action="open", notebook_id=notebook.id).pack())


def _manage(t: Translate, notebook: Notebook) -> list[tuple[Button, ...]]:
    archive = ("button-unarchive", "unarchive") if notebook.archived else ("button-archive", "archive")
    return [
        (_button(t, "button-rename", "rename", notebook), _button(t, *archive, notebook)),
        (_button(t, "button-delete", "delete", notebook),),
    ]


def _button(t: Translate, key: str, action: str, notebook: Notebook) -> Button:
    return Button(t.plain(key), data=NotebookAction(action=action, notebook_id=notebook.id).pack())


def _cancel(t: Translate) -> tuple[Button, ...]:
    return (Button(t.plain("button-cancel"), data=NotebookAction(action="cancel").pack()),)
