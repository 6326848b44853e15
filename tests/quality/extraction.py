"""Measure extraction: `python -m tests.quality.extraction [--only PART] [--write]`.

Every sample that has a truth goes through each level of its cascade alone, through the whole cascade, and, one sample
a kind, through the cascade with its first levels failing; all in the real runner. The command says of every bar whether
it is kept, and ends with 1 when one is not. `--write` writes docs/extraction.md.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.adapters.inspection import preflight
from core.errors import UserError
from core.model.source import SourceKind
from core.ports.documents import Cascade, Level
from core.settings import Settings
from tests.integration.extraction.samples import FOLDER, ROOT
from tests.quality.extraction_bars import BARS, judge_bars
from tests.quality.extraction_levels import WHOLE, Forced, Row, broken_before, run_cascade, run_level
from tests.quality.extraction_samples import Sample, samples
from tests.quality.extraction_table import bar_line, forced_line, row_line, write_page
from workers.outside import build_outside

MAX_PAGES = 3000


@dataclass(slots=True)
class Measured:
    """All rows; those with failing levels apart."""

    rows: list[Row] = field(default_factory=list)
    forced: list[Forced] = field(default_factory=list)


async def measure(cascades: Mapping[SourceKind, Cascade], given: Iterable[Sample]) -> Measured:
    """Measure each sample; the first of a kind with failing levels too."""
    measured = Measured()
    seen: set[SourceKind] = set()
    for sample in given:
        try:
            found = await preflight(str(sample.path), sample.name, "", max_pages=MAX_PAGES)
        except UserError as error:
            _take(measured, Row(sample, None, WHOLE, error.text_key, 0.0, 0.0))
            continue
        cascade = cascades.get(found.kind, Cascade(()))
        for level in _levels(cascade, sample):
            _take(measured, await run_level(level, sample, found.kind))
        _take(measured, await run_cascade(cascade, sample, found.kind))
        if found.kind not in seen:
            seen.add(found.kind)
            await _measure_forced(measured, cascade, sample, found.kind)
    return measured


def _levels(cascade: Cascade, sample: Sample) -> tuple[Level, ...]:
    """Name the levels to run alone; the page rescue where it has something to do: it takes seconds a page."""
    rescued = sample.is_picture or sample.path.parent.name == "bad"
    known = {level.name for level in cascade.extractors}
    return cascade.extractors + tuple(level for level in cascade.page_rescue if rescued and level.name not in known)


async def _measure_forced(measured: Measured, cascade: Cascade, sample: Sample, kind: SourceKind) -> None:
    """Let the first levels fail, one more each time."""
    for count in range(1, len(cascade.extractors) + 1):
        rest = [level.name for level in cascade.extractors[count:] if not level.unavailable()]
        row = await run_cascade(broken_before(cascade, count), sample, kind)
        forced = Forced(tuple(level.name for level in cascade.extractors[:count]), tuple(rest), row)
        print(forced_line(forced), flush=True)
        measured.forced.append(forced)


def _take(measured: Measured, row: Row) -> None:
    print(row_line(row), flush=True)
    measured.rows.append(row)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="PART", help="only samples whose name holds this")
    parser.add_argument("--write", action="store_true", help="write docs/extraction.md")
    return parser.parse_args()


def main() -> int:
    """Measure, print, write; 1 when a bar is missed."""
    options = _options()
    if not FOLDER.is_dir():
        print("Extraction is not measured: the samples are absent (SAMPLES_DIR)")
        return 0
    with tempfile.TemporaryDirectory(prefix="konspekt-quality-") as made:
        cascades = build_outside(Settings()).cascades  # as a worker of these settings has them
        measured = asyncio.run(measure(cascades, samples(Path(made), options.only)))
    verdicts = [one for one in judge_bars(BARS, measured.rows) if one.measured is not None or not options.only]
    for verdict in verdicts:
        print(bar_line(verdict))
    if options.write:
        print(f"written: {write_page(ROOT / 'docs' / 'extraction.md', measured.rows, measured.forced, verdicts)}")
    return int(not all(verdict.kept for verdict in verdicts) or not all(forced.kept for forced in measured.forced))


if __name__ == "__main__":
    sys.exit(main())
