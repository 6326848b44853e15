"""Which kind a file is, by what a messenger says of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.kinds import HEAVY, KINDS, kind_of
from core.model.source import SourceKind

PDF, DOCX, HTML, PLAIN = SourceKind.PDF, SourceKind.DOCX, SourceKind.HTML, SourceKind.PLAIN_FILE
IMAGE, AUDIO = SourceKind.IMAGE, SourceKind.AUDIO
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("name", "media_type", "kind"),
    [
        ("лекция.pdf", "", PDF),
        ("ЛЕКЦИЯ.PDF", "application/octet-stream", PDF),
        ("лекция.pdf ", "", PDF),
        ("отчёт.docx", "application/zip", DOCX),
        ("page.xhtml", "text/plain", HTML),
        ("таблица.csv", "application/vnd.ms-excel", SourceKind.CSV),
        ("слайды.ppsx", "", SourceKind.PPTX),
        ("макросы.XLSM", "", SourceKind.XLSX),
        ("старое.doc", "application/msword", SourceKind.DOC),
        ("письмо.rtf", "application/msword", SourceKind.RTF),
        ("книга.fb2", "text/xml", SourceKind.FB2),
        ("книга.fb2.zip", "", SourceKind.ARCHIVE),
        ("скан.djvu", "image/vnd.djvu", SourceKind.DJVU),
        ("IMG_0001.HEIC", "image/heic", IMAGE),
        ("лекция.m4a", "", AUDIO),
        ("занятие.mp4", "video/mp4", AUDIO),
        ("материалы.zip", "", SourceKind.ARCHIVE),
        ("subs.vtt", "", PLAIN),
        ("a.tar.md", "", PLAIN),
        ("file", "application/pdf", PDF),
        ("file", "text/html; charset=windows-1251", HTML),
        ("", WORD, DOCX),
        ("file.xyz", "text/plain", PLAIN),
    ],
)
def test_the_name_is_asked_first_and_then_the_media_type(name: str, media_type: str, kind: SourceKind) -> None:
    assert kind_of(name, media_type) is kind


@pytest.mark.parametrize(
    "name",
    ["", "Makefile", "Глава 1. Введение", "Лекция 3.5", "От 12.03.2026", "И. И. Иванов", ".", "конец.", "файл.докх"],
)
def test_f10_a_name_without_an_ending_is_left_to_the_bytes(name: str) -> None:
    assert kind_of(name, "") is PLAIN
    assert kind_of(name, "application/octet-stream") is PLAIN


@pytest.mark.parametrize("name", ["disk.iso", "лекция.pages", "a.7z", "a.rar", "setup.EXE", "base.sqlite"])
def test_f10_an_ending_that_is_not_read_is_refused_before_it_is_fetched(name: str) -> None:
    assert kind_of(name, "application/octet-stream") is None


@pytest.mark.parametrize("name", ["", "Лекция 3.5"])
@pytest.mark.parametrize(
    ("media_type", "kind"),
    [
        ("image/png", IMAGE), ("image/x-odd", IMAGE), ("image/vnd.djvu", SourceKind.DJVU), ("audio/x-odd", AUDIO),
        ("VIDEO/MP4", AUDIO), ("image/svg+xml", None),
    ],
)  # fmt: skip
def test_pictures_and_sound_without_an_ending_are_known_by_their_media_type(
    name: str, media_type: str, kind: SourceKind | None
) -> None:
    assert kind_of(name, media_type) is kind


def test_every_file_but_plain_text_waits_in_the_heavy_queue() -> None:
    assert {kind for kind, _, _ in KINDS} - HEAVY == {PLAIN}
    assert not HEAVY & {SourceKind.WEB, SourceKind.YOUTUBE, SourceKind.TEXT}


def test_no_ending_and_no_media_type_belongs_to_two_kinds() -> None:
    for column in (1, 2):
        named = [word for row in KINDS for word in row[column]]  # type: ignore[attr-defined]
        assert len(named) == len(set(named))
        assert [word.lower() for word in named] == named
    assert {kind for kind, _, _ in KINDS} >= HEAVY


@given(st.text(max_size=60), st.text(max_size=30))
def test_any_name_and_media_type_are_survived(name: str, media_type: str) -> None:
    kind = kind_of(name, media_type)
    assert kind is None or kind in SourceKind


@given(st.text(min_size=1, max_size=30), st.sampled_from([(kind, end) for kind, ends, _ in KINDS for end in ends]))
def test_a_known_ending_decides_whatever_stands_before_it(stem: str, known: tuple[SourceKind, str]) -> None:
    kind, ending = known
    assert kind_of(stem + ending, "application/x-odd") is kind
