"""A name for a source whose file name says nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.insights.choose_title import LONGEST_TITLE, choose_title, worth_showing
from core.model.document import Document

NAMELESS = [
    "scan0001.pdf", "Документ Microsoft Word", "image.jpg", "untitled", "1.docx", "0042", "photo_2026-11-30 12.33.11",
    "d41d8cd98f00b204e9800998ecf8427e.pdf", "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "IMG_20261130_123311.HEIC", "",
    "Без имени 1.odt", "Новый документ (2).docx", "Снимок экрана 2026-11-30 в 12.33.11.png",
    "WhatsApp Image 2026-11-30",
    "AgACAgIAAxkBAAIBZ2Zq1.jpg", "document(3).pdf", "скан.pdf", "PowerPoint Presentation", "Слайд 1", "   ", "___",
    "https://example.org/a?b=1", "Ð›ÐµÐºÑ†Ð¸Ñ.pdf", "%D0%9B%D0%B5%D0%BA.pdf", "audio_2026-01-02.ogg", "file_17.pdf",
    "CamScanner 30.11.2026", "final_v2.docx", "Копия", "Презентация Microsoft PowerPoint", "voice message.ogg",
]  # fmt: skip
NAMED = [
    "Лекция 3.pdf", "Энтропия", "Отчёт за 2025 год.docx", "thesis.pdf", "Иванов ВКР final.docx", "lecture1.pdf",
    "Scan of the contract with Petrov.pdf", "C++ для начинающих.epub",
    "Билеты по физике.docx",
    "Ницше", "Ош", "S.T.A.L.K.E.R.", "ГОСТ 7.0.5-2008",
]  # fmt: skip
HEADED = Document("# Введение\n\n# 1. Теория относительности\n\nПространство и время связаны друг с другом.")


@pytest.mark.parametrize("title", NAMELESS)
def test_a_name_from_a_machine_or_a_hurry_is_not_worth_showing(title: str) -> None:
    assert not worth_showing(title)
    assert choose_title(title, HEADED) == "Теория относительности"


@pytest.mark.parametrize("title", NAMED)
def test_a_persons_name_for_a_file_stays_as_it_is(title: str) -> None:
    assert choose_title(title, HEADED) == title


def test_the_documents_own_title_comes_before_its_headings() -> None:
    own = Document(HEADED.text, title="Microsoft Word - Курс физики.doc")
    assert choose_title("scan1.pdf", own) == "Курс физики.doc"
    assert choose_title("scan1.pdf", Document(HEADED.text, title="Документ1")) == "Теория относительности"


def test_without_headings_the_first_good_sentence_is_shortened() -> None:
    text = (
        "12.03.2026\n\nДа.\n\n**Канатная дорога** над рекой [Варкой](http://a.b) соединила два берега города "
        "Среднегорска и перевозила девятьсот жителей за сутки."
    )
    assert (
        choose_title("1.txt", Document(text))
        == "Канатная дорога над рекой Варкой соединила два берега города Среднегорска и…"
    )


def test_a_text_that_begins_with_a_definition_is_called_by_what_it_defines() -> None:
    text = "Нева (фин. Neva) — река в России, протекающая по территории Ленинградской области и города."
    assert choose_title("1.docx", Document(text)) == "Нева"


def test_a_heading_deep_in_the_text_does_not_name_it() -> None:
    text = "Поезда в горах ходят медленно из-за подъёмов. " * 60 + "\n\n# Приложение о тарифах\n\nСписок."
    assert choose_title("скан", Document(text)).startswith("Поезда в горах")


@pytest.mark.parametrize("text", ["", "| 1 | 2 |\n|---|---|\n| 3 | 4 |", "12 34", "```\ncode here now\n```"])
def test_where_nothing_better_is_found_the_file_name_stays(text: str) -> None:
    assert choose_title("scan0001.pdf", Document(text)) == "scan0001.pdf"


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["# Глава 1", "## О *ветрах* и [волнах](x)", "Ветер дует с моря на берег весь день.", "---", "Да."]
        ),
        st.text(max_size=120),
    ),
    max_size=6,
).map("\n\n".join)


@given(st.one_of(st.sampled_from(NAMELESS), st.text(max_size=60)), LINES, st.text(max_size=40))
def test_a_made_title_is_one_short_line_worth_showing_and_choosing_again_changes_nothing(
    given_title: str, text: str, own: str
) -> None:
    document = Document(text, title=own)
    title = choose_title(given_title, document)
    assert choose_title(title, document) == title
    if title != given_title:
        assert worth_showing(title)
        assert len(title) <= LONGEST_TITLE
        assert title == " ".join(title.split())
        assert not set(title) & set("\n\r\t\x00")
