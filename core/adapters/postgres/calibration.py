"""What is known of an embedding model's languages before it has seen a single text of ours."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

_FILES = {"multilingual-e5-small": "e5_small.json"}
"""Part of a model's name to its file: weights that are stored in another precision have the same means."""


def shipped_calibration(model_name: str) -> dict[str, Any]:
    """Give the calibration that ships for a model, {} when there is none.

    Returns:
        `{"means": {language: vector}}`: the mean vector of passages of each language.
    """
    file = next((file for part, file in _FILES.items() if part in model_name), None)
    return _load(file) if file else {}


@lru_cache
def _load(file: str) -> dict[str, Any]:
    path = files("core.adapters.postgres") / "calibrations" / file
    if not path.is_file():
        return {}
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
