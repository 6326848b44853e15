"""A summary without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.insights.summarise import LONGEST, READ_CHARACTERS, SENTENCES, SHORTEST, summarise

ABOUT = [
    "Канатная дорога над рекой Варкой соединила два берега города Среднегорска.",
    "Механик рудника Осип Веттер рассчитал канатную дорогу за две недели.",
    "Повар в столовой каждую пятницу варил гороховый суп со сметаной и укропом.",
    "Канат для дороги заказали на заводе в Линце и везли на подводах.",
    "Учительница Лопатина написала о дороге письмо в газету, и его сочли шуткой.",
    "Через Варку канатная дорога перевозила девятьсот жителей за сутки.",
    "Зимой канат обмерзал, и дорога ждала, пока машинист не собьёт наледь.",
]


def lines(text: str) -> list[str]:
    return summarise(text).splitlines()


def test_it_says_what_the_text_keeps_speaking_of_and_in_the_texts_order() -> None:
    said = [line[2:] for line in lines(" ".join(ABOUT))]
    assert len(said) == SENTENCES
    assert ABOUT[2] not in said
    assert said == [sentence for sentence in ABOUT if sentence in said]


def test_a_text_without_repetitions_is_summed_up_by_its_beginning() -> None:
    names = ["Алтай", "Байкал", "Волга", "Гжель", "Днепр", "Енисей", "Жигули", "Зея"]
    text = " ".join(f"{name} {' '.join(str(10_000 + 8 * n + k) for k in range(8))}." for n, name in enumerate(names))
    assert [line[2:].split()[0] for line in lines(text)] == names[:SENTENCES]


@pytest.mark.parametrize("text", ["", "  \n\n ", "Коротко.", "# Только заголовок, хотя и длинный, о канатной дороге"])
def test_a_text_without_a_sentence_has_no_summary(text: str) -> None:
    assert summarise(text) == ""


def test_headings_tables_code_and_pictures_are_not_sentences() -> None:
    text = (
        "# Заголовок о канатной дороге над рекой Варкой в городе\n\n"
        "| Год | Сколько человек перевезла канатная дорога |\n|---|---|\n| 1934 | девятьсот в сутки, как и хотели |\n\n"
        "```\nprint('канатная дорога над рекой Варкой в городе')\n```\n\n"
        "![канатная дорога над рекой Варкой в городе](картинка.png)\n\n" + ABOUT[0]
    )
    assert lines(text) == [f"- {ABOUT[0]}"]


@pytest.mark.parametrize("mark", ["- ", "* ", "• ", "1. ", "12) ", "> ", "> - "])
def test_a_list_item_loses_its_bullet(mark: str) -> None:
    assert lines(f"{mark}{ABOUT[0]}") == [f"- {ABOUT[0]}"]


def test_the_same_thing_is_said_once() -> None:
    again = ABOUT[0].replace("соединила", "связала")
    assert len(lines(f"{ABOUT[0]} {again} {ABOUT[0]} {again}")) == 1


def test_a_sentence_that_was_cut_off_is_not_quoted() -> None:
    short = "Суп. " * ((READ_CHARACTERS - 60) // len("Суп. "))
    assert summarise(short + ABOUT[0]) == ""
    assert summarise(short[: -len("Суп. ") * 10] + ABOUT[0]) == f"- {ABOUT[0]}"


@given(st.lists(st.sampled_from([*ABOUT, "Да.", "# Раздел", "| a | b |", "Щ" * 500, "- пункт", "\n\n"]), max_size=30))
def test_every_line_is_a_sentence_of_the_text_and_there_are_few(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    said = lines(text)
    assert len(said) <= SENTENCES
    assert len(set(said)) == len(said)
    for line in said:
        assert line.startswith("- ")
        assert SHORTEST <= len(line[2:]) <= LONGEST
        assert line[2:] in " ".join(text.split())


@given(st.text(max_size=300))
def test_any_text_is_survived(text: str) -> None:
    assert len(lines(text)) <= SENTENCES
