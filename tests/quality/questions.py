"""An embedder that remembers the vectors of questions between runs: a set is asked again and again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from core.ports import Embedder


class RememberingEmbedder:
    """Passes on to an embedder what it has not been asked before; see `core.ports.Embedder`."""

    def __init__(self, embedder: Embedder, cache: Path) -> None:
        self._embedder = embedder
        self.model_id, self.dimensions, self.max_tokens = embedder.model_id, embedder.dimensions, embedder.max_tokens
        name = sha256(embedder.model_id.encode()).hexdigest()[:12]
        self._keys, self._values = cache / f"questions-{name}.json", cache / f"questions-{name}.npy"
        texts = json.loads(self._keys.read_text("utf-8")) if self._keys.is_file() else []
        self._known: dict[str, list[float]] = (
            dict(zip(texts, np.load(self._values).tolist(), strict=True)) if texts else {}
        )
        self._remembered = len(self._known)

    async def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed passages (the database remembers them)."""
        return await self._embedder.embed_passages(texts)

    async def embed_query(self, text: str) -> list[float]:
        """Embed a question, once."""
        if text not in self._known:
            self._known[text] = await self._embedder.embed_query(text)
        return self._known[text]

    async def close(self) -> None:
        """Write down what is new and close."""
        if len(self._known) > self._remembered:
            self._keys.write_text(json.dumps(list(self._known), ensure_ascii=False), "utf-8")
            np.save(self._values, np.asarray(list(self._known.values()), dtype=np.float32))
        await self._embedder.close()
