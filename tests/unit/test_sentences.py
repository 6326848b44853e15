"""Where sentences end."""

import pytest

from core.evidence.sentences import split_sentences


def split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Один. Два! Три? Четыре…", ["Один.", "Два!", "Три?", "Четыре…"]),
        ("Это было, т. е. случилось, в 1999 г. Москва росла.", ["Это было, т. е. случилось, в 1999 г. Москва росла."]),
        ("Он умер в 1837 г. Он был поэтом.", ["Он умер в 1837 г.", "Он был поэтом."]),
        ("Роман написал А. С. Пушкин. Он велик.", ["Роман написал А. С. Пушкин.", "Он велик."]),
        ("Цена 3.5 руб. и выше. См. рис. 3 и табл. 5.", ["Цена 3.5 руб. и выше.", "См. рис. 3 и табл. 5."]),
        ("Яблоки, груши и т. д. Они вкусны.", ["Яблоки, груши и т. д.", "Они вкусны."]),
        ("Dr. Smith et al. found it. This is new.", ["Dr. Smith et al. found it.", "This is new."]),
        ("U.S. troops left, e.g. Marines. They went home.", ["U.S. troops left, e.g. Marines.", "They went home."]),
        ("The answer is no. Then we left.", ["The answer is no.", "Then we left."]),
        ("See No. 5 and p. 7. End.", ["See No. 5 and p. 7.", "End."]),
        ("«Кто там?» — спросил он. Тишина.", ["«Кто там?» — спросил он.", "Тишина."]),
        ("Он сказал: «Иди!» Она ушла.", ["Он сказал: «Иди!»", "Она ушла."]),
        ("Версия 2.1.3 вышла. Node.js тоже.", ["Версия 2.1.3 вышла.", "Node.js тоже."]),
        ("第一句。第二句。", ["第一句。", "第二句。"]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_sentence_ends_where_a_reader_would_end_it(text: str, expected: list[str]) -> None:
    assert split(text) == expected


@pytest.mark.parametrize("mark", ["[1]", " [1]", " [1][2]", " [1, стр. 4]", " 【1】", " [^1]"])
def test_a_mark_behind_the_full_stop_belongs_to_the_sentence_before_it(mark: str) -> None:
    assert split(f"Первое.{mark} Второе.") == [f"Первое.{mark}", "Второе."]
    assert split(f"Первое. Второе.{mark}") == ["Первое.", f"Второе.{mark}"]


def test_a_soft_wrap_does_not_end_a_sentence_but_a_blank_line_does() -> None:
    text = "Это длинная строка, которая перенесена\nна следующую строку. Конец\n\nновый абзац"
    assert split(text) == [
        "Это длинная строка, которая перенесена\nна следующую строку.",
        "Конец",
        "новый абзац",
    ]


def test_headings_list_items_and_table_rows_stand_for_themselves() -> None:
    text = "## Итоги\nПервый вывод\n- пункт один\n- пункт два\n1. шаг\n| а | б |\n|---|---|\n| 1 | 2 |\nдальше"
    assert split(text) == [
        "## Итоги",
        "Первый вывод",
        "- пункт один",
        "- пункт два",
        "1. шаг",
        "| а | б |",
        "|---|---|",
        "| 1 | 2 |",
        "дальше",
    ]


def test_a_fenced_block_is_one_piece() -> None:
    assert split("До.\n```\nx = 1. Y\n\nz\n```\nПосле.") == ["До.", "```\nx = 1. Y\n\nz\n```", "После."]


def test_a_plain_heading_above_a_paragraph_is_not_part_of_it() -> None:
    assert split("Введение\nРабота посвящена сну.") == ["Введение", "Работа посвящена сну."]
