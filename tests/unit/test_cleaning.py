"""What cleaning takes out, what it leaves, and where the characters end up."""

import pytest

from core.ingest.cleaning import clean, clean_text, storable
from core.model.document import Document, PageStart, TimeStart


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("\ufeffЗаголовок", "Заголовок"),
        ("до\x00после", "допосле"),
        ("пе\u00adре\u00adнос", "перенос"),
        ("сло\u200bво", "слово"),
        ("одно\ud83dдва", "однодва"),
        ("\ud83d\ude00", "😀"),
        ("строка\r\nстрока\rстрока", "строка\nстрока\nстрока"),
        ("10\u00a0000\u202fруб.", "10 000 руб."),
        ("звонок\x07", "звонок"),
        ("a\x0cb", "a\nb"),
        ("раз\n\n\n\nдва", "раз\n\nдва"),
        ("раз   \nдва\t\n", "раз\nдва\n"),
        ("видно\U000e0041\U000e0042", "видно"),
        ("\u202eзадом", "задом"),
    ],
)
def test_unseen_characters_go_and_the_text_stays(raw: str, cleaned: str) -> None:
    assert clean(Document(raw)).text == cleaned


@pytest.mark.parametrize(
    "kept", ["й ё é ü", "👨\u200d👩\u200d👧", "می\u200cخواهم", "```\n    код\n```", "a\tb", "C++ .NET ≤ ½"]
)
def test_what_means_something_is_left_alone(kept: str) -> None:
    assert clean(Document(kept)).text == kept


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("Это предло-\nжение длинное.", "Это предложение длинное."),
        ("an intro-\nduction to it", "an introduction to it"),
        ("Скажи что-\nнибудь.", "Скажи что-\nнибудь."),
        ("Говори по-\nрусски.", "Говори по-\nрусски."),
        ("a well-\nknown fact", "a well-\nknown fact"),
        ("state-of-\nthe-art", "state-of-\nthe-art"),
        ("бизнес-план. Наш бизнес-\nплан хорош.", "бизнес-план. Наш бизнес-\nплан хорош."),
        ("Ростов-\nНа-Дону", "Ростов-\nНа-Дону"),
        ("Ил-\n76", "Ил-\n76"),
    ],
)
def test_only_hyphens_that_break_a_word_are_joined(raw: str, cleaned: str) -> None:
    assert clean(Document(raw)).text == cleaned


def _book(pages: int, header: str = "Основы геологии", footer: str = "стр. {n}") -> Document:
    text, starts = "", []
    for n in range(1, pages + 1):
        starts.append(PageStart(len(text), n))
        body = f"Рассказ {chr(1071 + n)} о камне.\nИ ещё строка {chr(1071 + n)}.\nКонец мысли {chr(1071 + n)}."
        text += f"{header}\n{body}\n{footer.format(n=n)}\n\n"
    return Document(text, pages=tuple(starts), page_count=pages)


def test_headers_and_footers_of_most_pages_go() -> None:
    cleaned = clean(_book(6))
    assert "геологии" not in cleaned.text
    assert "стр." not in cleaned.text
    assert all(f"Рассказ {chr(1071 + n)} о камне." in cleaned.text for n in range(1, 7))


def test_pages_still_begin_where_their_text_begins() -> None:
    cleaned = clean(_book(6))
    for n in range(1, 7):
        assert cleaned.page_at(cleaned.text.index(f"Рассказ {chr(1071 + n)} ")) == n


def test_a_few_pages_keep_their_repeated_title() -> None:
    assert clean(_book(3)).text.count("Основы геологии") == 3


def test_a_page_never_loses_all_it_has() -> None:
    starts, text = [], ""
    for n in range(5):
        starts.append(PageStart(len(text), n + 1))
        text += "Пустая страница\n\n"
    assert clean(Document(text, pages=tuple(starts))).text.count("Пустая страница") == 5


def test_table_rows_at_page_edges_are_not_running_lines() -> None:
    starts, text = [], ""
    for n in range(6):
        starts.append(PageStart(len(text), n + 1))
        text += f"| год | сумма |\n|---|---|\n| 200{n} | {n} |\nтекст {n * 7}а\nещё {n * 3}б\n\n"
    assert clean(Document(text, pages=tuple(starts))).text.count("| год | сумма |") == 6


def test_times_move_with_their_words() -> None:
    raw = "\ufeffпривет\r\n\r\nвсем\x00 друзьям"
    cleaned = clean(Document(raw, times=(TimeStart(1, 0.0), TimeStart(raw.index("всем"), 4.5))))
    assert cleaned.time_at(cleaned.text.index("всем")) == 4.5
    assert cleaned.time_at(0) == 0.0


def test_a_byte_order_mark_never_reaches_a_table_header() -> None:
    assert clean(Document("\ufeff| имя | год |\n|---|---|\n| а | 1 |")).text.startswith("| имя")


def test_a_short_text_is_cleaned_and_trimmed() -> None:
    assert clean_text("  \ufeffЧто\u00a0такое\x00 F\u00adT?\r\n\r\n\r\n\r\nА ещё? ") == "Что такое FT?\n\nА ещё?"


def test_the_last_guard_changes_no_offset() -> None:
    assert storable("a\x00b\ud800c") == "a\ufffdb\ufffdc"
