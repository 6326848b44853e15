"""Strategies of retrieval."""

from __future__ import annotations

from typing import Protocol

from core.model.search import Hit, SearchQuery


class Strategy(Protocol):
    """One way of finding, over one notebook."""

    name: str
    weight: float

    async def search(self, query: SearchQuery, limit: int) -> list[Hit]:
        """Return at most `limit` hits, best first; [] when it has nothing to say."""
        ...
