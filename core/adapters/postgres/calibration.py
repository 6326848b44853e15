"""What the texts of a language have in common in an embedding model: shipped for ours, learnt for others.

A calibration is `{"means": {language: vector}, "learning": {language: {"sources": [id, …], "sum": vector}}}`. A mean
takes a sample from each of some sources, so that it holds the language and not the subject of one book; once known it
stays, since every stored score would move with it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

SOURCES_FOR_A_MEAN = 20
"""Sources sampled for a language's mean, so that it is not that of a subject."""

_FILES = {"multilingual-e5-small": "e5_small.json"}
"""Part of a model's name to its file: weights that are stored in another precision have the same means."""

Calibration = dict[str, Any]


def shipped_calibration(model_name: str) -> Calibration:
    """Give the calibration that ships for a model, {} when there is none."""
    file = next((file for part, file in _FILES.items() if part in model_name), None)
    return _load(file) if file else {}


def learn(known: Calibration, language: str, source_id: int, vectors: Sequence[Sequence[float]]) -> Calibration | None:
    """Take a source's vectors in.

    Args:
        known: The calibration so far; not changed.
        language: That of all the vectors.
        source_id: Sampled once, by its first vectors.
        vectors: At least one, all of one length.

    Returns:
        The new calibration, None when there is nothing new in it.
    """
    begun = known.get("learning", {}).get(language, {"sources": [], "sum": [0.0] * len(vectors[0])})
    if language in known.get("means", {}) or source_id in begun["sources"]:
        return None
    mean = [sum(values) / len(vectors) for values in zip(*vectors, strict=True)]
    total = [before + value for before, value in zip(begun["sum"], mean, strict=True)]
    sampled = [*begun["sources"], source_id]
    learning = {other: state for other, state in known.get("learning", {}).items() if other != language}
    if len(sampled) < SOURCES_FOR_A_MEAN:
        return {**known, "learning": {**learning, language: {"sources": sampled, "sum": total}}}
    means = {**known.get("means", {}), language: [value / len(sampled) for value in total]}
    return {**known, "means": means, "learning": learning}


@lru_cache
def _load(file: str) -> Calibration:
    path = files("core.adapters.postgres") / "calibrations" / file
    loaded: Calibration = json.loads(path.read_text(encoding="utf-8"))
    return loaded
