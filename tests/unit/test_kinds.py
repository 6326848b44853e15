"""Which kind a file is, by what a messenger says of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.kinds import HEAVY, KINDS, kind_of
from core.model.source import SourceKind

PDF, DOCX, HTML, PLAIN = SourceKind.PDF, SourceKind.DOCX, SourceKind.HTML, SourceKind.PLAIN_FILE
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.parametrize(
    ("name", "media_type", "kind"),
    [
        ("лекция.pdf", "", PDF),
        ("ЛЕКЦИЯ.PDF", "application/octet-stream", PDF),
        ("лекция.pdf ", "", PDF),
        ("отчёт.docx", "application/zip", DOCX),
        ("page.xhtml", "text/plain", HTML),
        ("таблица.csv", "application/vnd.ms-excel", PLAIN),
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


@pytest.mark.parametrize("name", ["song.mp3", "slides.pptx", "table.xlsx", "book.djvu", "old.doc", "a.7z", "setup.EXE"])
def test_f10_an_ending_that_is_not_read_is_refused_before_it_is_fetched(name: str) -> None:
    assert kind_of(name, "application/octet-stream") is None


@pytest.mark.parametrize("media_type", ["image/png", "audio/ogg", "video/mp4", "VIDEO/MP4"])
@pytest.mark.parametrize("name", ["", "Лекция 3.5"])
def test_pictures_and_sound_without_an_ending_are_not_fetched_for_their_bytes(name: str, media_type: str) -> None:
    assert kind_of(name, media_type) is None


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
