"""F2, F10: what must not be read is found out before anything reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from core.adapters.extractors.preflight import detect_kind
from core.adapters.inspection import preflight
from core.errors import UserError
from core.model.source import SourceKind
from tests.integration.extraction.compound import compound
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


WORD_LOCKED = b"\xec\xa5" + bytes(9) + b"\x01"
EXCEL_LOCKED = b"\x09\x08\x10\0" + bytes(16) + b"\x2f\0\x36\0"


@pytest.mark.parametrize(
    "streams",
    [
        {"EncryptedPackage": b"x", "EncryptionInfo": b"x"},
        {"WordDocument": WORD_LOCKED, "1Table": b"x"},
        {"Workbook": EXCEL_LOCKED},
        {"PowerPoint Document": b"x", "EncryptedSummary": b"x"},
    ],
    ids=["new", "word", "excel", "powerpoint"],
)
async def test_f2_an_office_file_behind_a_password_is_found_out(streams: dict[str, bytes], tmp_path: Path) -> None:
    assert (await _refusal(compound(tmp_path / "secret.docx", streams))).text_key == "source-encrypted"


@pytest.mark.parametrize(
    ("streams", "kind"),
    [
        ({"WordDocument": b"\xec\xa5", "1Table": b"x"}, SourceKind.DOC),
        ({"A": b"", "B": b"", "C": b"", "D": b"", "Book": b"\x09\x08\x10\0" + bytes(16)}, SourceKind.XLS),
        ({"PowerPoint Document": b"x", "Pictures": b"x"}, SourceKind.PPT),
        ({"__nameid_version1.0": b"x"}, None),
    ],
)
def test_f10_an_old_office_file_is_told_by_its_streams(
    streams: dict[str, bytes], kind: SourceKind | None, tmp_path: Path
) -> None:
    assert detect_kind(str(compound(tmp_path / "file", streams)), "x.txt", "") is kind


@pytest.mark.parametrize("length", [8, 60, 600, 1000])
async def test_f10_a_cut_old_office_file_is_called_damaged(length: int, tmp_path: Path) -> None:
    path = compound(tmp_path / "cut.doc", {"WordDocument": b"\xec\xa5"})
    path.write_bytes(path.read_bytes()[:length])
    assert (await _refusal(path)).text_key == "source-damaged"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("bomb.docx", "source-bomb"),
        ("laughs.docx", "source-bomb"),
        ("zero.pdf", "source-empty"),
        ("random.pdf", "source-damaged"),
        ("trunc60.pdf", "source-damaged"),
        ("giant.png", "source-picture-too-large"),
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
        (b"a,b\n1,2\n", "table.csv", SourceKind.CSV),
        (b"a,b\n1,2\n", "table.txt", SourceKind.PLAIN_FILE),
        (b"\xef\xbb\xbf<!doctype html><p>x", "", SourceKind.HTML),
        ("<html><p>привет".encode("utf-16"), "", SourceKind.HTML),
        (b"<p>Only a fragment</p>", "page.htm", SourceKind.HTML),
        (b"# Title with <b>tags</b>", "readme.md", SourceKind.PLAIN_FILE),
        (b"%PDF-1.7 not really", "x.txt", SourceKind.PDF),
        (b"junk before\n%PDF-1.4", "x", SourceKind.PDF),
        (b"{\\rtf1 text}", "x.txt", SourceKind.RTF),
        (b"<?xml version='1.0'?><FictionBook/>", "book.txt", SourceKind.FB2),
        ('<?xml version="1.0" encoding="windows-1251"?><FictionBook><p>Ёж'.encode("cp1251"), "", SourceKind.FB2),
        (b"<?xml version='1.0'?><svg/>", "drawing.svg", None),
        (bytes(range(256)) * 4, "data.bin", None),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, "x.pdf", SourceKind.IMAGE),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "x.docx", SourceKind.IMAGE),
        (b"\0\0\0\x1cftypavif\0\0\0\0mif1miaf", "", SourceKind.IMAGE),
        (b"\0\0\0\x20ftypM4A ", "voice", SourceKind.AUDIO),
        (b"\0\0\0\x20ftypisom", "film.jpg", SourceKind.AUDIO),
        (b"RIFF\x24\0\0\0WAVEfmt ", "", SourceKind.AUDIO),
        (b"OggS\0\2", "note.txt", SourceKind.AUDIO),
        (b"\x1a\x45\xdf\xa3\x01", "x.webm", SourceKind.AUDIO),
        (b"AT&TFORM\0\0\0\x10DJVMDIRM", "book.pdf", SourceKind.DJVU),
        (b"Rar!\x1a\x07", "a.zip", None),
        (packed({"word/document.xml": b"<a/>"}), "no-name", SourceKind.DOCX),
        (packed({"ppt/presentation.xml": b"<a/>"}), "x.zip", SourceKind.PPTX),
        (packed({"xl/workbook.xml": b"<a/>"}), "x.docx", SourceKind.XLSX),
        (packed({"xl/workbook.bin": b"x"}), "x.xlsb", SourceKind.XLS),
        (packed({"[Content_Types].xml": b"<x wordprocessingml.document.main />"}), "", SourceKind.DOCX),
        (packed({"mimetype": b"application/vnd.oasis.opendocument.text-template"}), "", SourceKind.ODT),
        (packed({"mimetype": b"application/vnd.oasis.opendocument.presentation"}), "", SourceKind.ODP),
        (packed({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet"}), "", SourceKind.ODS),
        (packed({"mimetype": b"application/vnd.oasis.opendocument.graphics"}), "", None),
        (packed({"a.xhtml": b"x", "META-INF/container.xml": b"<a/>"}), "", SourceKind.EPUB),
        (packed({"a.xhtml": b"x", "mimetype": b"application/epub+zip\n"}), "", SourceKind.EPUB),
        (packed({"война.fb2": b"<FictionBook/>"}), "x.fb2.zip", SourceKind.FB2),
        (packed({"1.jpg": b"x", "__MACOSX/._1.jpg": b"x", "album/2.PNG": b"x"}), "x.zip", SourceKind.IMAGE),
        (packed({"1.jpg": b"x", "note.txt": b"x"}), "x.zip", SourceKind.ARCHIVE),
        (packed({"Index/Document.iwa": b"x"}), "x.pages", None),
        (packed({}), "x.zip", SourceKind.ARCHIVE),
    ],
)
def test_f10_a_kind_is_told_by_its_content(data: bytes, name: str, kind: SourceKind | None, tmp_path: Path) -> None:
    path = tmp_path / "stored"
    path.write_bytes(data)
    assert detect_kind(str(path), name, "") is kind


async def test_a_photo_in_heic_is_named_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "IMG_0001.HEIC"
    path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    assert (await _refusal(path)).text_key == "source-heic"


@pytest.mark.parametrize(
    ("parts", "key"),
    [
        ({"mimetype": b"application/vnd.oasis.opendocument.text", "META-INF/manifest.xml": b"<m:encryption-data/>"},
         "source-encrypted"),
        ({"META-INF/container.xml": b"<a/>", "META-INF/rights.xml": b"<a/>"}, "source-protected"),
        ({"META-INF/container.xml": b"<a/>", "a.xhtml": b"<!DOCTYPE html [<!ENTITY a 'b'>]>"}, "source-bomb"),
        ({"xl/workbook.xml": b"<a/>", "xl/worksheets/sheet1.xml": b"0" * (20 << 20)}, "source-bomb"),
        ({"book.fb2": b"0" * (20 << 20)}, "source-bomb"),
    ],
)  # fmt: skip
async def test_f10_every_packed_kind_is_guarded(parts: dict[str, bytes], key: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(packed(parts))
    assert (await _refusal(path)).text_key == key


async def test_a_book_with_hidden_fonts_and_a_doctype_is_read(tmp_path: Path) -> None:
    path = tmp_path / "book.epub"
    page = b"<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' ''><html/>"
    path.write_bytes(packed({"META-INF/container.xml": b"<a/>", "META-INF/encryption.xml": b"<a/>", "1.xhtml": page}))
    assert (await preflight(str(path), "", "", max_pages=9)).kind is SourceKind.EPUB


async def test_f10_a_book_that_declares_entities_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "laughs.fb2"
    path.write_bytes(b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "ha">]><FictionBook>&b;</FictionBook>')
    assert (await _refusal(path)).text_key == "source-bomb"


async def test_f10_a_picture_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "giant.png"
    Image.new("1", (16_000, 16_000)).save(path)
    assert (await _refusal(path)).text_key == "source-picture-too-large"
    album = tmp_path / "album.zip"
    album.write_bytes(packed({"1.png": path.read_bytes()}))
    assert (await _refusal(album)).text_key == "source-picture-too-large"


async def test_pages_are_counted_where_a_kind_has_them(tmp_path: Path) -> None:
    frames = [Image.new("L", (10, 10), shade) for shade in (0, 90, 200)]
    frames[0].save(tmp_path / "fax.tif", save_all=True, append_images=frames[1:])
    frames[0].save(tmp_path / "1.png")
    (tmp_path / "album").write_bytes(
        packed({"1.png": (tmp_path / "1.png").read_bytes()} | {"2.png": (tmp_path / "1.png").read_bytes()})
    )
    found = [await preflight(str(tmp_path / name), name, "", max_pages=9) for name in ("fax.tif", "1.png", "album")]
    assert [one.pages for one in found] == [3, 1, 2]
    assert (await _refusal(tmp_path / "fax.tif", max_pages=2)).text_key == "source-too-many-pages"


@pytest.mark.parametrize("data", [b"", b"\0" * 5000, b" \n\t "])
def test_f10_an_empty_file_is_called_empty(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "stored"
    path.write_bytes(data)
    with pytest.raises(UserError, match="source-empty"):
        detect_kind(str(path), "x.txt", "")
