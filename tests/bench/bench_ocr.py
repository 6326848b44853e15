"""Measure local recognition: `python -m tests.bench.bench_ocr [part of a file's name]`.

A row for each measured scan: word error (edits between the words, by the true words) and seconds. The numbers written
beside the constants of `core/adapters/extractors/picture_*.py` and `recognised_text.py` come from here.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from core.adapters.extractors.picture_text import PrintReader
from core.adapters.extractors.pictures import open_pictures
from tests.integration.extraction.reading import words
from tests.integration.extraction.samples import FOLDER


def word_error(found: str, truth: str) -> float:
    """Return the edits that make the true words of what was found, by the number of true words."""
    heard, said = words(found), words(truth)
    row = list(range(len(heard) + 1))
    for index, word in enumerate(said, 1):
        above, row[0] = row[0], index
        for at, other in enumerate(heard, 1):
            above, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, above + (word != other))
    return row[-1] / max(1, len(said))


def truth_of(path: Path) -> Path:
    """Find a scan's true text: its own, or that of the page it shows."""
    own = path.with_suffix(".gt.txt")
    return own if own.is_file() else path.with_name(path.name.split("_")[0] + ".gt.txt")


def main(part: str = "") -> None:
    """Print the table of the scans whose name holds a part; it has no bar of its own."""
    print(f"{'scan':<24} {'word error':>10} {'s':>6}")
    for path in sorted((FOLDER / "scans").glob("*.[jp][pn]g")):
        if part not in path.name:
            continue
        started = time.monotonic()
        (picture,) = open_pictures(str(path), (1,))
        text = PrintReader().read(picture.image) or ""
        seconds = time.monotonic() - started
        print(
            f"{path.name:<24} {word_error(text, truth_of(path).read_text('utf-8-sig')):10.3f} {seconds:6.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
