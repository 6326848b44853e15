"""Typed callback data: ids and codes only, never labels, at most 64 bytes packed (a test measures all)."""

from typing import Annotated, Literal

from aiogram.filters.callback_data import CallbackData
from pydantic import Field

Id = Annotated[int, Field(ge=0, lt=2**63)]
"""Of a row: what no row can have is no button of ours, and never reaches the database."""
Number = Annotated[int, Field(ge=0, lt=2**31)]


class OpenCitation(CallbackData, prefix="cite"):
    """Show the passage of one citation of an answer; a step comes from another passage, which changes in place."""

    answer_id: Id
    n: Number
    step: bool = False


class StopQuestion(CallbackData, prefix="stop"):
    """Stop an answer that is being written."""

    question_id: Id


class NotebookAction(CallbackData, prefix="nb"):
    """Do something with a notebook: list, open, switch, new, rename, archive, unarchive, delete, delete_sure."""

    action: str
    notebook_id: Id = 0


class SourceAction(CallbackData, prefix="src"):
    """Do something with a source: open, mute, unmute, refresh, retry, delete, delete_sure."""

    action: str
    notebook_id: Id
    source_id: Id


class BurstAction(CallbackData, prefix="bst"):
    """Do something with what was sent together.

    Take it back (`undo`), choose a notebook for it (`move`) and move it there (`to`), add the links in it (`links`),
    read again what failed (`retry`), ask the words before it (`ask`).
    """

    action: Literal["undo", "move", "to", "links", "retry", "ask"]
    burst_id: Id
    notebook_id: Id = 0


class SourcePage(CallbackData, prefix="srcs"):
    """Show a page of the list of sources (0-based)."""

    notebook_id: Id
    page: Number


class ChooseLocale(CallbackData, prefix="lang"):
    """Choose the language of the interface."""

    locale: Literal["ru", "en"]


class Treat(CallbackData, prefix="treat"):
    """Flip a wrong guess: keep a question's words as a source, or ask a short source's words as a question."""

    as_: Literal["source", "question"]
    reference: Id
    notebook_id: Id = 0


class Topic(CallbackData, prefix="help"):
    """Open a help topic in place, or the example."""

    topic: Literal["home", "privacy", "language", "example"]


class AskSuggested(CallbackData, prefix="sug"):
    """Ask a source's suggested question (`ordinal` from 0)."""

    notebook_id: Id
    source_id: Id
    ordinal: Annotated[int, Field(ge=0, lt=10)]
