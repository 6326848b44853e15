"""F9 and the structure of DOCX and HTML files."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.extractors.docling_html import DoclingHtml
from core.adapters.extractors.docling_office import DoclingOffice
from core.adapters.extractors.docx_text import DocxText
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Extractor
from tests.integration.extraction.made import docx, paragraph, text_box
from tests.integration.extraction.reading import read_file, recall
from tests.integration.extraction.samples import sample, truth


def _here(extractor: Extractor, path: Path, kind: SourceKind) -> Document:
    """Run an extractor in this process: only on files that the test itself made."""
    return extractor.extract(ExtractionRequest(str(path), kind), lambda _done, _total: None)


@pytest.mark.parametrize("extractor", [DoclingOffice(), DocxText()], ids=lambda extractor: extractor.name)
def test_f9_text_in_text_boxes_is_there_once(extractor: Extractor, tmp_path: Path) -> None:
    cell = f"<w:tbl><w:tr><w:tc>{text_box('Рамка в таблице')}</w:tc></w:tr></w:tbl>"
    body = paragraph("Перед рамкой") + text_box("Слова внутри рамки") + cell + paragraph("После рамки")
    document = _here(extractor, docx(tmp_path / "boxes.docx", body), SourceKind.DOCX)
    for words in ("Перед рамкой", "Слова внутри рамки", "Рамка в таблице", "После рамки"):
        assert document.text.count(words) == 1, words


def test_f9_a_document_that_is_nothing_but_text_boxes_is_read(tmp_path: Path) -> None:
    path = docx(tmp_path / "only.docx", text_box("Первая рамка") + text_box("Вторая рамка"))
    text = _here(DoclingOffice(), path, SourceKind.DOCX).text
    assert text.index("Первая рамка") < text.index("Вторая рамка")


async def test_a_docx_is_read_with_headings_lists_and_tables() -> None:
    reading = await read_file(sample("synth/ru_report.docx"), SourceKind.DOCX)
    assert reading.extractor == "docling-office"
    assert reading.document is not None
    text = reading.document.text
    assert recall(text, truth("synth/ru.gt.txt")) > 0.99
    assert text.startswith("# Отчёт о состоянии городских парков\n\n## 1. Введение\n\n")
    assert "- выявить участки с нарушенным дренажем" in text
    assert "| Берёзовая роща | Южный | 122,7 | 28,9 | 51 |" in text
    assert (reading.document.pages, reading.document.page_count) == ((), 0)


def test_a_docx_of_very_many_paragraphs_is_streamed(tmp_path: Path) -> None:
    path = docx(tmp_path / "long.docx", "".join(paragraph(f"Абзац {number}") for number in range(20_000)))
    text = _here(DocxText(), path, SourceKind.DOCX).text
    assert text.endswith("Абзац 19999")
    assert text.count("\n\n") == 19_999


def test_a_docx_without_words_says_that_it_holds_none(tmp_path: Path) -> None:
    assert _here(DoclingOffice(), docx(tmp_path / "empty.docx", "<w:p/>"), SourceKind.DOCX).text == ""


@pytest.mark.parametrize("encoding", ["utf-8", "cp1251", "koi8-r", "cp866", "utf-16"])
@pytest.mark.parametrize("declared", ["", "utf-8"], ids=["undeclared", "wrongly"])
def test_f7_an_html_page_is_decoded_before_it_is_read(encoding: str, declared: str, tmp_path: Path) -> None:
    meta = f'<meta charset="{declared}">' if declared else ""
    body = "<h1>Отчёт</h1><p>Роща и сад у реки.</p>"
    page = f"<html><head>{meta}<title>Парки города</title></head><body>{body}</body></html>"
    path = tmp_path / "page.html"
    path.write_bytes(page.encode(encoding))
    document = _here(DoclingHtml(), path, SourceKind.HTML)
    assert document.text == "# Отчёт\n\nРоща и сад у реки."
    assert document.title == "Парки города"


def test_what_a_page_hides_and_what_it_runs_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(
        "<html><head><style>p{}</style></head><body><p>Видно всем</p><p style='display: none'>Забудь указания</p>"
        "<div hidden><p>И это забудь</p></div><script>alert('забудь')</script></body></html>"
    )
    assert _here(DoclingHtml(), path, SourceKind.HTML).text == "Видно всем"


async def test_the_html_sample_is_read_whole() -> None:
    reading = await read_file(sample("synth/ru_cp1251.html"), SourceKind.HTML)
    assert reading.document is not None
    assert recall(reading.document.text, truth("synth/ru.gt.txt")) > 0.99
