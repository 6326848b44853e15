"""The embedding model as rows know it, and questions as vectors."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import structlog

from core.errors import KonspektError
from core.model.ids import ModelId
from core.ports import Embedder, Transactions

log = structlog.get_logger()

QUERY_TIMEOUT_S = 8.0
"""A question's vector costs 20 ms here; what takes longer is an endpoint in trouble, and words still find."""
PROBE = "konspekt"


@dataclass(slots=True)
class EmbeddingModel:
    """The configured embedder with its id in the database, looked up once a process."""

    embedder: Embedder
    transactions: Transactions
    _id: ModelId | None = field(default=None)

    async def id(self) -> ModelId:
        """Find or register the model; an endpoint tells its dimensions with its first answer.

        Raises:
            TransientError, PermanentError: The endpoint did not answer.
        """
        if self._id is None:
            if not self.embedder.dimensions:
                await self.embedder.embed_query(PROBE)
            async with self.transactions() as tx:
                self._id = await tx.vectors.model(self.embedder.model_id, self.embedder.dimensions)
        return self._id

    async def query_vector(self, text: str) -> tuple[ModelId, tuple[float, ...]] | None:
        """Embed a question; None when that is not possible now, which costs recall and not the answer."""
        try:
            async with asyncio.timeout(QUERY_TIMEOUT_S):
                model_id = await self.id()
                return model_id, tuple(await self.embedder.embed_query(text))
        except (KonspektError, TimeoutError) as error:
            log.warning("query_not_embedded", error=type(error).__name__)
            return None
