"""The vectors of an evaluation set's questions, kept between runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from core.ports import Embedder


async def embed_questions(embedder: Embedder, texts: Sequence[str], cache: Path) -> dict[str, tuple[float, ...]]:
    """Embed questions, each once for a model; `cache` is the folder of the kept ones."""
    name = sha256(embedder.model_id.encode()).hexdigest()[:12]
    keys, values = cache / f"questions-{name}.json", cache / f"questions-{name}.npy"
    known: list[str] = json.loads(keys.read_text("utf-8")) if keys.is_file() else []
    vectors = list(np.load(values)) if known else []
    missing = sorted(set(texts) - set(known))
    vectors += [np.asarray(await embedder.embed_query(text), dtype=np.float32) for text in missing]
    if missing:
        keys.write_text(json.dumps(known + missing, ensure_ascii=False), "utf-8")
        np.save(values, np.stack(vectors))
    return {text: tuple(vector.tolist()) for text, vector in zip(known + missing, vectors, strict=True)}
