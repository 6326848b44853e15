"""Prints what was measured of extraction, and writes docs/extraction.md."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from tests.quality.extraction_bars import METRICS, TOLERANCE, Verdict
from tests.quality.extraction_levels import WHOLE, Forced, Row

HEAD = """# Quality of extraction

Written by `make quality` (`python -m tests.quality.extraction --write`); do not edit by hand. The samples, their
truths and their licences lie beside the repository; this page holds figures only. Links, videos and sound are measured
by their own tests: their samples are not files.

*In order* is the share of the true words that came out in their order, *at all* the share that came out somewhere;
headings, cells and items are what was found of the truth's as such. *Errors* is the word error rate of text that had to
be recognised. *Pages* counts those whose words stand on the page of their number. Every level ran alone in the real
runner; memory is the peak of all its processes. Machine: {machine}.
"""

PACKAGES = ("docling-slim", "liteparse", "pypdfium2", "chardet")
PROGRAMS = (("tesseract", "--version"), ("soffice", "--version"), ("djvutxt", "--help"))
TOOL_TIMEOUT_S = 30.0
_VERSION = re.compile(r"\d+\.\d+(?:\.\d+)*")


def row_line(row: Row) -> str:
    """Word a row for the console."""
    errors = "" if row.errors is None else f" errors {row.errors:.3f}"
    pages = f" pages {row.pages[0]}/{row.pages[1]}" if row.pages[1] else ""
    return (
        f"{row.sample.name:<28} {row.level:<18} {row.outcome:<34} {row.in_order:.3f} {row.at_all:.3f} "
        f"{_structure(row):<22} {row.seconds:5.1f} s {row.memory_mb:5.0f} MB{errors}{pages}"
    )


def forced_line(forced: Forced) -> str:
    """Word a forced failure."""
    word = "OK   " if forced.kept else "BELOW"
    return f"{word} {forced.row.sample.name}: without {', '.join(forced.failed)}: {forced.row.outcome}"


def bar_line(verdict: Verdict) -> str:
    """Word a bar."""
    bar = verdict.bar
    sign = "at most" if bar.metric == "errors" else "at least"
    return (
        f"{'OK   ' if verdict.kept else 'BELOW'} {bar.title}: {bar.metric} {_figure(verdict.measured)} "
        f"({sign} {bar.figure:.3f} ± {TOLERANCE}){f', worst {verdict.worst}' if verdict.worst else ''}"
    )


def write_page(path: Path, rows: Sequence[Row], forced: Sequence[Forced], verdicts: Sequence[Verdict]) -> Path:
    """Write the page and return where it is."""
    parts = [
        HEAD.format(machine=_machine()),
        "## Each format at each level\n",
        *_levels(rows),
        "\n## Bars\n",
        *_bars(verdicts),
        "\n## When the first levels fail\n",
        "Each failing level fails in a way of its own: it raises, its process dies, or it hangs until its deadline.\n",
        *_forced(forced),
        "\n## Each sample through its whole cascade\n",
        *_samples(rows),
    ]
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")
    return path


def _levels(rows: Sequence[Row]) -> list[str]:
    head = ("format", "level", "files", "read", "in order", "at all", "least", "headings", "cells", "items", "errors")
    lines = [_line((*head, "pages", "s a file", "MB")), _line(["---"] * (len(head) + 3))]
    for name in sorted({row.sample.format for row in rows}):
        of_format = [row for row in rows if row.sample.format == name]
        lines += [_level(name, level, of_format) for level in dict.fromkeys(_in_turn(of_format))]
    return lines


def _in_turn(rows: Iterable[Row]) -> list[str]:
    """Name the levels in the order of their cascade, the whole of it last."""
    names = [row.level for row in rows]
    return [name for name in names if name != WHOLE] + [WHOLE]


def _level(name: str, level: str, rows: Sequence[Row]) -> str:
    own = [row for row in rows if row.level == level]
    reasons = sorted({row.outcome for row in own if not row.at_all})
    got = [row for row in own if row.at_all]
    read = f"{len(got)}" if not reasons else f"{len(got)} ({'; '.join(reasons)})"
    cells = [name, f"**{level}**" if level == WHOLE else level, str(len(own)), read]
    if not got:
        return _line([*cells, *[""] * 10])
    return _line(
        [
            *cells,
            f"{sum(row.in_order for row in got) / len(got):.3f}",
            f"{METRICS['recall'](got):.3f}",
            f"{METRICS['least recall'](got):.3f}",
            *(_sum(got, part) for part in range(3)),
            _errors(got),
            _of(sum(row.pages[0] for row in got), sum(row.pages[1] for row in got)),
            f"{median(row.seconds for row in got):.1f}",
            f"{max(row.memory_mb for row in got):.0f}",
        ]
    )


def _samples(rows: Sequence[Row]) -> list[str]:
    head = ("sample", "read by", "in order", "at all", "headings, cells, items", "errors", "pages")
    lines = [_line(head), _line(["---"] * len(head))]
    for row in (row for row in rows if row.level == WHOLE):
        made = f" ({row.sample.origin})" if row.sample.origin else ""
        figures = [f"{row.in_order:.3f}", f"{row.at_all:.3f}"] if row.at_all else ["", ""]
        pages = _of(*row.pages)
        lines.append(_line([row.sample.name + made, row.outcome, *figures, _structure(row), _errors([row]), pages]))
    return lines


def _bars(verdicts: Sequence[Verdict]) -> list[str]:
    lines = [_line(("what", "measure", "bar", "measured", "", "pulled down most by")), _line(["---"] * 6)]
    for verdict in verdicts:
        bar = verdict.bar
        allowed = bar.figure + TOLERANCE if bar.metric == "errors" else bar.figure - TOLERANCE
        word = "ok" if verdict.kept else "**below**"
        sign = "≤" if bar.metric == "errors" else "≥"
        measured = _figure(verdict.measured)
        lines.append(_line([bar.title, bar.metric, f"{sign} {allowed:.3f}", measured, word, verdict.worst]))
    return lines


def _forced(forced: Sequence[Forced]) -> list[str]:
    lines = [_line(("kind", "made to fail", "then", "at all", "")), _line(["---"] * 5)]
    for one in forced:
        kind = str(one.row.kind)
        at_all = f"{one.row.at_all:.3f}" if one.row.at_all else ""
        word = "ok" if one.kept else "**below**"
        lines.append(_line([kind, ", ".join(one.failed), one.row.outcome, at_all, word]))
    return lines


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _structure(row: Row) -> str:
    return "" if row.structure is None else ", ".join(_of(*pair) or "–" for pair in row.structure)


def _sum(rows: Sequence[Row], part: int) -> str:
    pairs = [row.structure[part] for row in rows if row.structure is not None]
    return _of(sum(found for found, _ in pairs), sum(of for _, of in pairs))


def _of(found: int, of: int) -> str:
    return f"{found}/{of}" if of else ""


def _errors(rows: Sequence[Row]) -> str:
    rates = [row.errors for row in rows if row.errors is not None]
    if not rates:
        return ""
    return f"{min(rates):.3f}" if len(rates) == 1 else f"{min(rates):.3f}–{max(rates):.3f}"


def _figure(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.3f}"


def _machine() -> str:
    """Say what figures depend on, and nothing that names the machine."""
    packages = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES]
    programs = [f"{command[0]} {_version(command)}" for command in PROGRAMS if shutil.which(command[0])]
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, {', '.join([*packages, *programs])}"


def _version(command: Sequence[str]) -> str:
    told = subprocess.run(command, capture_output=True, text=True, timeout=TOOL_TIMEOUT_S, check=False)
    found = _VERSION.search(told.stdout + told.stderr)
    return found[0] if found else ""
