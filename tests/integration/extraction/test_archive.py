"""A ZIP becomes the documents it holds; whatever else is in it is named, and nothing leaves its folder."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from core.adapters.archive import ZipOpener
from core.adapters.archive_names import title_of
from core.adapters.killable import Limits
from core.errors import UserError
from core.model.source import Reason, SourceKind
from core.ports.documents import ExtractionRequest, Opened
from tests.integration.extraction.made import docx, packed, paragraph


async def _open(path: Path, folder: Path, *, limit: int = 50, opener: ZipOpener | None = None) -> Opened:
    os.makedirs(folder, exist_ok=True)
    return await (opener or ZipOpener()).open(ExtractionRequest(str(path), SourceKind.ARCHIVE), folder, limit=limit)


def _zip(path: Path, files: dict[str, bytes]) -> Path:
    path.write_bytes(packed(files))
    return path


def _bytes(path: str) -> bytes:
    return Path(path).read_bytes()


def _all(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def _renamed(path: Path, names: dict[str, bytes]) -> Path:
    """Put raw bytes in the place of names of the same length, and take the mark of UTF-8 away."""
    data = path.read_bytes()
    for name, raw in names.items():
        assert len(raw) == len(name)
        data = data.replace(name.encode(), raw)
    path.write_bytes(data)
    return path


async def test_documents_are_listed_in_their_order_with_what_they_are(tmp_path: Path) -> None:
    letter = docx(tmp_path / "a.docx", paragraph("Текст")).read_bytes()
    files = {
        "Курс/2 лекция.docx": letter,
        "Курс/заметки.txt": "Слова".encode(),
        "план.pdf": b"%PDF-1.4",
        "т.csv": b"a;b",
    }
    opened = await _open(_zip(tmp_path / "all.zip", files), tmp_path / "out")
    assert [(member.title, member.kind) for member in opened.members] == [
        ("2 лекция.docx", SourceKind.DOCX),
        ("заметки.txt", SourceKind.PLAIN_FILE),
        ("план.pdf", SourceKind.PDF),
        ("т.csv", SourceKind.CSV),
    ]
    assert [Path(member.path).name for member in opened.members] == ["0001.bin", "0002.bin", "0003.bin", "0004.bin"]
    assert _bytes(opened.members[0].path) == letter
    assert opened.lost == ()


@pytest.mark.parametrize("name", ["../../../gone.txt", "/etc/gone.txt", "C:\\gone.txt", "..\\..\\gone.txt"])
async def test_f10_a_members_name_never_decides_where_it_goes(name: str, tmp_path: Path) -> None:
    before = _all(tmp_path)
    opened = await _open(_zip(tmp_path / "evil.zip", {name: "Слова".encode()}), tmp_path / "out")
    assert [member.title for member in opened.members] == ["gone.txt"]
    assert _all(tmp_path) - before == {"evil.zip", "out", "out/0001.bin"}


async def test_what_programs_leave_beside_files_is_not_counted(tmp_path: Path) -> None:
    junk = {"__MACOSX/._a.txt": b"x", ".DS_Store": b"x", "папка/.git/config": b"x", "папка/": b"", "Thumbs.db": b"x"}
    opened = await _open(_zip(tmp_path / "mac.zip", junk | {"папка/a.txt": "Слова".encode()}), tmp_path / "out")
    assert [member.title for member in opened.members] == ["a.txt"]
    assert opened.lost == ()


@pytest.mark.parametrize("encoding", ["cp866", "cp1251"])
async def test_names_of_old_programs_are_read_in_russian(encoding: str, tmp_path: Path) -> None:
    path = _zip(tmp_path / "old.zip", {"a" * 19: "Слова".encode(), "b.txt": b"More words"})
    opened = await _open(_renamed(path, {"a" * 19: "Привет, Ёжик 5б.txt".encode(encoding)}), tmp_path / "out")
    assert [member.title for member in opened.members] == ["Привет, Ёжик 5б.txt", "b.txt"]


async def test_names_in_utf8_without_its_mark_are_read(tmp_path: Path) -> None:
    name = "лекция.txt".encode()
    path = _renamed(_zip(tmp_path / "mac.zip", {"a" * len(name): "Слова".encode()}), {"a" * len(name): name})
    assert (await _open(path, tmp_path / "out")).members[0].title == "лекция.txt"


async def test_what_cannot_be_read_is_named_by_its_sort(tmp_path: Path) -> None:
    files = {
        "a.txt": "Слова".encode(), "program.exe": b"MZ\x90\0", "empty.txt": b"", "inner.zip": packed({"b.txt": b"x"}),
        "b.txt": "Ещё слова".encode(), "c.txt": "Лишнее".encode(),
    }  # fmt: skip
    opened = await _open(_zip(tmp_path / "mixed.zip", files), tmp_path / "out", limit=2)
    assert [member.title for member in opened.members] == ["a.txt", "b.txt"]
    assert opened.lost == (
        Reason("lost-members", {"count": 2, "names": "program.exe, empty.txt"}),
        Reason("lost-members-archives", {"count": 1, "names": "inner.zip"}),
        Reason("lost-members-beyond", {"count": 1, "names": "c.txt"}),
    )
    assert _all(tmp_path / "out") == {"0001.bin", "0002.bin"}


def _locked(path: Path, name: str) -> None:
    """Set the mark of encryption on a member, in its own header and in the directory."""
    data = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo(name).header_offset
    data[start + 6] |= 1
    place = data.index(b"PK\x01\x02")
    while bytes(data[place + 46 : place + 46 + len(name)]) != name.encode():
        place = data.index(b"PK\x01\x02", place + 1)
    data[place + 8] |= 1
    path.write_bytes(data)


async def test_f2_members_behind_a_password_are_said(tmp_path: Path) -> None:
    path = _zip(tmp_path / "half.zip", {"a.txt": b"secret words", "b.txt": b"open words"})
    _locked(path, "a.txt")
    opened = await _open(path, tmp_path / "out")
    assert [member.title for member in opened.members] == ["b.txt"]
    assert opened.lost == (Reason("lost-members-locked", {"count": 1, "names": "a.txt"}),)
    _locked(path, "b.txt")
    with pytest.raises(UserError, match="source-encrypted"):
        await _open(path, tmp_path / "out2")


@pytest.mark.parametrize(
    ("files", "key"),
    [
        ({}, "archive-nothing"),
        ({"a.exe": b"MZ"}, "archive-nothing"),
        ({"inner.zip": packed({"a.txt": b"x"})}, "archive-nothing"),
        ({"zeros.txt": b"0" * (20 << 20)}, "source-bomb"),
    ],
)
async def test_f10_an_archive_of_nothing_or_of_too_much_is_refused(
    files: dict[str, bytes], key: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as caught:
        await _open(_zip(tmp_path / "bad.zip", files), tmp_path / "out")
    assert caught.value.text_key == key


async def test_f10_what_all_members_hold_together_is_limited(tmp_path: Path) -> None:
    path = _zip(tmp_path / "much.zip", {f"{number}.txt": b"words " * 1000 for number in range(20)})
    with pytest.raises(UserError, match="source-bomb"):
        await _open(path, tmp_path / "out", opener=ZipOpener(max_unpacked_bytes=100_000))


async def test_f10_a_cut_archive_is_damaged_and_a_slow_one_too_heavy(tmp_path: Path) -> None:
    path = _zip(tmp_path / "cut.zip", {"a.txt": b"words"})
    with pytest.raises(UserError, match="source-too-heavy"):
        await _open(path, tmp_path / "out", opener=ZipOpener(limits=Limits(0.001, 1 << 30)))
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(UserError, match="source-damaged"):
        await _open(path, tmp_path / "out")


async def test_f10_a_member_whose_bytes_are_broken_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "torn.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.txt", b"words that will be changed")
        archive.writestr("b.txt", b"words that stay")
    path.write_bytes(path.read_bytes().replace(b"will be changed", b"have been other"))
    opened = await _open(path, tmp_path / "out")
    assert [member.title for member in opened.members] == ["b.txt"]
    assert opened.lost == (Reason("lost-members", {"count": 1, "names": "a.txt"}),)


def test_a_long_name_keeps_its_ending_and_signs_that_turn_writing_are_dropped() -> None:
    title = title_of("папка/" + "ж" * 500 + ".docx")
    assert (len(title) <= 200, title.endswith("….docx")) == (True, True)
    assert title_of("a\u202etxt.exe\n") == "atxt.exe"
