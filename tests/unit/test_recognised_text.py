"""Words that tesseract recognised become text, and look-alikes become letters again."""

from __future__ import annotations

import pytest

from core.adapters.extractors.homoglyphs import undo_lookalikes
from core.adapters.extractors.recognised_text import legible_text
from core.adapters.extractors.tesseract_program import Word


def line(text: str, number: int, *, block: int = 1, paragraph: int = 1, sure: float = 95, left: int = 0) -> list[Word]:
    """Words of a line, ten pixels a character and twenty high; `|` stands for a wide space, `_` for a middling one."""
    words: list[Word] = []
    at = left
    for piece in text.split():
        if piece in ("|", "_"):
            at += 80 if piece == "|" else 15
            continue
        words.append(
            Word(piece, sure, (block, paragraph, number), at, 30 * number, at + 10 * len(piece), 30 * number + 20)
        )
        at += 10 * len(piece) + 10
    return words


def test_a_line_that_is_full_goes_on_and_one_that_ends_early_does_not() -> None:
    words = [
        *line("Сначала описали все деревья, затем", 1),
        *line("измерили влажность почвы.", 2),
        *line("Потом пошли домой, и записали всё.", 3),
    ]
    assert legible_text(words) == (
        "Сначала описали все деревья, затем измерили влажность почвы.\nПотом пошли домой, и записали всё."
    )


def test_a_word_that_was_split_at_the_line_s_end_is_joined() -> None:
    assert legible_text([*line("Измерили влаж-", 1), *line("ность почвы.", 2)]) == "Измерили влажность почвы."


def test_paragraphs_that_tesseract_tore_inside_a_sentence_are_joined() -> None:
    words = [*line("повторяли трижды, а в", 1), *line("таблицы заносили всё.", 2, block=2), *line("Итоги", 3, block=3)]
    assert legible_text(words) == "повторяли трижды, а в таблицы заносили всё.\n\nИтоги"


def test_rows_of_a_table_stay_rows() -> None:
    words = [*line("Парк | Район | Шум", 1), *line("Роща | Южный | 51", 2)]
    assert legible_text(words) == "Парк | Район | Шум\nРоща | Южный | 51"


def test_bullets_are_dashes_whatever_they_were_taken_for() -> None:
    words = [*line("е _ оценить состояние", 1), *line("¢ _ проверить скамейки", 2), *line("» _ составить смету", 3)]
    assert legible_text(words) == "- оценить состояние\n- проверить скамейки\n- составить смету"


def test_what_is_no_print_is_no_text() -> None:
    rubbish = [*line("Е. оЗз пп ав", 1, sure=30), *line("ту 4й Ww", 2, sure=45), *line("да", 3, sure=80)]
    assert legible_text(rubbish) == ""
    assert legible_text([]) == ""


def test_a_sign_is_read_out_of_a_street_and_an_ornament_left_out_of_a_page() -> None:
    street = [*line("аа оо Зз УУ ЖЖ ыы ТТ ьь " * 3, 1, sure=20), *line("Переход закрыт до весны", 2, sure=93)]
    assert legible_text(street) == "Переход закрыт до весны"
    page = [*line("Переход закрыт до весны", 1), *line("Зз УУ", 2, sure=12)]
    assert legible_text(page) == "Переход закрыт до весны"


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("Cоcтав и ocнoва", "Состав и основа"),
        ("он был B доме с мамой", "он был В доме с мамой"),
        ("СССP распался, CCCP был", "СССР распался, СССР был"),
        ("формат A4 и витамин B12", "формат A4 и витамин B12"),
        ("the ОS of a PC", "the OS of a PC"),
        ("язык C++ и слово cat", "язык C++ и слово cat"),
        ("Wи-Fi", "Wи-Fi"),
        ("перешли со временем на HTTP и обратно", "перешли со временем на HTTP и обратно"),
        ("вместе co следующим содержимым", "вместе со следующим содержимым"),
        ("ОТЧЁТ О СОСТОЯНИИ COCTABA", "ОТЧЁТ О СОСТОЯНИИ СОСТАВА"),
        ("Как CEO компании Acme Corp", "Как CEO компании Acme Corp"),
    ],
)
def test_a_word_is_written_in_one_alphabet(read: str, meant: str) -> None:
    assert undo_lookalikes(read) == meant
