"""What the samples truly hold: from what lies beside them, or from their own XML by nothing but a parser of XML.

No truth is the output of an extractor that is measured against it, except docling's test data: their reference texts
are its makers' own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.integration.extraction.samples import FOLDER, LECTURE
from tests.quality.structure import Structure, visible
from tests.quality.truths_xml import epub_text, slides, word_structure

DATA_ROWS = (
    ("Парк", "Район", "Площадь, га", "Влажность, %", "Шум, дБ"),
    ("Сокольнический", "Восточный", "516", "31.4", "48"),
    ("Северная набережная", "Северный", "84.5", "44.2", "56"),
    ("Берёзовая роща", "Южный", "122.7", "28.9", "51"),
    ("Академический", "Западный", "63.1", "35", "43"),
    ("Работа", "Кол-во", "Цена", "Сумма"),
    ("Замена фонаря", "42", "12500", "525000"),
    ("Ремонт дренажа", "3", "840000", "2520000"),
    ("Обрезка тополей", "118", "5600", "660800"),
    ("Итого", "3705800"),
)
# The two sheets of ru_data. The sums are what its formulas give: the XLSX holds no value of them.

SHORT_NOTE = "Привет, это короткая заметка. Купить молоко и хлеб."

_MARKED = {".epub": ("cells",), ".fb2": ("headings", "cells"), ".zip": ("headings", "cells")}
# What these formats' samples mark: the EPUB styles its headings as paragraphs, FB2 knows no lists.


@dataclass(frozen=True, slots=True)
class Truth:
    """The text a sample holds, and its structure where that is known."""

    text: str
    structure: Structure | None = None


def truth_of(path: Path) -> Truth | None:
    """Find a sample's truth; None when it has none."""
    if path == LECTURE:
        return _markdown(path.with_suffix(".md"))
    return _BY_FOLDER[path.parent.name](path)


def report(language: str) -> Truth:
    """The report of which the synthetic samples are made."""
    folder = FOLDER / "synth"
    text = (folder / f"{language}.gt.txt").read_text("utf-8")
    return Truth(text, word_structure(folder / f"{language}_report.docx"))


def _of_synth(path: Path) -> Truth | None:
    language, _, rest = path.stem.partition("_")
    if ".gt" in path.name:
        return None
    if rest == "data":
        return Truth("\n".join(" ".join(row) for row in DATA_ROWS), _table(DATA_ROWS))
    if rest == "slides":
        return Truth(*slides(FOLDER / "synth" / f"{language}_slides.pptx", notes=path.suffix != ".pdf"))
    if path.suffix == ".csv":
        lines = (FOLDER / "synth" / "ru_utf8.csv").read_text("utf-8-sig").splitlines()
        return Truth("\n".join(lines), _table(tuple(tuple(line.split(";")) for line in lines)))
    if path.suffix == ".txt":
        return Truth(SHORT_NOTE) if language == "short" else Truth(report("ru").text)
    whole = report(path.name[:2])
    assert whole.structure is not None
    marked = _MARKED.get(path.suffix)
    return Truth(whole.text, whole.structure.only(*marked)) if marked else whole


def _of_docs(path: Path) -> Truth | None:
    beside = (path.with_name(path.name + ".md"), path.with_suffix(".md"))
    return next((_markdown(found) for found in beside if found.is_file() and found != path), None)


def _of_book(path: Path) -> Truth | None:
    if path.suffix == ".epub":
        return Truth(epub_text(path))
    beside = path.with_suffix(".txt")
    return Truth(beside.read_text("utf-8")) if path.suffix == ".pdf" and beside.is_file() else None


def _of_scan(path: Path) -> Truth | None:
    beside = (path.with_suffix(".gt.txt"), path.with_name(path.name.split("_")[0] + ".gt.txt"))
    found = next((one for one in beside if one.is_file()), None)
    return Truth(found.read_text("utf-8")) if found and path.suffix != ".txt" else None


def _of_bad(path: Path) -> Truth | None:
    """Of these only what can be read has a truth: an owner's password forbids nothing, and broken maps are OCR's."""
    return report("ru") if path.name.startswith(("tou_", "enc_owner")) else None


def _markdown(path: Path) -> Truth:
    text = path.read_text("utf-8")
    return Truth(visible(text), Structure.of_markdown(text))


def _table(rows: tuple[tuple[str, ...], ...]) -> Structure:
    return Structure.of(cells=[cell for row in rows for cell in row])


_BY_FOLDER: dict[str, Callable[[Path], Truth | None]] = {
    "synth": _of_synth,
    "docs": _of_docs,
    "books": _of_book,
    "scans": _of_scan,
    "bad": _of_bad,
}
