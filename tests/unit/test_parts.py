"""Several questions in one message."""

import pytest

from core.retrieval.parts import split_question


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Когда образована ФСБ? И ещё: Где будут проходить летние игры в 2016г.",
            ("Когда образована ФСБ?", "Где будут проходить летние игры в 2016г."),
        ),
        ("Кто написал Илиаду? А также: когда она написана", ("Кто написал Илиаду?", "когда она написана")),
        ("Who wrote it first? And when was it printed?", ("Who wrote it first?", "when was it printed?")),
        ("1. Что такое сонет?\n2. Чем он отличается от оды?", ("Что такое сонет?", "Чем он отличается от оды?")),
        ("- кто автор книги\n- где она издана", ("кто автор книги", "где она издана")),
    ],
)
def test_two_questions_are_taken_apart(text: str, parts: tuple[str, ...]) -> None:
    assert split_question(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Кто написал Илиаду?",
        "Кто главный герой в книге Р. Киплинга «Книга джунглей»?",
        "How many states in the U.S. have reported cases?",
        "До какого времени, по мнению Филдинга Х. Гаррисона, можно проследить геологию?",
        "Что такое сонет? Объясни кратко.",
        "В каком году был открыт Южный полюс? (по «Южный полюс Земли»)",
        "сколько стоит и где купить",
        "",
    ],
)
def test_one_question_stays_one(text: str) -> None:
    assert split_question(text) == ()


def test_a_questionnaire_is_searched_for_as_it_stands() -> None:
    assert split_question("\n".join(f"Кто автор книги номер {n}?" for n in range(9))) == ()
