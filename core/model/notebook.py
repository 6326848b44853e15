"""A notebook: the only place a question is ever answered from."""

from dataclasses import dataclass
from enum import StrEnum

from core.model.ids import NotebookId, PersonId


class Role(StrEnum):
    """What a member may do in a notebook."""

    OWNER = "owner"
    EDITOR = "editor"
    VIEWER = "viewer"


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook as listed; `language` is the language of its insights."""

    id: NotebookId
    title: str
    owner_id: PersonId | None
    language: str
    source_count: int = 0
    archived: bool = False
