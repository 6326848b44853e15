"""Run every bench, one after the other: `python -m tests.bench [NAME …]`."""

import importlib
import sys
from pathlib import Path


def main(names: list[str]) -> int:
    """Run the named benches, or all of them; 1 when one misses its bar."""
    found = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    missed = [name for name in names or found if importlib.import_module(f"tests.bench.{name}").main() is False]
    print(f"missed: {', '.join(missed)}" if missed else "every bar is kept")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
