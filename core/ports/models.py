"""Embedding and language models."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


class Embedder(Protocol):
    """Text to unit vectors."""

    model_id: str
    dimensions: int
    max_tokens: int

    async def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts to be found; [] for []."""
        ...

    async def embed_query(self, text: str) -> list[float]:
        """Embed a question."""
        ...

    async def close(self) -> None:
        """Free its connections or memory."""
        ...


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to a language model; `role` is system, user or assistant."""

    role: str
    content: str


SearchTool = Callable[[str], Awaitable[str]]
"""`search_sources`: a query in, numbered passages as text out."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A piece of a streamed reply: more text, or how it ended.

    `finish` is "" while it streams, then "stop", "length" or "refused" (the model used its refusal tool).
    """

    text: str = ""
    finish: str = ""


class LanguageModel(Protocol):
    """A chat model."""

    name: str
    window_tokens: int

    def answer(
        self, messages: Sequence[ChatMessage], search_sources: SearchTool, *, max_searches: int
    ) -> AsyncIterator[ModelReply]:
        """Stream an answer; the model may search and may refuse by a tool.

        Raises:
            TransientError: Network, overload, silence longer than the time-out; nothing or a part was streamed.
            RateLimited: 429 with its wait.
            PermanentError: Wrong key, unknown model, context too long.
        """
        ...

    async def complete(self, messages: Sequence[ChatMessage], *, max_tokens: int) -> str:
        """Answer at once, without tools; same errors."""
        ...

    async def close(self) -> None:
        """Free its connections."""
        ...
