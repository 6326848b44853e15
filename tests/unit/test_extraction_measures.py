"""What measures extraction counts what it says."""

from pathlib import Path

import pytest

from core.model.source import SourceKind
from core.ports.documents import Cascade
from tests.quality.extraction_bars import Bar, judge_bars
from tests.quality.extraction_levels import WHOLE, Broken, Forced, Row, broken_before
from tests.quality.extraction_samples import Sample
from tests.quality.structure import Structure, error_rate, visible
from tests.quality.truths import Truth

MARKDOWN = """# Отчёт

<!-- # не заголовок -->
- оценить [состояние](https://example.org/a_(b))
1. составить смету

| Парк | Площадь |
| - | - |
| Роща | 516,0 |
"""


def _row(name: str, at_all: float, *, level: str = WHOLE, errors: float | None = None, outcome: str = "won") -> Row:
    truth = Truth("", Structure.of(headings=["а", "б"]))
    structure = ((1, 2), (0, 0), (0, 0)) if at_all else None
    return Row(Sample(Path(name), truth), SourceKind.PDF, level, outcome, 1.0, 1.0, at_all, at_all, structure, errors)


def test_marks_of_markdown_are_counted_and_what_nobody_sees_is_not() -> None:
    found = Structure.of_markdown(MARKDOWN)
    assert (found.headings.total(), found.cells.total(), found.items.total()) == (1, 4, 2)
    assert "example" not in visible(MARKDOWN)


def test_only_what_stands_there_as_the_same_thing_is_found() -> None:
    truth = Structure.of(headings=["Отчёт", "Методика"], cells=["516", "Роща", "Роща"], items=["оценить состояние"])
    assert truth.found_in(Structure.of_markdown(MARKDOWN)) == ((1, 2), (2, 3), (1, 1))
    assert truth.only("cells").found_in(Structure.of_markdown(MARKDOWN)) == ((0, 0), (2, 3), (0, 0))


@pytest.mark.parametrize(
    ("found", "rate"),
    [("три слова ещё", 0.0), ("три слова еще", 0.0), ("три еще", 1 / 3), ("а три слава еще", 2 / 3), ("", 1.0)],
)
def test_words_inserted_lost_and_replaced_are_errors(found: str, rate: float) -> None:
    assert error_rate(found, "Три слова, ещё!") == pytest.approx(rate)


def test_a_bar_is_about_its_own_level_and_files() -> None:
    rows = [_row("a.pdf", 0.98), _row("b.pdf", 1.0), _row("a.pdf", 0.1, level="other"), _row("c.docx", 0.1)]
    (verdict,) = judge_bars([Bar("PDF", "*.pdf !b*", "recall", 0.99)], rows)
    assert (verdict.measured, verdict.kept, verdict.worst) == (0.98, True, "a.pdf")


def test_a_bar_is_missed_by_more_than_its_tolerance_and_by_what_was_not_measured() -> None:
    rows = [_row("a.pdf", 0.97), _row("scan.png", 0.9, errors=0.05)]
    bars = [Bar("", "*.pdf", "recall", 0.99), Bar("", "*.png", "errors", 0.03), Bar("", "*.djvu", "recall", 1.0)]
    assert [verdict.kept for verdict in judge_bars(bars, rows)] == [False, False, False]


def test_what_was_not_read_counts_as_nothing_found() -> None:
    (verdict,) = judge_bars([Bar("", "*.pdf", "headings", 1.0)], [_row("a.pdf", 1.0), _row("b.pdf", 0.0)])
    assert verdict.measured == 0.25


def test_a_forced_failure_is_kept_when_a_later_level_takes_over() -> None:
    assert Forced(("a",), ("b+pdf",), _row("x", 1.0, outcome="b+pdf+tesseract")).kept
    assert not Forced(("a",), ("b",), _row("x", 0.0, outcome="source-unreadable")).kept
    assert Forced(("a",), (), _row("x", 0.0, outcome="source-unreadable")).kept


def test_each_level_that_is_made_to_fail_fails_in_its_own_way() -> None:
    cascade = Cascade(tuple(Broken(name, "") for name in "abcd"))
    failing = broken_before(cascade, 3).extractors
    assert [level.name for level in failing] == list("abcd")
    assert [level.how for level in failing if isinstance(level, Broken)] == ["raises", "dies", "hangs", ""]
