"""F2, F10: what must not be read is found out before anything reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.adapters.extractors.preflight import detect_kind
from core.adapters.inspection import preflight
from core.errors import UserError
from core.model.source import SourceKind
from tests.integration.extraction.made import docx, packed, paragraph, pdf, prose
from tests.integration.extraction.samples import sample


async def _refusal(path: Path, name: str = "", *, max_pages: int = 3000) -> UserError:
    with pytest.raises(UserError) as caught:
        await preflight(str(path), name or path.name, "", max_pages=max_pages)
    return caught.value


async def test_f2_a_pdf_behind_a_password_is_found_out() -> None:
    assert (await _refusal(sample("bad/enc_user.pdf"))).text_key == "source-encrypted"


async def test_f2_a_pdf_with_only_an_owners_password_is_read() -> None:
    found = await preflight(str(sample("bad/enc_owner_only.pdf")), "a.pdf", "", max_pages=10)
    assert (found.kind, found.pages) == (SourceKind.PDF, 2)


async def test_f2_an_office_file_behind_a_password_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "secret.docx"
    path.write_bytes(
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le") + b"\0" * 600
    )
    assert (await _refusal(path)).text_key == "source-encrypted"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("bomb.docx", "source-bomb"),
        ("laughs.docx", "source-bomb"),
        ("zero.pdf", "source-empty"),
        ("random.pdf", "source-damaged"),
        ("trunc60.pdf", "source-damaged"),
        ("giant.png", "source-not-supported"),
    ],
)
async def test_f10_bad_files_are_refused_by_name(name: str, key: str) -> None:
    assert (await _refusal(sample(f"bad/{name}"))).text_key == key


async def test_f10_a_zip_bomb_made_here_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    path.write_bytes(packed({"word/document.xml": b"0" * (20 << 20), "[Content_Types].xml": b"<a/>"}))
    assert (await _refusal(path)).text_key == "source-bomb"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
async def test_f10_an_xml_bomb_is_refused_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    xml = '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><w>&b;</w>'
    path = tmp_path / "laughs.docx"
    path.write_bytes(packed({"word/document.xml": xml.encode(encoding)}))
    assert (await _refusal(path)).text_key == "source-bomb"


async def test_f10_a_cut_docx_is_called_damaged(tmp_path: Path) -> None:
    path = docx(tmp_path / "whole.docx", paragraph("Текст"))
    path.write_bytes(path.read_bytes()[:-30])
    assert (await _refusal(path)).text_key == "source-damaged"


async def test_f10_html_named_pdf_is_read_as_html(tmp_path: Path) -> None:
    path = tmp_path / "page.pdf"
    path.write_text("<html><body>403 forbidden</body></html>")
    assert (await preflight(str(path), "page.pdf", "application/pdf", max_pages=10)).kind is SourceKind.HTML


async def test_f10_too_many_pages_are_counted_and_the_limit_is_told(tmp_path: Path) -> None:
    error = await _refusal(pdf(tmp_path / "long.pdf", [prose()] * 12), max_pages=10)
    assert (error.text_key, error.values) == ("source-too-many-pages", {"pages": 12, "limit": 10})


@pytest.mark.parametrize(
    "name", ["", "отчёт", "../" * 30 + "etc/passwd", "ж" * 200 + "/../../x.pdf", "a\0b.pdf", "CON.txt"]
)
def test_f10_a_name_never_decides_where_anything_goes(name: str, tmp_path: Path) -> None:
    path = pdf(tmp_path / "stored", [prose()])
    before = sorted(tmp_path.iterdir())
    assert detect_kind(str(path), name, "") is SourceKind.PDF
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        ("Просто слова".encode("cp1251"), "", SourceKind.PLAIN_FILE),
        ("Просто слова".encode("utf-16-le"), "note", SourceKind.PLAIN_FILE),
        (b"a,b\n1,2\n", "table.csv", SourceKind.PLAIN_FILE),
        (b"\xef\xbb\xbf<!doctype html><p>x", "", SourceKind.HTML),
        ("<html><p>привет".encode("utf-16"), "", SourceKind.HTML),
        (b"<p>Only a fragment</p>", "page.htm", SourceKind.HTML),
        (b"# Title with <b>tags</b>", "readme.md", SourceKind.PLAIN_FILE),
        (b"%PDF-1.7 not really", "x.txt", SourceKind.PDF),
        (b"junk before\n%PDF-1.4", "x", SourceKind.PDF),
        (b"{\\rtf1 text}", "x.txt", None),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "x.pdf", None),
        (b"\0\0\0\x20ftypM4A ", "voice", None),
        (packed({"xl/workbook.xml": b"<a/>"}), "x.xlsx", None),
        (packed({"word/document.xml": b"<a/>"}), "no-name", SourceKind.DOCX),
        (b"<?xml version='1.0'?><FictionBook/>", "book.fb2", None),
        (bytes(range(256)) * 4, "data.bin", None),
    ],
)
def test_f10_a_kind_is_told_by_its_content(data: bytes, name: str, kind: SourceKind | None, tmp_path: Path) -> None:
    path = tmp_path / "stored"
    path.write_bytes(data)
    assert detect_kind(str(path), name, "") is kind


@pytest.mark.parametrize("data", [b"", b"\0" * 5000, b" \n\t "])
def test_f10_an_empty_file_is_called_empty(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "stored"
    path.write_bytes(data)
    with pytest.raises(UserError, match="source-empty"):
        detect_kind(str(path), "x.txt", "")
