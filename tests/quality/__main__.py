"""Measure everything that has a measure: `python -m tests.quality`."""

import sys

from tests.quality.retrieval import main

if __name__ == "__main__":
    sys.exit(main())
