"""Questions made by rule from what a text says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.insights.source_insights import LONGEST_QUESTION
from core.insights.suggest_questions import suggest_questions
from core.model.insight import QUESTION_COUNT

RUSSIAN = [
    ("Канатная дорога — это транспорт, который движется по канату.", "Что такое канатная дорога?"),
    ("Пульсар (англ. pulsar) — это источник радиоизлучения.", "Что такое Пульсар?"),
    ("Герман Эббингауз — немецкий психолог и исследователь памяти.", "Кто такой Герман Эббингауз?"),
    ("Мария Склодовская — польская учёная, работавшая в Париже.", "Кто такая Мария Склодовская?"),
    ("Скорость реакции зависит от температуры и давления.", "От чего зависит скорость реакции?"),
    ("Под энтропией понимают меру беспорядка системы.", "Что понимают под энтропией?"),
    ("Вирус отличается от бактерии тем, что не имеет клетки.", "Чем Вирус отличается от бактерии?"),
    ("Различают три основных вида памяти: слуховую и другие.", "Какие виды памяти различают?"),
    ("Существует два типа двигателей: паровые и дизельные.", "Какие типы двигателей существуют?"),
    ("Эту минеральную разность называют полевым шпатом.", "Что называют полевым шпатом?"),
    ("Повторение замедляет забывание материала, потому что укрепляет связи.",
     "Почему повторение замедляет забывание материала?"),
    ("В 1885 году немецкий психолог Герман Эббингауз опубликовал книгу «О памяти».",
     "В каком году немецкий психолог Герман Эббингауз опубликовал книгу «О памяти»?"),
    ("Площадь озера составляет 560 квадратных километров.", "Сколько составляет площадь озера?"),
    ("Цель работы — изучить влияние света на рост.", "Какова цель работы?"),
    ("Повторение тоже замедляет забывание слов, и это проверено.", "Что замедляет забывание слов?"),
    ("Осмысленный материал забывается медленнее, чем бессмысленные слоги.",
     "Что забывается медленнее, чем бессмысленные слоги?"),
    ("Начальник экспедиции Николай Корженевский измерил скорость движения льда.",
     "Кто измерил скорость движения льда?"),
    ("Через двадцать минут сохранялось около 58 процентов выученного.",
     "Сколько процентов сохранялось через двадцать минут?"),
    ("Северная экспедиция вышла из города Оша двенадцатого июля.", "Когда северная экспедиция вышла из города Оша?"),
    ("Весь комплекс зданий состоит из башни и музея.", ""),
]  # fmt: skip
ENGLISH = [
    ("A prime number is a natural number with two divisors.", "What is a prime number?"),
    ("The immune system is a network of biological processes.", "What is the immune system?"),
    ("Chlorophyll is used to absorb the light of certain colours.", "What is Chlorophyll used for?"),
    ("A whole cell consists of a membrane and a nucleus.", "What does a whole cell consist of?"),
    ("Albert Einstein was a German physicist of great fame.", "Who was Albert Einstein?"),
    ("The rate of a reaction depends on temperature.", "What does the rate of a reaction depend on?"),
    ("Adenovirus vectors are attractive because they grow well.", "Why are Adenovirus vectors attractive?"),
    ("There are three major types of rock: igneous and others.", "What types of rock are there?"),
    ("The main aim of this study was to measure growth rates.", ""),
    ("The aim of the study was to measure the growth of cells.", "What was the aim of the study?"),
    ("The bridge was opened to the public in 1932 by the king.", "When was the bridge opened to the public?"),
    ("It is a natural number that has exactly two divisors.", ""),
]
SILENT = [
    "Он зависит от температуры и давления в камере.",
    "Это — это то, что нужно было доказать в задаче.",
    "Такая система состоит из трёх одинаковых частей.",
    "В 1885 году он опубликовал свою главную книгу.",
    "Однако температура воды зависит от глубины моря.",
    "В 1990 году выступил на Кубке Америки в сборной.",
    "— Привет! — сказал он и пошёл дальше по дороге.",
]


@pytest.mark.parametrize(("sentence", "question"), RUSSIAN)
def test_a_russian_statement_becomes_the_question_that_it_answers(sentence: str, question: str) -> None:
    assert suggest_questions(sentence, "ru") == ((question,) if question else ())


@pytest.mark.parametrize(("sentence", "question"), ENGLISH)
def test_an_english_statement_becomes_the_question_that_it_answers(sentence: str, question: str) -> None:
    assert suggest_questions(sentence, "en") == ((question,) if question else ())


@pytest.mark.parametrize("sentence", SILENT)
def test_a_statement_that_points_elsewhere_becomes_no_question(sentence: str) -> None:
    assert suggest_questions(sentence, "ru") == ()


def test_a_name_keeps_its_capital_and_a_common_word_does_not() -> None:
    text = (
        "Пульсар — это звезда с лучом. Говорят, что пульсар мигает. Байкал — это озеро в Сибири. Все знают, что Байкал "
        "глубок."
    )
    assert set(suggest_questions(text, "ru")) == {"Что такое пульсар?", "Что такое Байкал?"}


def test_an_authors_own_question_in_a_heading_is_taken() -> None:
    text = "# Справка\n\n## Как установить пакет?\n\nЗапустите установщик и выберите пакет из списка.\n"
    assert suggest_questions(text, "ru") == ("Как установить пакет?",)


def test_a_section_is_asked_about_only_for_want_of_better() -> None:
    body = "Здесь рассказано многое, что стоит прочитать до конца не спеша. " * 3
    text = f"# Город\n\n## Первые кабины\n\n{body}\n\n## Новые пути\n\n{body}\n\n"
    assert suggest_questions(text, "ru") == ("О чём раздел «Первые кабины»?",)
    assert suggest_questions(text + "Канат — это очень толстая верёвка.", "ru") == ("Что такое Канат?",)


def test_three_dates_in_a_row_are_not_asked_where_there_is_something_else() -> None:
    dates = " ".join(f"В {1900 + n} году мастер {who} построил мост." for n, who in enumerate(("Ян", "Пётр", "Осип")))
    text = f"{dates} Прочность моста зависит от материала опор."
    assert "От чего зависит прочность моста?" in suggest_questions(text, "ru")


def test_questions_ask_different_things_and_are_few() -> None:
    text = " ".join(sentence for sentence, _ in RUSSIAN) * 2
    asked = suggest_questions(text, "ru")
    assert len(asked) == QUESTION_COUNT
    assert len(set(asked)) == QUESTION_COUNT


def test_other_languages_get_none() -> None:
    assert suggest_questions("Eine Primzahl ist eine natürliche Zahl mit zwei Teilern.", "de") == ()


PIECES = [*(sentence for sentence, _ in RUSSIAN + ENGLISH), "# Раздел", "| a |", "\n\n", "Да?", "((", "«"]


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(["ru", "en"]))
def test_every_question_is_one_line_with_a_mark(pieces: list[str], language: str) -> None:
    for question in suggest_questions(" ".join(pieces), language):
        assert question.endswith("?")
        assert "\n" not in question
        assert len(question) <= LONGEST_QUESTION


@given(st.text(max_size=300), st.sampled_from(["ru", "en"]))
def test_any_text_is_survived(text: str, language: str) -> None:
    assert len(suggest_questions(text, language)) <= QUESTION_COUNT
