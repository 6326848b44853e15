"""What a text is about, without a model."""

from hypothesis import given
from hypothesis import strategies as st

from core.insights.key_points import MOST_POINTS, key_points
from core.insights.make_insights import insights_by_rule


def test_headings_are_the_points_without_numbers_and_empty_words() -> None:
    text = "# Память\n\n## Введение\n\nа\n\n## 1. Виды *памяти*\n\nб\n\n## 2.1 Забывание\n\nв\n\n## Повторение\n\n"
    text += "## Литература\n"
    assert key_points(text) == ("Виды памяти", "Забывание", "Повторение")


def test_of_many_headings_some_are_chosen_from_all_over() -> None:
    text = "\n\n".join(f"## Тема{n} номер\n\nслова" for n in range(40))
    points = key_points(text)
    assert len(points) == MOST_POINTS
    assert points[0].startswith("Тема0")
    assert points[-1].startswith("Тема35")


def test_without_headings_definitions_then_bold_words_are_the_points() -> None:
    defined = "Энтропия — это мера беспорядка. Прочее неважно. Тепло — это форма передачи энергии."
    assert key_points(defined) == ("Энтропия — это мера беспорядка.", "Тепло — это форма передачи энергии.")
    assert key_points("Есть **кривая забывания** и **интервалы**, и снова **кривая забывания**.") == (
        "кривая забывания",
        "интервалы",
    )


def test_plain_prose_has_none() -> None:
    assert key_points("Дождь шёл весь день. К вечеру стало холодно.") == ()


@given(st.text(max_size=300))
def test_any_text_is_survived(text: str) -> None:
    made = insights_by_rule(text, "ru")
    assert len(made.key_points) <= MOST_POINTS
