"""Measure extraction: `python -m tests.quality.extraction [part of a file's name]`.

A row for each sample that has a truth: which extractor won, how many of the true words came out in their order, how
many came out at all, pages, and seconds. Marks of Markdown count on neither side.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from core.adapters.inspection import preflight
from core.errors import UserError
from tests.integration.extraction.reading import read_file, recall, words
from tests.integration.extraction.samples import FOLDER, LECTURE


@dataclass(frozen=True, slots=True)
class Row:
    """What became of one sample; recalls are shares."""

    name: str
    outcome: str
    in_order: float
    at_all: float
    pages: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.name:<34} {self.outcome:<26} {self.in_order:6.3f} {self.at_all:6.3f} "
            f"{self.pages:5} {self.seconds:6.1f}"
        )


def truth_of(path: Path) -> Path | None:
    """Find the file that holds a sample's true text."""
    candidates = [
        path.with_name(path.name + ".md"),
        path.with_suffix(".md"),
        path.with_suffix(".gt.txt"),
        path.with_name(path.name.split("_")[0] + ".gt.txt"),
        path.with_suffix(".txt"),
    ]
    if path.parent.name == "bad":
        candidates = [FOLDER / "synth" / "ru.gt.txt"]
    return next((found for found in candidates if found.is_file() and found != path), None)


def compare(text: str, truth: Path) -> tuple[float, float]:
    """Return the shares of the true words that came out in order, and at all."""
    expected = truth.read_text("utf-8-sig")
    wanted, had = Counter(words(expected)), Counter(words(text))
    return recall(text, expected), (wanted & had).total() / max(1, wanted.total())


async def measure(path: Path, truth: Path) -> Row:
    """Read one sample through preflight and cascade and compare it with its truth."""
    started = time.monotonic()
    try:
        found = await preflight(str(path), path.name, "", max_pages=3000)
    except UserError as error:
        return Row(path.name, error.text_key, 0.0, 0.0, 0, time.monotonic() - started)
    reading = await read_file(path, found.kind)
    seconds = time.monotonic() - started
    if reading.document is None:
        return Row(path.name, reading.reason.text_key if reading.reason else "?", 0.0, 0.0, found.pages, seconds)
    in_order, at_all = compare(reading.document.text, truth)
    return Row(path.name, reading.extractor, in_order, at_all, found.pages, seconds)


async def main(part: str) -> None:
    """Print the table."""
    print(f"{'sample':<34} {'extractor or refusal':<26} {'order':>6} {'all':>6} {'pages':>5} {'s':>6}")
    files = [file for folder in ("synth", "docs", "books", "bad") for file in sorted((FOLDER / folder).glob("*"))]
    rows: list[Row] = []
    for path in [*files, LECTURE]:
        truth = truth_of(path)
        if truth is None or part not in path.name or path.suffix in (".md", ".png", ".csv") or ".gt" in path.name:
            continue
        row = await measure(path, truth)
        print(row, flush=True)
        if row.at_all:
            rows.append(row)
    if rows:
        print(f"mean of {len(rows)} read: {sum(row.in_order for row in rows) / len(rows):.3f} in order")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else ""))
