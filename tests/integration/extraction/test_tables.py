"""F4, F6, F7: tables of any size, in bounded memory and time, and what was dropped is said."""

from __future__ import annotations

import datetime
import zipfile
from pathlib import Path

import pytest

from core.adapters.extractors.docling_sheets import MOST_ROWS, DoclingSheets
from core.adapters.extractors.soffice import converted
from core.adapters.extractors.table_rows import TableRows
from core.adapters.extractors.tables import MAX_CHARACTERS, MAX_ROWS
from core.adapters.inspection import preflight
from core.model.document import Document
from core.model.source import Outcome, Reason, SourceKind
from core.ports.documents import Cascade, ExtractionRequest, Extractor
from tests.integration.extraction.made import packed
from tests.integration.extraction.office_made import bare_xlsx, with_part, xlsx
from tests.integration.extraction.programs import needs
from tests.integration.extraction.reading import read_file
from tests.integration.extraction.samples import sample

EXTRACTORS = pytest.mark.parametrize("extractor", [DoclingSheets(), TableRows()], ids=lambda extractor: extractor.name)
LENGTHS = [["Река", "Длина"], ["Ока", 1500], ["Угра", 399.5]]


def _here(extractor: Extractor, path: Path, kind: SourceKind = SourceKind.XLSX) -> Document:
    """Run an extractor in this process: only on files that the test itself made."""
    return extractor.extract(ExtractionRequest(str(path), kind), lambda _done, _total: None)


def _rows(count: int, cells: int = 7) -> str:
    """Rows of SpreadsheetML with inline numbers."""
    return "".join(f'<row r="{row}">{f"<c><v>{row}</v></c>" * cells}</row>' for row in range(1, count + 1))


async def test_f4_a_third_of_a_million_rows_are_streamed_and_the_loss_is_said(tmp_path: Path) -> None:
    path = bare_xlsx(tmp_path / "large.xlsx", _rows(300_000), dimension="A1:G300000")
    assert (await preflight(str(path), path.name, "", max_pages=9)).kind is SourceKind.XLSX
    reading = await read_file(
        path, SourceKind.XLSX, Cascade((DoclingSheets(memory_bytes=300 << 20), TableRows(memory_bytes=300 << 20)))
    )
    assert [(one.extractor, one.outcome, one.reason) for one in reading.attempts] == [
        ("docling-sheets", Outcome.FAILED, "too-many-cells"),
        ("table-rows", Outcome.WON, ""),
    ]
    document = reading.document
    assert document is not None
    assert document.text.startswith("## Лист 1\n\n| 1 | 1 |")
    assert f"| {MAX_ROWS} |" in document.text
    assert f"| {MAX_ROWS + 1} |" not in document.text
    assert document.lost == (Reason("lost-rows", {"sheet": "Лист 1", "read": MAX_ROWS, "total": 300_000}),)


@EXTRACTORS
async def test_f4_a_range_declared_far_too_large_costs_nothing(extractor: Extractor, tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c><c r="BK1"><v>2</v></c></row><row r="3"><c r="B3"><v>7</v></c></row>'
    path = bare_xlsx(tmp_path / "far.xlsx", rows, dimension="A1:BK1048501")
    reading = await read_file(path, SourceKind.XLSX, Cascade((extractor,)))
    assert reading.document is not None
    assert {"1", "2", "7"} <= set(reading.document.text.replace("|", " ").split())
    assert reading.document.lost == ()


async def test_f4_values_that_stand_far_apart_are_read_row_by_row(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048501"><c r="BK1048501"><v>7</v></c></row>'
    path = bare_xlsx(tmp_path / "far.xlsx", rows, dimension="A1:BK1048501")
    reading = await read_file(path, SourceKind.XLSX)
    assert reading.extractor == "table-rows"
    assert reading.document is not None
    assert reading.document.text.rstrip(" |").endswith("7")


async def test_f4_the_sample_with_a_far_cell_is_read_at_once() -> None:
    reading = await read_file(sample("bad/farcell.xlsx"), SourceKind.XLSX)
    assert reading.document is not None
    assert "конец" in reading.document.text
    assert reading.document.lost == ()


def test_f4_empty_rows_are_not_read_as_rows(tmp_path: Path) -> None:
    empty = "".join(f'<row r="{row}" s="1"/>' for row in range(2, MOST_ROWS + 100))
    path = bare_xlsx(tmp_path / "empty.xlsx", '<row r="1"><c><v>5</v></c></row>' + empty)
    document = _here(TableRows(), path)
    assert document.text == "## Лист 1\n\n| 5 |\n| - |"
    assert document.lost == ()


def test_f4_all_sheets_together_stay_below_the_limit_of_characters(tmp_path: Path) -> None:
    cell = "<c t='inlineStr'><is><t>" + "слово " * 40 + "</t></is></c>"
    path = bare_xlsx(tmp_path / "wide.xlsx", f"<row>{cell * 5}</row>" * 1200, sheets=3)
    document = _here(TableRows(), path)
    assert 0.9 * MAX_CHARACTERS < len(document.text) <= 1.01 * MAX_CHARACTERS
    assert [reason.values["total"] for reason in document.lost] == [1200, 1200]
    assert document.lost[-1].values["read"] == 0


@EXTRACTORS
def test_sheets_stand_under_their_names_and_hidden_ones_are_left_out(extractor: Extractor, tmp_path: Path) -> None:
    path = xlsx(tmp_path / "rivers.xlsx", {"Реки": LENGTHS, "Тайное": [["не читать"]], "Озёра": [["Селигер", 260]]})
    with zipfile.ZipFile(path) as archive:
        book = archive.read("xl/workbook.xml").decode()
    hidden = book.replace('name="Тайное"', 'name="Тайное" state="hidden"').replace('state="visible" ', "")
    with_part(path, {"xl/workbook.xml": hidden.encode()})
    text = _here(extractor, path).text
    assert text.startswith("## Реки\n\n| Река | Длина |\n| - | - |\n| Ока | 1500 |\n| Угра | 399.5 |\n\n## Озёра\n\n")
    assert "Селигер" in text
    assert "читать" not in text


@needs("soffice")
def test_formulas_without_a_stored_result_are_worked_out(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "sum.xlsx", {"Итог": [["а", "б", "сумма"], [2, 3, "=A2+B2"]]})
    document = _here(DoclingSheets(), path)
    assert "| 2 | 3 | 5 |" in document.text
    assert document.lost == ()


def test_formulas_that_nobody_can_work_out_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = xlsx(tmp_path / "sum.xlsx", {"Итог": [["а", "б", "сумма"], [2, 3, "=A2+B2"]]})
    assert _here(DoclingSheets(), path).lost == (Reason("lost-formulas", {"count": 1}),)
    assert "| 2 | 3 | =A2+B2 |" in _here(TableRows(), path).text


@EXTRACTORS
def test_dates_are_written_as_dates(extractor: Extractor, tmp_path: Path) -> None:
    moment = datetime.datetime(2024, 5, 17, 13, 30)  # noqa: DTZ001 - a workbook knows no zones
    path = xlsx(tmp_path / "dates.xlsx", {"Дни": [["день", "час"], [datetime.date(2024, 5, 17), moment]]})
    text = _here(extractor, path).text
    assert "2024-05-17" in text
    assert "2024-05-17 13:30:00" in text


def test_strings_that_cells_share_are_looked_up(tmp_path: Path) -> None:
    rows = '<row r="1"><c r="A1" t="s"><v>1</v></c><c r="C1" t="b"><v>1</v></c><c r="D1" t="s"><v>9</v></c></row>'
    path = bare_xlsx(tmp_path / "shared.xlsx", rows)
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    shared = (
        f'<sst xmlns="{space}"><si><t>нет</t></si><si><r><t>Во</t></r><r><t>лга</t></r><rPh><t>x</t></rPh></si></sst>'
    )
    with_part(path, {"xl/sharedStrings.xml": shared.encode()})
    assert _here(TableRows(), path).text == "## Лист 1\n\n| Волга |  | TRUE |  |\n| - | - | - | - |"


@needs("soffice")
@EXTRACTORS
def test_open_sheets_are_read_like_others(extractor: Extractor, tmp_path: Path) -> None:
    made = xlsx(tmp_path / "rivers.xlsx", {"Реки": LENGTHS, "Озёра": [["Селигер", 260]]})
    path = converted(str(made), SourceKind.XLSX, "ods", timeout_s=60)
    text = _here(extractor, path, SourceKind.ODS).text
    assert text.startswith("## Реки\n\n| Река | Длина |\n| - | - |\n| Ока | 1500 |\n| Угра | 399.5 |\n\n## Озёра\n\n")


def test_f4_repeated_rows_and_columns_of_an_open_sheet_are_bounded(tmp_path: Path) -> None:
    spaces = (
        'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    )
    cell = '<table:table-cell table:number-columns-repeated="{}">{}</table:table-cell>'
    row = '<table:table-row table:number-rows-repeated="{}">{}</table:table-row>'
    rows = row.format(2, cell.format(2, "<text:p>да</text:p>")) + row.format(1_048_574, cell.format(16_384, ""))
    rows += row.format(900_000, cell.format(1, "<text:p>нет</text:p>"))
    content = (
        f'<office:document-content {spaces}><table:table table:name="Л">{rows}</table:table></office:document-content>'
    )
    path = tmp_path / "repeated.ods"
    path.write_bytes(packed({"content.xml": content.encode()}))
    document = _here(TableRows(), path, SourceKind.ODS)
    assert document.text.startswith("## Л\n\n| да | да |\n| - | - |\n| да | да |\n| нет |  |\n")
    assert document.lost == (Reason("lost-rows", {"sheet": "Л", "read": MAX_ROWS, "total": 900_002}),)


@EXTRACTORS
@pytest.mark.parametrize(
    ("data", "row"),
    [
        ("Река;Длина, км\nОка;1500,5\n", "| Ока | 1500,5 |"),
        ("Река,Длина\nОка,1500\n", "| Ока | 1500 |"),
        ("Река\tДлина, км\nОка\t1500,5\n", "| Ока | 1500,5 |"),
        ("sep=|\nРека|Длина\nОка|1500\n", "| Ока | 1500 |"),
        ('Река,Длина\n"Ока, левая",1500\n', "| Ока, левая | 1500 |"),
        ('Река;Длина\n"Ока\nнижняя";"1 500"\n', "| Ока нижняя | 1 500 |"),
        ('Река;Длина\nОка "верхняя";1500\n', '| Ока "верхняя" | 1500 |'),
        ("Река\nОка\n", "| Ока |"),
        ("Река;Длина\nОка;1500;лишнее\n", "| Ока | 1500 | лишнее |"),
    ],
)
def test_the_delimiter_is_the_one_that_fits_all_rows(extractor: Extractor, data: str, row: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(data, "utf-8-sig")
    assert row in _here(extractor, path, SourceKind.CSV).text


async def test_f4_a_long_csv_says_how_much_was_read(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("".join(f"{number};значение\n" for number in range(50_000)))
    reading = await read_file(path, SourceKind.CSV)
    assert reading.extractor == "table-rows"
    assert reading.document is not None
    assert reading.document.lost == (Reason("lost-table-rows", {"read": MAX_ROWS, "total": 50_000}),)
