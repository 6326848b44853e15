"""Reads an evaluation set: sources, notebooks, questions. The set lies beside the repository and is not part of it."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DEFAULT_DIR = ROOT.parent / "shared" / "eval"


class Absent(Exception):
    """There is no evaluation set on this machine; the message says where it was looked for."""


@dataclass(frozen=True)
class EvalSet:
    """One split.

    Attributes:
        folder: Where its files lie.
        sources: Id to its row (`sid, lang, title, origin, text`).
        notebooks: Name to its sources' ids.
        queries: Rows as the files give them.
    """

    folder: Path
    sources: dict[str, dict[str, Any]]
    notebooks: dict[str, list[str]]
    queries: list[dict[str, Any]]


def eval_dir() -> Path:
    """Name the folder of the sets: `EVAL_DIR`, or `shared/eval` beside the repository."""
    folder = Path(os.environ.get("EVAL_DIR") or DEFAULT_DIR)
    if not folder.is_dir():
        raise Absent(f"no evaluation set at {folder}; set EVAL_DIR to its folder")
    return folder


def load(split: str = "dev") -> EvalSet:
    """Read a split.

    Raises:
        Absent: It is not on this machine.
    """
    folder = eval_dir() / split
    if not folder.is_dir():
        raise Absent(f"no split {split!r} in {folder.parent}")
    return EvalSet(
        folder,
        {row["sid"]: row for row in _rows(folder / "sources.jsonl.gz")},
        {row["nb"]: row["sources"] for row in _rows(folder / "notebooks.jsonl.gz")},
        _rows(folder / "queries.jsonl.gz"),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
