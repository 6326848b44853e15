"""Embeddings from any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from openai.types import CreateEmbeddingResponse

from core.adapters.openai_client import CONNECT_S, open_client
from core.adapters.openai_errors import translated_errors
from core.errors import PermanentError, RateLimited, TransientError

BATCH = 64
"""Inputs a request: what small servers still take at once."""
JITTER = (0.5, 1.5)
"""Factors of the pause before the one retry; random, so that workers do not come back together."""
SAFE_CHARS_PER_TOKEN = 2
"""A text that an endpoint calls too long is cut to so many characters a token: enough for any alphabet."""

_UNWANTED = {0: None, **dict.fromkeys(range(0xD800, 0xE000))}
_E5 = ("query: ", "passage: ")


@dataclass(frozen=True, slots=True)
class EmbeddingEndpoint:
    """Where an embedding model is and what it wants.

    Attributes:
        base_url: With its `/v1`.
        dimensions: Of its vectors, 0 to take what the first answer has.
        max_tokens: Longest input it reads.
        query_prefix, passage_prefix: Put before inputs; None means what the model's family wants.
        timeout_s: For one request.
        connect_s: Longest wait for a connection.
        pause_s: Mean pause before the one retry.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    dimensions: int = 0
    max_tokens: int = 512
    query_prefix: str | None = None
    passage_prefix: str | None = None
    timeout_s: float = 60.0
    connect_s: float = CONNECT_S
    pause_s: float = 0.5


class OpenAICompatibleEmbeddings:
    """The port `Embedder` over the openai client; `dimensions` is 0 until given or discovered."""

    def __init__(self, endpoint: EmbeddingEndpoint) -> None:
        self.model_id = endpoint.model
        self.dimensions = endpoint.dimensions
        self.max_tokens = endpoint.max_tokens
        self._timeout_s = endpoint.timeout_s
        self._pause_s = endpoint.pause_s
        family = _E5 if "e5" in endpoint.model.lower() else ("", "")
        self._query_prefix = family[0] if endpoint.query_prefix is None else endpoint.query_prefix
        self._passage_prefix = family[1] if endpoint.passage_prefix is None else endpoint.passage_prefix
        self._client = open_client(
            endpoint.base_url, endpoint.api_key, silence_s=endpoint.timeout_s, connect_s=endpoint.connect_s
        )

    async def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed texts to be found, in order; [] for [].

        Raises:
            TransientError: Network, overload, time-out, a broken answer.
            RateLimited: 429 with its wait.
            PermanentError: Wrong key, unknown model, vectors of another size than before.
        """
        vectors: list[list[float]] = []
        for at in range(0, len(texts), BATCH):
            batch = [self._passage_prefix + _clean(text) for text in texts[at : at + BATCH]]
            vectors += await self._embed_fitting(batch)
        return vectors

    async def embed_query(self, text: str) -> list[float]:
        """Embed a question; same errors."""
        return (await self._embed_fitting([self._query_prefix + _clean(text)]))[0]

    async def discover(self) -> int:
        """Give the number of dimensions, asking the endpoint if it is not known yet."""
        if not self.dimensions:
            await self.embed_query("?")
        return self.dimensions

    async def close(self) -> None:
        """Free the connections."""
        await self._client.close()

    async def _embed_fitting(self, inputs: list[str]) -> list[list[float]]:
        """Embed a batch; if a text is too long for the endpoint, once more with all cut to a safe length."""
        try:
            return await self._embed_twice(inputs)
        except PermanentError as error:
            longest = self.max_tokens * SAFE_CHARS_PER_TOKEN
            cut = [text[:longest] for text in inputs]
            if error.text_key != "embeddings-context-too-long" or cut == inputs:
                raise
            return await self._embed_twice(cut)

    async def _embed_twice(self, inputs: list[str]) -> list[list[float]]:
        """Embed a batch; what time may heal is tried once more, an asked-for wait is left to the caller."""
        try:
            return await self._embed(inputs)
        except RateLimited:
            raise
        except TransientError as error:
            if error.text_key == "embeddings-timeout":
                raise
        await asyncio.sleep(self._pause_s * random.uniform(*JITTER))
        return await self._embed(inputs)

    async def _embed(self, inputs: list[str]) -> list[list[float]]:
        with translated_errors("embeddings"):
            async with asyncio.timeout(self._timeout_s):
                response = await self._client.embeddings.create(
                    model=self.model_id, input=inputs, encoding_format="float"
                )
        vectors = _in_order(response, len(inputs))
        size = len(vectors[0])
        if self.dimensions and size != self.dimensions:
            raise PermanentError("embeddings-wrong-size", {"expected": self.dimensions, "got": size})
        self.dimensions = size
        return [_unit(vector, size) for vector in vectors]


def _clean(text: str) -> str:
    """Drop what JSON or a tokenizer chokes on; an empty input is refused by some endpoints."""
    return text.translate(_UNWANTED).strip() or "-"


def _in_order(response: CreateEmbeddingResponse, count: int) -> list[list[float]]:
    """Sort vectors by the input they belong to; some endpoints leave the index out."""
    items = list(getattr(response, "data", None) or ())
    if len(items) != count:
        raise TransientError("embeddings-broken-reply")
    indexes = [getattr(item, "index", None) for item in items]
    if sorted(i for i in indexes if isinstance(i, int)) == list(range(count)):
        items = [items[indexes.index(i)] for i in range(count)]
    return [list(item.embedding) for item in items]


def _unit(vector: list[float], size: int) -> list[float]:
    """Scale to length 1; what cannot be scaled is no vector."""
    if len(vector) != size or not all(isinstance(x, (int, float)) for x in vector):
        raise TransientError("embeddings-broken-reply")
    length = math.sqrt(math.fsum(x * x for x in vector))
    if not math.isfinite(length) or length == 0:
        raise TransientError("embeddings-broken-reply")
    return [x / length for x in vector]
