"""A hit across languages."""

from dataclasses import dataclass

from core.model.search import Hit


@dataclass(frozen=True, slots=True)
class ForeignHit(Hit):
    """A chunk in another language than the question's: by words it could not be found, and need not be."""
