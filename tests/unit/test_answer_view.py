"""An answer is shown whole, with its citations and what it stands on; a refusal guesses nothing."""

import pytest

from bot import callbacks
from bot.i18n import Translate
from bot.rich_value import utf16_len
from bot.views.answer import PROMPTS_SHOWN_FROM, answer_footer, answer_views, citation_keyboard, refusal_view
from bot.views.asking import searching_view
from bot.views.marking import mark_unsupported
from bot.views.view import Button
from tests.unit.view_values import (
    MESSAGE_LIMIT,
    TEXTS,
    answer,
    citation,
    labels,
    refusal,
    shown,
    under,
)


@pytest.fixture
def t() -> Translate:
    return TEXTS("ru")


def test_an_answer_carries_its_words_its_footer_and_a_button_for_each_citation(t: Translate) -> None:
    (view,) = answer_views(t, 5, answer("**Энтропия** растёт [1]. И всё [2].", citations=2))
    assert view.text == "Энтропия растёт [1]. И всё [2].\n\nПо 2 из 5 источников."
    assert not view.html
    assert under(view, "bold") == ["Энтропия"]
    assert under(view, "italic") == ["По 2 из 5 источников."]
    assert labels(view) == ["1 · с. 12", "2 · с. 12"]
    assert view.keyboard[0][0].data == callbacks.OpenCitation(answer_id=5, n=1).pack()


def test_places_are_named_while_they_are_few(t: Translate) -> None:
    rows = citation_keyboard(t, 1, (citation(1), citation(2, page=None), citation(3, page=None, time_s=3723.4)))
    assert [button.text for row in rows for button in row] == ["1 · с. 12", "2", "3 · 1:02:03"]
    many = citation_keyboard(t, 1, tuple(citation(n) for n in range(1, 13)))
    assert [len(row) for row in many] == [5, 5, 2]
    assert many[2][1] == Button("12", data=callbacks.OpenCitation(answer_id=1, n=12).pack())


def test_an_unsupported_sentence_is_marked_and_the_mark_explained(t: Translate) -> None:
    text = "Энтропия растёт [1]. Луна из сыра. Конец [1]."
    (view,) = answer_views(t, 1, answer(text, unsupported=("Луна из сыра.",)))
    assert "Луна из сыра. ✖ Конец [1]." in view.text
    assert "✖ — подтверждения в источниках не нашлось" in view.text


def test_a_supported_answer_is_quiet(t: Translate) -> None:
    (view,) = answer_views(t, 1, answer())
    assert "✖" not in view.text


@pytest.mark.parametrize(
    ("markdown", "sentences", "marked"),
    [
        ("Раз. Два. Раз.", ["Раз.", "Раз."], "Раз. ✖ Два. Раз. ✖"),
        ("**Раз. Два.**", ["**Раз."], "**Раз. ✖ Два.**"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", ["| 1 | 2 |"], "| a | b |\n|---|---|\n| 1 | 2 ✖ |\n"),
        ("Раз.", ["Нет такого."], "Раз."),
        ("Раз.", [""], "Раз."),
    ],
)
def test_marks_stand_behind_their_sentences(markdown: str, sentences: list[str], marked: str) -> None:
    assert mark_unsupported(markdown, sentences) == marked


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"reading": 3}, "Ещё читаю 3 источника"),
        ({"cut_off": True}, "Ответ обрывается здесь."),
        ({"prompts_left": 1}, "Остался 1 запрос."),
        ({"prompts_left": 19}, "Осталось 19 запросов."),
        ({"prompts_left": 0}, "Запросов больше нет."),
        ({"model": "extractive"}, "без языковой модели"),
        ({"model": "extractive", "prompts_left": 0}, "Запросы закончились"),
        ({"model": "extractive", "prompts_left": 7}, "Языковая модель не ответила"),
    ],
)
def test_the_footer_says_what_an_answer_stands_on(t: Translate, more: dict[str, object], said: str) -> None:
    assert said in answer_footer(t, answer(**more))  # type: ignore[arg-type]


def test_plenty_of_prompts_is_not_told_under_every_answer(t: Translate) -> None:
    assert "запрос" not in answer_footer(t, answer(prompts_left=PROMPTS_SHOWN_FROM))
    assert answer_footer(t, answer(prompts_left=None)) == "По 2 из 5 источников."


def test_a_long_answer_has_its_buttons_once_at_the_end(t: Translate) -> None:
    views = answer_views(t, 1, answer("**" + "слово " * 1700 + "[1]**"))
    assert len(views) == 3
    assert [bool(view.keyboard) for view in views] == [False, False, True]
    assert all(utf16_len(view.text) <= MESSAGE_LIMIT for view in views)
    assert all(under(view, "bold") for view in views)
    assert views[-1].text.endswith("По 2 из 5 источников.")


def test_a_refusal_says_what_was_searched_and_lists_nothing(t: Translate) -> None:
    (view,) = answer_views(t, 1, refusal(searched=21, reading=2, prompts_left=3))
    words = shown(view)
    assert words.startswith("Ответа на это в блокноте нет: поиск прошёл по 21 источнику.")
    assert "Ещё читаю 2 источника" in words
    assert "Осталось 3 запроса." in words
    assert "Лекция" not in words
    assert not view.keyboard


def test_a_refusal_offers_to_keep_the_words(t: Translate) -> None:
    (view,) = answer_views(t, 1, refusal(), question_id=9)
    assert view.keyboard[0][0].data == callbacks.Treat(as_="source", reference=9).pack()


def test_an_empty_notebook_says_what_to_do(t: Translate) -> None:
    assert "нет источников" in shown(refusal_view(t, refusal(searched=0)))
    assert "1 источник ещё читается" in shown(refusal_view(t, refusal(searched=0, reading=1)))


def test_a_running_question_can_be_stopped(t: Translate) -> None:
    view = searching_view(t, 9)
    assert view.silent
    assert view.keyboard[0][0] == Button("Остановить", data=callbacks.StopQuestion(question_id=9).pack())
