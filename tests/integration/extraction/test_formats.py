"""Every format of documents: words, structure, notes, and what its program would not show."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from core.adapters.extractors.docling_epub import DoclingEpub
from core.adapters.extractors.docling_fb2 import DoclingFb2
from core.adapters.extractors.docling_office import DoclingOffice
from core.adapters.extractors.docling_slides import DoclingSlides
from core.adapters.extractors.legacy_office import LegacyOffice
from core.adapters.extractors.legacy_text import LegacyText
from core.adapters.extractors.package_text import PackageText
from core.adapters.extractors.soffice import converted
from core.adapters.extractors.soffice_pdf import SofficePdf
from core.adapters.inspection import preflight
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Extractor
from tests.integration.extraction.made import PROSE, docx, packed, paragraph, text_box
from tests.integration.extraction.office_made import epub, fb2, pptx, with_part
from tests.integration.extraction.programs import needs
from tests.integration.extraction.reading import read_file, recall, words
from tests.integration.extraction.samples import sample, truth


def _here(extractor: Extractor, path: Path, kind: SourceKind) -> Document:
    """Run an extractor in this process: only on files that the test itself made."""
    return extractor.extract(ExtractionRequest(str(path), kind), lambda _done, _total: None)


def _report(tmp_path: Path) -> Path:
    """A document with two headings, a list and a table."""
    import docx as python_docx

    made = python_docx.Document()
    made.add_heading("Отчёт о парках", 1)
    made.add_paragraph(PROSE)
    made.add_heading("Работы", 2)
    made.add_paragraph("посадить липы", style="List Bullet")
    table = made.add_table(2, 2)
    for place, word in enumerate(("Парк", "Площадь", "Роща", "122,7")):
        table.cell(place // 2, place % 2).text = word
    made.add_paragraph("Конец")
    made.save(str(tmp_path / "report.docx"))
    return tmp_path / "report.docx"


STRUCTURE = ("# Отчёт о парках", "# Работы", "- посадить липы", "| Роща | 122,7 |", "Городские парки выполняют")


@needs("soffice")
@pytest.mark.parametrize("ending", ["odt", "rtf", "doc"])
async def test_a_text_in_every_format_keeps_headings_lists_and_tables(ending: str, tmp_path: Path) -> None:
    path = converted(str(_report(tmp_path)), SourceKind.DOCX, ending, timeout_s=60)
    found = await preflight(str(path), "wrong.txt", "", max_pages=9)
    assert found.kind is SourceKind(ending)
    reader = DoclingOffice() if ending == "odt" else LegacyOffice()
    text = _here(reader, path, found.kind).text
    for part in STRUCTURE:
        assert part in text, part


@needs("soffice")
@pytest.mark.parametrize("ending", ["odt", "rtf", "doc"])
def test_the_last_level_gives_the_words_of_a_text(ending: str, tmp_path: Path) -> None:
    path = converted(str(_report(tmp_path)), SourceKind.DOCX, ending, timeout_s=60)
    reader: Extractor = PackageText() if ending == "odt" else LegacyText()
    found = words(_here(reader, path, SourceKind(ending)).text)
    assert found == words(f"Отчёт о парках {PROSE} Работы посадить липы Парк Площадь Роща 122,7 Конец")


def test_foot_notes_stand_behind_the_text(tmp_path: Path) -> None:
    path = docx(tmp_path / "notes.docx", paragraph("Основной текст"))
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    relations = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r9" '
        b'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/>'
        b"</Relationships>"
    )
    note = f'<w:footnotes {space}><w:footnote w:id="2">{paragraph("См. устав 1864 года.")}</w:footnote></w:footnotes>'
    with zipfile.ZipFile(path) as archive:
        types = archive.read("[Content_Types].xml")
    ours = b'<Default Extension="xml" ContentType="application/xml"/></Types>'
    with_part(
        path,
        {
            "[Content_Types].xml": types.replace(b"</Types>", ours),
            "word/footnotes.xml": note.encode(),
            "word/_rels/document.xml.rels": relations,
        },
    )
    assert _here(DoclingOffice(), path, SourceKind.DOCX).text == "Основной текст\n\nСм. устав 1864 года."


@pytest.mark.parametrize(
    "variant",
    [
        b"application/vnd.ms-word.document.macroEnabled.main+xml",
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
    ],
)
def test_documents_with_macros_and_templates_are_read(variant: bytes, tmp_path: Path) -> None:
    path = docx(tmp_path / "form.docm", paragraph("Слова бланка"))
    with zipfile.ZipFile(path) as archive:
        types = archive.read("[Content_Types].xml")
    plain = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    with_part(path, {"[Content_Types].xml": types.replace(plain, variant)})
    assert _here(DoclingOffice(), path, SourceKind.DOCX).text == "Слова бланка"


@needs("soffice")
@pytest.mark.parametrize("extractor", [DoclingOffice(), PackageText()], ids=lambda extractor: extractor.name)
def test_f9_text_boxes_of_an_open_document_are_there_once(extractor: Extractor, tmp_path: Path) -> None:
    body = paragraph("Перед рамкой") + text_box("Слова внутри рамки") + paragraph("После рамки")
    path = converted(str(docx(tmp_path / "boxes.docx", body)), SourceKind.DOCX, "odt", timeout_s=60)
    text = _here(extractor, path, SourceKind.ODT).text
    for part in ("Перед рамкой", "Слова внутри рамки", "После рамки"):
        assert text.count(part) == 1, part


def test_slides_are_pages_with_their_notes_tables_and_groups(tmp_path: Path) -> None:
    document = _here(DoclingSlides(), pptx(tmp_path / "show.pptx"), SourceKind.PPTX)
    assert document.page_count == 5
    assert document.missing_pages == (4,)
    pages = {page: document.text.index(part) for page, part in ((1, "паводке"), (2, "| Ока |"), (5, "Выводы"))}
    assert {page: document.page_at(offset) for page, offset in pages.items()} == {1: 1, 2: 2, 5: 5}
    assert document.text.count("Слова в группе") == 1
    assert "Скрытый" not in document.text
    assert document.text.startswith("# Реки\n\n- Река быстрая")


def test_f9_words_of_a_diagram_stand_behind_their_slide(tmp_path: Path) -> None:
    path = pptx(tmp_path / "show.pptx")
    with zipfile.ZipFile(path) as archive:
        relations = archive.read("ppt/slides/_rels/slide1.xml.rels")
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData"
    link = b'<Relationship Id="rId99" Type="' + kind + b'" Target="../diagrams/data1.xml"/></Relationships>'
    data = '<d xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:p><a:r><a:t>Круговорот воды'
    with_part(
        path,
        {
            "ppt/slides/_rels/slide1.xml.rels": relations.replace(b"</Relationships>", link),
            "ppt/diagrams/data1.xml": f"{data}</a:t></a:r></a:p></d>".encode(),
        },
    )
    document = _here(DoclingSlides(), path, SourceKind.PPTX)
    assert document.page_at(document.text.index("Круговорот воды")) == 1


def test_the_last_level_reads_slides_too(tmp_path: Path) -> None:
    document = _here(PackageText(), pptx(tmp_path / "show.pptx"), SourceKind.PPTX)
    assert "Скрытый" not in document.text
    for part in ("Река глубокая", "Сказать о паводке", "Ока", "Слова в группе", "Выводы"):
        assert document.text.count(part) == 1, part


@needs("soffice", "tesseract")
async def test_a_slide_that_is_a_picture_is_recognised(tmp_path: Path) -> None:
    reading = await read_file(pptx(tmp_path / "show.pptx"), SourceKind.PPTX)
    assert reading.document is not None
    assert reading.document.missing_pages == ()
    assert reading.document.page_at(reading.document.text.lower().index("водосбора")) == 4
    assert reading.extractor == "docling-slides+soffice+tesseract"


@needs("soffice")
@pytest.mark.parametrize("ending", ["odp", "ppt"])
def test_old_and_open_slides_are_pages_too(ending: str, tmp_path: Path) -> None:
    path = converted(str(pptx(tmp_path / "show.pptx")), SourceKind.PPTX, ending, timeout_s=60)
    document = _here(DoclingSlides() if ending == "odp" else LegacyOffice(), path, SourceKind(ending))
    assert document.page_at(document.text.index("Выводы")) == 5
    assert document.page_at(document.text.index("Сказать о паводке")) == 1
    assert "| Ока | 1500 |" in document.text
    assert "Скрытый" not in document.text


@pytest.mark.parametrize("mimetype_first", [True, False])
@pytest.mark.parametrize("extractor", [DoclingEpub(), PackageText()], ids=lambda extractor: extractor.name)
def test_a_book_is_read_in_its_order(extractor: Extractor, mimetype_first: bool, tmp_path: Path) -> None:
    path = epub(tmp_path / "book.epub", mimetype_first=mimetype_first)
    assert words(_here(extractor, path, SourceKind.EPUB).text) == words("Глава 1 Река быстрая. Глава 2 мост брод")


def test_a_book_says_what_it_is(tmp_path: Path) -> None:
    document = _here(DoclingEpub(), epub(tmp_path / "book.epub"), SourceKind.EPUB)
    assert (document.title, document.about.author, document.about.published) == (
        "О реках", "Анна Смирнова", "2021-03-04",
    )  # fmt: skip
    assert document.text == "# Глава 1\n\nРека быстрая.\n\n## Глава 2\n\n- мост\n- брод"


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251", "utf-16", "koi8-r"])
@pytest.mark.parametrize("packing", [False, True], ids=["bare", "packed"])
async def test_f7_an_fb2_book_in_every_encoding_keeps_its_chapters(
    encoding: str, packing: bool, tmp_path: Path
) -> None:
    path = fb2(tmp_path / "book.fb2", encoding)
    if packing:
        path.write_bytes(packed({"книга.fb2": path.read_bytes()}))
    assert (await preflight(str(path), "x.bin", "", max_pages=9)).kind is SourceKind.FB2
    document = _here(DoclingFb2(), path, SourceKind.FB2)
    assert document.text.startswith("# О реках\n\n## Глава 1\n\n")
    for part in ("### Истоки", "Река *быстрая*", "Вода бежит", "Сноска о роднике."):
        assert part in document.text, part
    assert "QUJD" not in document.text
    assert (document.title, document.about.author) == ("О реках", "Анна Смирнова")


def test_the_last_level_reads_an_fb2_book(tmp_path: Path) -> None:
    text = _here(PackageText(), fb2(tmp_path / "book.fb2"), SourceKind.FB2).text
    assert text.startswith("О реках\n\nГлава 1\n\nВсё течёт.\n\nРека быстрая.")


def test_the_last_level_reads_a_page_without_what_it_runs(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<title>Т</title><script>x()</script><p>Роща <b>и</b> сад</p><!-- нет --><p>у реки</p>")
    assert _here(PackageText(), path, SourceKind.HTML).text == "Роща и сад\n\nу реки"


@needs("soffice")
def test_a_printed_document_has_pages(tmp_path: Path) -> None:
    document = _here(SofficePdf(), _report(tmp_path), SourceKind.DOCX)
    assert (document.page_count, document.page_at(0)) == (1, 1)
    assert recall(document.text, PROSE) > 0.99


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("synth/ru_report.odt", 0.99), ("synth/ru_report.doc", 0.99), ("synth/ru_report.rtf", 0.99),
        ("synth/ru_slides.pptx", 0.99), ("synth/ru_slides.ppt", 0.99), ("synth/ru_slides.odp", 0.99),
        ("synth/ru_report.epub", 0.99), ("synth/ru.fb2.zip", 0.99), ("synth/ru_windows-1251.fb2", 0.99),
    ],
)  # fmt: skip
async def test_the_sample_reports_are_read_whole(name: str, least: float) -> None:
    path = sample(name)
    kind = (await preflight(str(path), path.name, "", max_pages=99)).kind
    reading = await read_file(path, kind)
    assert reading.document is not None
    wanted = words(truth("synth/ru.gt.txt"))
    found = set(words(reading.document.text))
    assert sum(word in found for word in wanted) >= least * len(wanted)
