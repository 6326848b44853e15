"""Answers without a language model."""

import re

import pytest

from core.answering.extractive import MOST_CHARS, MOST_SENTENCES, extract_answer
from tests.unit.passages import passage

MOON = (
    "Луна — единственный естественный спутник Земли. Среднее расстояние от Земли до Луны составляет 384 467 км. "
    "Первым человеком на Луне стал Нил Армстронг в 1969 году. Поверхность Луны покрыта реголитом."
)
BREAD = "Хлеб пекут из муки, воды и соли. Тесто для ржаного хлеба поднимается на закваске. Корку смазывают водой."
SLEEP = "Сон делится на фазы. Быстрый сон занимает четверть ночи. Во время быстрого сна человек видит сновидения."
PASSAGES = [passage(1, BREAD), passage(2, MOON), passage(3, SLEEP)]


@pytest.mark.parametrize(
    ("question", "n", "holds"),
    [
        ("Какое расстояние от Земли до Луны?", 2, "384 467"),
        ("Кто был первым человеком на Луне?", 2, "Армстронг"),
        ("на чём поднимается тесто ржаного хлеба", 1, "закваске"),
        ("Когда человек видит сновидения?", 3, "быстрого сна"),
    ],
)
def test_the_best_sentence_is_quoted_with_its_passage(question: str, n: int, holds: str) -> None:
    answer = extract_answer(question, PASSAGES, "ru")
    assert answer.answered
    best = max(answer.sentences, key=lambda sentence: sentence.score)
    assert (best.n, holds in best.text) == (n, True)
    assert f"{best.text} [{n}]" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Кто изобрёл паровую машину?",
        "Какова столица Мадагаскара?",
        "Сколько стоит подписка на журнал?",
        "",
        "???",
        "а и но",
    ],
)
def test_what_the_passages_do_not_hold_is_refused(question: str) -> None:
    answer = extract_answer(question, PASSAGES, "ru")
    assert (answer.answered, answer.sentences, answer.text) == (False, (), "")


@pytest.mark.parametrize("question", ["кто стал первым челвоеком на луне", "какое растояние от земли до луны"])
def test_one_slip_of_the_finger_is_forgiven(question: str) -> None:
    answer = extract_answer(question, PASSAGES, "ru")
    assert answer.answered
    assert answer.sentences[0].n == 2


def test_without_passages_it_refuses() -> None:
    assert not extract_answer("Кто был первым на Луне?", [], "ru").answered


def test_two_sources_that_say_the_same_are_quoted_once() -> None:
    same = "Медь проводит ток лучше железа и хуже серебра."
    answer = extract_answer("Как медь проводит ток?", [passage(1, same), passage(2, same), passage(3, BREAD)], "ru")
    assert answer.text == f"{same} [1]"


def test_an_answer_is_short_however_much_fits() -> None:
    metals = ["сталь", "никель", "олово", "цинк", "свинец", "титан", "вольфрам", "хром", "кобальт", "платина"]
    long = " ".join(f"Медь и {metal} проводят ток, но {metal} {'очень ' * 12}дорог." for metal in metals)
    answer = extract_answer("Как медь проводит ток?", [passage(1, long)], "ru")
    assert 1 < len(answer.sentences) <= MOST_SENTENCES
    assert len(answer.text) <= MOST_CHARS


def test_sentences_of_one_source_stand_in_its_order() -> None:
    later = passage(1, "Терешкова полетела в космос в 1963 году.", start=500, source=9)
    earlier = passage(2, "Гагарин полетел в космос в 1961 году.", start=10, source=9)
    answer = extract_answer("Кто полетел в космос?", [later, earlier], "ru")
    assert [sentence.n for sentence in answer.sentences] == [2, 1]


def test_every_sentence_ends_with_its_mark_and_is_a_slice_of_its_passage() -> None:
    answer = extract_answer("Что известно о Луне и Земле?", PASSAGES, "ru")
    assert re.fullmatch(r"(?:[^\[\]]+ \[\d\] ?)+", answer.text)
    for sentence in answer.sentences:
        assert PASSAGES[sentence.n - 1].text[sentence.start : sentence.end] == sentence.text


def test_a_title_stands_in_for_the_word_that_its_page_does_not_repeat() -> None:
    page = passage(1, "Родилась в Варшаве. Открыла полоний и радий.", title="Мария Кюри")
    answer = extract_answer("Где родилась Мария Кюри?", [page, passage(2, BREAD)], "ru")
    assert answer.answered
    assert "Варшаве" in answer.text


def test_of_two_equal_sentences_the_one_under_the_fitting_title_is_the_better() -> None:
    said = "Столица страны — крупный город, порт и центр торговли."
    pages = [passage(1, said, title="Перу"), passage(2, f"{said} Тепло.", title="Мадагаскар")]
    answer = extract_answer("Что известно про столицу страны Мадагаскар?", pages, "ru")
    assert max(answer.sentences, key=lambda sentence: sentence.score).n == 2


def test_one_sentence_longer_than_the_whole_answer_is_cut() -> None:
    endless = "Медь проводит ток " + "и ещё тепло " * 300
    answer = extract_answer("Что проводит медь?", [passage(1, endless)], "ru")
    assert answer.answered
    assert len(answer.text) <= MOST_CHARS
