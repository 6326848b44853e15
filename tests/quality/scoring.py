"""Scores of a run, question by question, by the evaluation set's own scorer."""

from __future__ import annotations

import gzip
import importlib.util
import json
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

Question = dict[str, Any]
Scores = Mapping[str, Mapping[str, float]]
"""Question id to metric (R1, R5, P5, P10, …) to 0…1."""

SLICES: dict[str, Callable[[Question], bool]] = {
    "ru-large natural": lambda q: q["nb"] == "ru-large" and "natural" in q["subsets"],
    "en papers": lambda q: "paper" in q["subsets"],
    "en wiki": lambda q: "wiki" in q["subsets"],
    "mixed ru-ru": lambda q: q["nb"] == "mixed" and "ru-ru" in q["subsets"],
    "cross ru→en": lambda q: "ru-en" in q["subsets"],
    "cross en→ru": lambda q: "en-ru" in q["subsets"],
    "paraphrase": lambda q: "paraphrase" in q["subsets"],
    "codes and exact": lambda q: "code" in q["subsets"],
    "typos": lambda q: "typo" in q["subsets"],
    "two questions": lambda q: "multi" in q["subsets"],
    "titled": lambda q: "titled" in q["subsets"],
    "overview": lambda q: "overview" in q["subsets"],
    "all": lambda q: True,
}
METRICS = ("R1", "R5", "P5", "P10")


def scorer(eval_dir: Path) -> ModuleType:
    """Load `score_run.py` from beside the data."""
    spec = importlib.util.spec_from_file_location("score_run", eval_dir / "score_run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def score(module: ModuleType, queries: Sequence[Question], run: Mapping[str, Sequence[dict[str, Any]]]) -> Scores:
    """Score the answerable questions that were run."""
    return {q["qid"]: module.one(q, run[q["qid"]]) for q in queries if q["gold"] and q["qid"] in run}


def baselines(eval_dir: Path) -> dict[str, Scores]:
    """Load the scores of known systems on dev, {} when they are not there."""
    path = eval_dir / "baselines-dev.json.gz"
    if not path.is_file():
        return {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        loaded: dict[str, Scores] = json.load(file)
    return loaded


def mean(scores: Scores, ids: Sequence[str], metric: str) -> float:
    """Average a metric over questions."""
    return sum(scores[qid][metric] for qid in ids) / len(ids)


def raw_place(offsets: Sequence[tuple[int, int]], at: int) -> int:
    """Find where a character of a clean text stands in the raw one."""
    new, old = offsets[bisect_right(offsets, at, key=lambda pair: pair[0]) - 1]
    return old + at - new
