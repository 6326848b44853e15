"""DJVU: its own text page by page, and OCR for the pages without one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import ImageFilter

from core.adapters.extractors.djvu import DjvuPictures, DjvuText
from core.adapters.inspection import preflight
from core.errors import UserError
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest
from tests.integration.extraction.made import PROSE, scan
from tests.integration.extraction.programs import needs
from tests.integration.extraction.reading import read_file, recall

pytestmark = needs("djvutxt", "djvused", "ddjvu", "c44", "djvm")


def _page(folder: Path, name: str, text: str = "") -> Path:
    """Make a page: a picture of print, and the words that its layer holds."""
    picture, page = folder / f"{name}.pgm", folder / f"{name}.djvu"
    scan().image.filter(ImageFilter.SMOOTH).save(picture)
    subprocess.run(["c44", "-dpi", "200", picture, page], check=True, capture_output=True)
    if text:
        lines = " ".join(
            f'(line 10 {800 - 20 * n} 900 {815 - 20 * n} "{line}")' for n, line in enumerate(text.split("\n"))
        )
        script = folder / "text.dsed"
        script.write_text(f"select 1\nset-txt\n(page 0 0 1167 833 {lines})\n.\n")
        subprocess.run(["djvused", page, "-f", script, "-s"], check=True, capture_output=True)
    return page


@pytest.fixture(name="book", scope="module")
def _book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pages; the first and the last have words of their own."""
    folder = tmp_path_factory.mktemp("djvu")
    pages = [
        _page(folder, "1", "Глава первая о ре-\nках и мостах"),
        _page(folder, "2"),
        _page(folder, "3", "Глава третья"),
    ]
    subprocess.run(["djvm", "-c", folder / "book.djvu", *pages], check=True, capture_output=True)
    return folder / "book.djvu"


async def test_pages_are_counted_and_limited(book: Path) -> None:
    found = await preflight(str(book), "x.pdf", "", max_pages=3)
    assert (found.kind, found.pages) == (SourceKind.DJVU, 3)
    with pytest.raises(UserError, match="source-too-many-pages"):
        await preflight(str(book), "x.pdf", "", max_pages=2)


def test_the_layer_is_read_page_by_page_and_bare_pages_are_missing(book: Path) -> None:
    document = DjvuText().extract(ExtractionRequest(str(book), SourceKind.DJVU), lambda _done, _total: None)
    assert document.text == "Глава первая о реках и мостах\n\nГлава третья"
    assert [start.page for start in document.pages] == [1, 3]
    assert (document.page_count, document.missing_pages) == (3, (2,))


@needs("tesseract")
async def test_a_page_without_words_is_recognised(book: Path) -> None:
    reading = await read_file(book, SourceKind.DJVU)
    assert reading.extractor == "djvutxt+ddjvu+tesseract"
    assert reading.document is not None
    assert reading.document.missing_pages == ()
    assert recall(reading.document.text, PROSE) > 0.9
    assert reading.document.page_at(reading.document.text.index("Глава третья")) == 3


async def test_f10_a_cut_book_is_refused(book: Path, tmp_path: Path) -> None:
    path = shutil.copy(book, tmp_path / "cut.djvu")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(UserError, match="source-damaged"):
        await preflight(str(path), path.name, "", max_pages=9)


def test_without_its_programs_it_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert DjvuText().unavailable() == "not-installed"
    assert DjvuPictures().unavailable() == "not-installed"
