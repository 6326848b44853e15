"""The bars of extraction: figures that were measured before this product was written, each ± `TOLERANCE`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

from tests.quality.extraction_levels import WHOLE, Row

TOLERANCE = 0.01
# What another machine, another font or another version of a program may cost.


@dataclass(frozen=True, slots=True)
class Bar:
    """One figure to be kept.

    Attributes:
        title: As printed.
        names: Patterns of samples' names, by spaces.
        metric: A name of `METRICS`.
        figure: To be reached within `TOLERANCE`; of error rates not to be passed.
        level: The extractor it is about, or the whole cascade.
    """

    title: str
    names: str
    metric: str
    figure: float
    level: str = WHOLE


@dataclass(frozen=True, slots=True)
class Verdict:
    """A bar with what was measured; None when no row of it was."""

    bar: Bar
    measured: float | None
    worst: str = ""

    @property
    def kept(self) -> bool:
        """Say whether it is; what was not measured is not."""
        if self.measured is None:
            return False
        if self.bar.metric == "errors":
            return self.measured <= self.bar.figure + TOLERANCE + 1e-9
        return self.measured >= self.bar.figure - TOLERANCE - 1e-9


def judge_bars(bars: Sequence[Bar], rows: Sequence[Row]) -> list[Verdict]:
    """Hold every bar against the rows it is about."""
    verdicts = []
    for bar in bars:
        own = [row for row in rows if row.level == bar.level and _matches(row.sample.name, bar.names)]
        measured = METRICS[bar.metric](own) if own else None
        worst = _worst(own, bar.metric)
        verdicts.append(Verdict(bar, measured, worst))
    return verdicts


def _matches(name: str, patterns: str) -> bool:
    """Say whether a name fits; a pattern behind a `!` takes out what an earlier one took in."""
    wanted = [pattern for pattern in patterns.split() if not pattern.startswith("!")]
    refused = [pattern[1:] for pattern in patterns.split() if pattern.startswith("!")]
    return any(fnmatch(name, one) for one in wanted) and not any(fnmatch(name, one) for one in refused)


def _worst(rows: Sequence[Row], metric: str) -> str:
    """Name the sample that pulls a figure down most, "" where none does."""
    if not rows:
        return ""
    row = min(rows, key=lambda one: METRICS[_SINGLE.get(metric, metric)]([one]) * (-1 if metric == "errors" else 1))
    perfect = METRICS[_SINGLE.get(metric, metric)]([row]) == (0.0 if metric == "errors" else 1.0)
    return "" if perfect else row.sample.name


def _share(part: int) -> Callable[[Sequence[Row]], float]:
    def share(rows: Sequence[Row]) -> float:
        pairs = [row.structure[part] if row.structure is not None else _none_of(row, part) for row in rows]
        total = sum(of for _, of in pairs)
        return sum(found for found, _ in pairs) / total if total else 1.0

    return share


def _none_of(row: Row, part: int) -> tuple[int, int]:
    """Count what a sample holds that was not read at all."""
    truth = row.sample.truth.structure
    return (0, (truth.headings, truth.cells, truth.items)[part].total()) if truth is not None else (0, 0)


def _pages(rows: Sequence[Row]) -> float:
    total = sum(row.pages[1] for row in rows)
    return sum(row.pages[0] for row in rows) / total if total else 0.0


METRICS: dict[str, Callable[[Sequence[Row]], float]] = {
    "recall": lambda rows: sum(row.at_all for row in rows) / len(rows),
    "least recall": lambda rows: min(row.at_all for row in rows),
    "headings": _share(0),
    "cells": _share(1),
    "items": _share(2),
    "errors": lambda rows: sum(1.0 if row.errors is None else row.errors for row in rows) / len(rows),
    "pages": _pages,
}
"""Rows to one figure; what was not read counts as nothing found."""

_SINGLE = {"least recall": "recall"}

_PDF = "*.pdf !tou_* !*scan*"
_PDF_WORDS = f"{_PDF} !*_slides.pdf"
# The text of those two runs off its slides: what is not on the page is no extractor's loss.
_ENCODED = "ru_cp*.txt ru_koi*.txt ru_iso*.txt ru_mac*.txt ru_utf*.txt short_*.txt ru_*.csv ru_cp1251.html"


def _office(title: str, names: str, *parts: str) -> tuple[Bar, ...]:
    """Recall 1.000 with all that the format marks."""
    return (Bar(title, names, "recall", 1.0), *(Bar(title, names, part, 1.0) for part in parts))


BARS: tuple[Bar, ...] = (
    *_office("DOCX", "*.docx", "headings", "cells", "items"),
    *_office("PPTX", "*.pptx", "headings", "cells", "items"),
    *_office("XLSX", "*.xlsx", "cells"),
    *_office("ODT", "*.odt", "headings", "cells", "items"),
    *_office("ODP", "*.odp", "headings", "cells", "items"),
    *_office("ODS", "*.ods", "cells"),
    *_office("DOC", "*.doc", "headings", "cells", "items"),
    *_office("PPT", "*.ppt", "headings", "cells", "items"),
    *_office("XLS", "*.xls", "cells"),
    *_office("RTF", "*.rtf", "headings", "cells", "items"),
    *_office("HTML", "*.html", "headings", "cells", "items"),
    *_office("Markdown", "*.md", "headings", "items"),
    *_office("CSV", "*.csv", "cells"),
    *_office("EPUB", "*.epub !upg*", "cells"),
    Bar("EPUB packed in another order", "upg*.epub", "recall", 0.998),
    *_office("FB2", "*.fb2 *.fb2.zip", "headings", "cells"),
    Bar("Russian in every encoding", _ENCODED, "least recall", 1.0),
    Bar("PDF by liteparse", _PDF_WORDS, "recall", 0.986, "liteparse"),
    Bar("PDF by liteparse", _PDF_WORDS, "least recall", 0.952, "liteparse"),
    Bar("PDF by liteparse", _PDF, "headings", 378 / 465, "liteparse"),
    Bar("PDF by liteparse", _PDF, "cells", 310 / 475, "liteparse"),
    Bar("PDF by liteparse", _PDF, "pages", 1.0, "liteparse"),
    Bar("PDF by docling-native", _PDF_WORDS, "recall", 0.989, "docling-native"),
    Bar("PDF by docling-native", _PDF, "pages", 1.0, "docling-native"),
    Bar("PDF by pdfium", _PDF_WORDS, "recall", 0.969, "pdfium"),
    Bar("PDF, whole cascade", _PDF_WORDS, "recall", 0.986),
    Bar("PDF, whole cascade", _PDF, "headings", 378 / 465),
    Bar("PDF, whole cascade", _PDF, "cells", 310 / 475),
    Bar("PDF with a broken map of letters", "tou_*.pdf", "recall", 0.973),
    Bar("scan at 300 dpi", "ru1_300.* maint20_300.png ru1_scan.*", "errors", 0.022),
    Bar("scan at 150 dpi", "ru1_150.png", "errors", 0.032),
    Bar("scan skewed and noisy", "ru1_200deg.jpg maint20_200deg.jpg", "errors", 0.038),
    Bar("scan upside down", "ru1_rot180.png", "errors", 0.032),
    Bar("photo of a page", "ru1_phone.jpg", "errors", 0.52),
    Bar("photo of a page", "ru1_phone.jpg", "recall", 0.815),
    Bar("font like handwriting", "hw_caveat.png", "errors", 0.43),
    Bar("DJVU with a layer of text", "ru1_layer.djvu", "recall", 1.0),
)
"""Recall is that of words at all; structure is what was found of the truth's."""
