"""Finding quotes and judging statements."""

import pytest

from core.evidence.prepared import PreparedPassage, PreparedStatement
from core.evidence.quotes import find_quote, locate, normalize_for_match
from core.evidence.statements import judge_each, judge_statement
from core.model.answer import Verdict


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("Кассовый разрыв", "Это Кассовый разрыв.", "Кассовый разрыв"),
        ("ещё всё", "и еще все тут", "еще все"),
        ("«так» - нет", "да “так” — нет, да", "так” — нет"),
        ("разрыв велик", "раз\u00adрыв  \n велик", "раз\u00adрыв  \n велик"),
        ("государство", "Это госу-\nдарство наше", "госу-\nдарство"),
        ("кто-то пришёл", "вот кто-\nто пришел", "кто-\nто пришел"),
        ("жирный текст", "это **жирный** _текст_", "жирный** _текст"),
        ("final file", "the ﬁnal ﬁle", "ﬁnal ﬁle"),
        ("«Важная мысль…»", "Это Важная мысль и точка", "Важная мысль"),
        ("важная мысль", "Важная Мысль", "Важная Мысль"),
        ("как показано (12)", "как показано [12].", "как показано [12"),
        ("замок", "за\u0301мок", "за\u0301мок"),
        ("It’s fine", "so it's fine", "it's fine"),
        ("10 000 рублей", "10\u00a0000 рублей", "10\u00a0000 рублей"),
    ],
)
def test_a_quote_is_found_whatever_typography_did_to_it(quote: str, text: str, found: str) -> None:
    span = find_quote(quote, text)
    assert span is not None
    assert text[span.start : span.end] == found


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("возможно", "это невозможно"),
        ("кот", "который"),
        ("слова там нет такого", "совсем другое"),
        ("", "текст"),
        ("…", "текст…"),
        ("рост 15%", "рост 16%"),
    ],
)
def test_what_does_not_stand_there_is_not_found(quote: str, text: str) -> None:
    assert find_quote(quote, text) is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("является лекарством", "Препарат не является лекарством."),
        ("The drug cures cancer", "It is not true that the drug cures cancer."),
        ("can be used for children", "It cannot be said: can be used for children"),
        ("препарат помогает", "Неверно, что препарат помогает."),
        ("Метод подходит", "Метод подходит не всем."),
    ],
)
def test_a_quote_that_leaves_out_a_negation_is_not_accepted(quote: str, text: str) -> None:
    assert locate(quote, text) is not None
    assert find_quote(quote, text) is None


def test_a_negation_in_another_sentence_does_not_spoil_a_quote() -> None:
    assert find_quote("Метод быстр", "Метод быстр. Он не дорог.") is not None


def test_offsets_lead_back_to_the_original() -> None:
    text = "«Ёлка»\u00ad **ﬁn** — а\u0301б"
    normalized = normalize_for_match(text)
    assert normalized.text == '"Елка" fin - аб'
    assert len(normalized.text) == len(normalized.starts) == len(normalized.ends)
    at = normalized.text.index("fin")
    assert text[normalized.starts[at] : normalized.ends[at + 2]] == "ﬁn"


SOURCE = (
    "Юрий Гагарин совершил первый полёт в космос 12 апреля 1961 года на корабле «Восток-1». "
    "Полёт продолжался 108 минут. Герман Титов был его дублёром. "
    "Аспирин снижает температуру тела, но не лечит причину болезни. "
    "Исследование не выявило связи между кофе и давлением у взрослых пациентов. "
    "В опыте участвовали три группы по 1 000 человек."
)


def judged(statement: str, source: str = SOURCE) -> tuple[Verdict, str]:
    judgement = judge_statement(statement, [source])
    return judgement.verdict, source[judgement.start : judgement.end]


def test_a_literal_sentence_is_verbatim_and_quoted() -> None:
    assert judged("Полёт продолжался 108 минут.") == (Verdict.VERBATIM, "Полёт продолжался 108 минут.")


@pytest.mark.parametrize(
    "statement",
    [
        "Первый полёт в космос Юрий Гагарин совершил 12.04.1961.",
        "Дублёром Гагарина был Герман Титов",
        "В опыте участвовали 3 группы по 1000 человек",
        "**Аспирин** снижает температуру тела",
        "Связи между кофе и давлением у взрослых исследование не выявило.",
        "Согласно источнику, полёт Гагарина продолжался 108 минут.",
    ],
)
def test_a_statement_in_other_words_of_the_source_is_supported(statement: str) -> None:
    assert judged(statement)[0] is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("Юрий Гагарин совершил первый полёт в космос 12 апреля 1962 года.", "another year"),
        ("Полёт продолжался 180 минут.", "another number"),
        ("Первый полёт в космос 12 апреля 1961 года совершил Герман Титов на корабле «Союз».", "another ship"),
        ("Исследование выявило связь между кофе и давлением у взрослых пациентов.", "negation dropped"),
        ("Полёт Гагарина не продолжался 108 минут.", "negation added"),
        ("Аспирин повышает температуру тела.", "the opposite"),
        ("Аспирин лечит причину болезни.", "negation dropped in a clause"),
        ("Кофе полезен для сердца и сосудов.", "not there"),
        ("Автор пишет: «Полёт продолжался целых 108 минут».", "a quotation that is not literal"),
        ("Да.", "says nothing"),
    ],
)
def test_a_statement_that_the_source_does_not_hold_is_not_found(statement: str, why: str) -> None:
    assert judged(statement)[0] is Verdict.NOT_FOUND, why


def test_a_number_from_the_sentence_beside_it_does_not_save_a_wrong_one() -> None:
    source = "Колумб достиг острова Гаити 6 декабря. Затем 16 числа он повернул домой. Зима была мягкой."
    assert judged("Колумб достиг острова Гаити 16 декабря.", source)[0] is Verdict.NOT_FOUND
    assert (
        judged("Колумб достиг острова Гаити 6 декабря, а 16 числа он повернул домой.", source)[0] is Verdict.SUPPORTED
    )


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("Метод быстрый и дешёвый в работе.", "Метод в работе не только быстрый, но и дешёвый."),
        ("The method is fast and cheap to run.", "The method is not only fast to run but also cheap."),
        ("Заявку подают до 5 мая каждого года.", "Заявку каждого года подают не позднее 5 мая."),
    ],
)
def test_not_only_and_not_later_than_deny_nothing(statement: str, source: str) -> None:
    assert judged(statement, source)[0] is Verdict.SUPPORTED


def test_a_verbatim_piece_whose_sentence_denies_elsewhere_shows_the_whole_sentence() -> None:
    verdict, quote = judged("Аспирин снижает температуру тела")
    assert verdict is Verdict.SUPPORTED
    assert quote.endswith("но не лечит причину болезни.")


def test_two_passages_may_support_a_statement_together() -> None:
    passages = [PreparedPassage("Титов родился на Алтае."), PreparedPassage("Гагарин родился под Смоленском.")]
    judgements = judge_each(PreparedStatement("Титов родился на Алтае, а Гагарин родился под Смоленском."), passages)
    assert [j.verdict for j in judgements] == [Verdict.SUPPORTED, Verdict.SUPPORTED]


def test_a_paraphrase_is_supported_when_its_meaning_is_near_but_never_against_numbers() -> None:
    source = "The study enrolled 40 adults."

    def near(_: str, __: str) -> float:
        return 1.0

    assert judge_statement("В исследование включили 40 взрослых.", [source], near).verdict is Verdict.SUPPORTED
    assert judge_statement("В исследование включили 50 взрослых.", [source], near).verdict is Verdict.NOT_FOUND


def test_without_passages_nothing_is_found() -> None:
    assert judge_statement("Что угодно сказано здесь", []).verdict is Verdict.NOT_FOUND
