"""Marks and the check of an answer."""

import pytest

from core.evidence.citations import check_answer, resolve_marks
from core.model.answer import Verdict
from tests.unit.passages import passage


@pytest.mark.parametrize(
    ("written", "resolved", "order"),
    [
        ("Да [2].", "Да [1].", (2,)),
        ("А [3], б [1], в [3].", "А [1], б [2], в [1].", (3, 1)),
        ("Да [1,2].", "Да [1][2].", (1, 2)),
        ("Да [1][2].", "Да [1][2].", (1, 2)),
        ("Да [1; 3].", "Да [1][2].", (1, 3)),
        ("Да【1】.", "Да[1].", (1,)),
        ("Да 【2†source】.", "Да [1].", (2,)),
        ("Да [^1].", "Да [1].", (1,)),
        ("Да [1-3].", "Да [1][2][3].", (1, 2, 3)),
        ("Да [2–4].", "Да [1][2][3].", (2, 3, 4)),
        ("Да [1, стр. 4].", "Да [1].", (1,)),
        ("Yes [2, p. 17].", "Yes [1].", (2,)),
        ("Да [источник 2].", "Да [1].", (2,)),
        ("Да [[3]].", "Да [1].", (3,)),
        ("Да [7].", "Да.", ()),
        ("Да [7] и нет.", "Да и нет.", ()),
        ("Да [1, 7].", "Да [1].", (1,)),
        ("Да [0].", "Да.", ()),
        ("Да [3-1000000].", "Да [1][2].", (3, 4)),
        ("[[7]1]", "", ()),
        ("Да [2](см. рисунок).", "Да [1](см. рисунок).", (2,)),
    ],
)
def test_every_spelling_of_a_mark_is_understood_and_renumbered(
    written: str, resolved: str, order: tuple[int, ...]
) -> None:
    result = resolve_marks(written, 4)
    assert (result.text, result.order) == (resolved, order)


@pytest.mark.parametrize(
    "text",
    [
        "В коде `a[1]` массив.",
        "```python\nx = a[1]\n```",
        "~~~\n[2]\n~~~",
        "Ссылка [текст](https://example.org/[1]).",
        "Ссылка [1](https://example.org).",
        "Картинка ![2](a.png).",
        "Формула $[1,2]$ и $$x \\in [1, 2]$$.",
        r"Формула \[1\].",
        "Слово [см. 4] и [x].",
    ],
)
def test_code_formulas_and_links_are_left_alone(text: str) -> None:
    assert resolve_marks(text, 4).text == text


def test_numbers_may_be_any_set() -> None:
    assert resolve_marks("А [12]. Б [3]. В [5].", {12, 5}).text == "А [1]. Б. В [2]."


FIRST = "Кошки спят по 16 часов в сутки. Собаки спят по 12 часов."
SECOND = "Совы охотятся ночью. Жаворонки поют утром."


def test_each_cited_passage_becomes_one_citation_with_its_quote_and_place() -> None:
    passages = [passage(1, FIRST), passage(2, SECOND, start=100, page=7, headings=("Птицы",), title="Атлас")]
    checked = check_answer("Совы охотятся ночью. [2] Кошки спят по 16 часов в сутки. [1]", passages)
    assert checked.text == "Совы охотятся ночью. [1] Кошки спят по 16 часов в сутки. [2]"
    owls, cats = checked.citations
    assert (owls.n, owls.title, owls.page, owls.headings) == (1, "Атлас", 7, ("Птицы",))
    assert (owls.start, owls.end, owls.quote) == (100, 120, "Совы охотятся ночью.")
    assert (cats.n, cats.quote, cats.verdict) == (2, "Кошки спят по 16 часов в сутки.", Verdict.VERBATIM)
    assert checked.unsupported == ()


def test_a_sentence_left_without_support_is_marked() -> None:
    checked = check_answer("Совы охотятся ночью. [1] Киты поют в океане громко. [7]", [passage(1, SECOND)])
    assert checked.text == "Совы охотятся ночью. [1] Киты поют в океане громко."
    assert checked.unsupported == ("Киты поют в океане громко.",)
    assert checked.unsupported[0] in checked.text


def test_a_sentence_whose_passage_says_something_else_is_marked_and_keeps_its_mark() -> None:
    checked = check_answer("Кошки спят по 20 часов в сутки. [1]", [passage(1, FIRST)])
    assert checked.unsupported == ("Кошки спят по 20 часов в сутки. [1]",)
    assert checked.citations[0].verdict is Verdict.NOT_FOUND


def test_the_best_held_sentence_decides_a_citations_quote() -> None:
    text = "Кошки умеют летать на луну. [1] Собаки спят по 12 часов. [1]"
    checked = check_answer(text, [passage(1, FIRST)])
    assert checked.citations[0].quote == "Собаки спят по 12 часов."
    assert checked.citations[0].verdict is Verdict.VERBATIM
    assert checked.unsupported == ("Кошки умеют летать на луну. [1]",)


@pytest.mark.parametrize(
    "sentence",
    ["## Сон кошек и собак", "Вот что известно о сне животных:", "Хотите узнать больше о сне?", "Да.", "| --- | --- |"],
)
def test_headings_questions_and_lead_ins_state_nothing(sentence: str) -> None:
    checked = check_answer(f"{sentence}\n\nКошки спят по 16 часов в сутки. [1]", [passage(1, FIRST)])
    assert checked.unsupported == ()


def test_a_remark_that_sources_do_not_tell_needs_no_mark() -> None:
    text = "Кошки спят по 16 часов в сутки. [1] О рыбах в источниках ничего не сказано."
    assert check_answer(text, [passage(1, FIRST)]).unsupported == ()


def test_list_items_carry_their_own_marks() -> None:
    text = "Сон животных:\n- Кошки спят по 16 часов [1]\n- Рыбы поют хором каждую ночь"
    assert check_answer(text, [passage(1, FIRST)]).unsupported == ("- Рыбы поют хором каждую ночь",)


def test_checking_a_checked_answer_changes_nothing() -> None:
    passages = [passage(1, FIRST), passage(2, SECOND)]
    once = check_answer("Совы охотятся ночью [2,7]. Кошки спят [1-9]. Вымысел о китах полный.", passages)
    again = check_answer(once.text, [passage(1, SECOND), passage(2, FIRST)])
    assert again.text == once.text
    assert [c.quote for c in again.citations] == [c.quote for c in once.citations]


@pytest.mark.parametrize(
    "ending",
    [
        "\n\nИсточники:\n[1] Атлас\n[2] Книга",
        "\n\n**Источники**\n\n- [1] Атлас, стр. 5",
        "\n\n## Sources\n1. [1] Atlas\n2. [2] Book\n",
        "\n---\nСписок литературы:\n【1】 Атлас",
        "\n\n[^1]: Атлас\n[^2]: Книга",
    ],
)
def test_a_list_of_sources_at_the_end_is_dropped(ending: str) -> None:
    checked = check_answer(f"Совы охотятся ночью. [1]{ending}", [passage(1, SECOND), passage(2, FIRST)])
    assert checked.text.rstrip() == "Совы охотятся ночью. [1]"
    assert len(checked.citations) == 1


def test_a_list_that_is_the_answer_is_kept() -> None:
    text = "Источники света:\n- [1] Совы охотятся ночью"
    assert check_answer(text, [passage(1, SECOND)]).text == text


def test_an_answer_without_passages_keeps_no_mark() -> None:
    checked = check_answer("Всё это выдумано целиком. [1]", [])
    assert (checked.text, checked.citations) == ("Всё это выдумано целиком.", ())
    assert checked.unsupported == ("Всё это выдумано целиком.",)
