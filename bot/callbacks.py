"""Typed callback data: ids and codes only, never labels, at most 64 bytes packed (a test measures all)."""

from aiogram.filters.callback_data import CallbackData


class OpenCitation(CallbackData, prefix="cite"):
    """Show the passage of one citation of an answer; a step comes from another passage, which changes in place."""

    answer_id: int
    n: int
    step: bool = False


class StopQuestion(CallbackData, prefix="stop"):
    """Stop an answer that is being written."""

    question_id: int


class NotebookAction(CallbackData, prefix="nb"):
    """Do something with a notebook: list, open, switch, new, rename, archive, unarchive, delete, delete_sure."""

    action: str
    notebook_id: int = 0


class SourceAction(CallbackData, prefix="src"):
    """Do something with a source: open, mute, unmute, delete, delete_sure."""

    action: str
    notebook_id: int
    source_id: int


class SourcePage(CallbackData, prefix="srcs"):
    """Show a page of the list of sources (0-based)."""

    notebook_id: int
    page: int


class ChooseLocale(CallbackData, prefix="lang"):
    """Choose the language of the interface."""

    locale: str


class Treat(CallbackData, prefix="treat"):
    """Flip a wrong guess: keep a question's words as a source, or ask a short source's words as a question."""

    as_: str
    reference: int
    notebook_id: int = 0


class Topic(CallbackData, prefix="help"):
    """Open a help topic: home, privacy, example."""

    topic: str
