"""Measure everything that has a measure, and write its pages: `python -m tests.quality [retrieval|extraction …]`."""

import sys
from collections.abc import Callable, Sequence

from tests.quality import extraction, retrieval

MEASURES: dict[str, tuple[Callable[[], int], tuple[str, ...]]] = {
    "retrieval": (retrieval.main, ()),
    "extraction": (extraction.main, ("--write",)),
}
"""Name to what measures it and the options of a full run."""


def main(names: Sequence[str]) -> int:
    """Run the named measures, or all; 1 when one ended with something else than 0."""
    codes = []
    for name in names or MEASURES:
        measure, options = MEASURES[name]
        sys.argv[1:] = options
        codes.append(measure())
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
