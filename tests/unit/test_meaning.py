"""Judging by meaning what words alone cannot hold."""

import pytest

from core.evidence.citations import check_answer, texts_to_compare
from core.evidence.meaning import E5_FLOOR, Meaning
from core.evidence.statements import judge_statement
from core.model.answer import Verdict
from tests.unit.passages import passage

SOURCE = "Owls hunt at night. The survey counted 40 nests in Norway. It found no link between moonlight and prey."
NESTS = "The survey counted 40 nests in Norway."
LINK = "It found no link between moonlight and prey."


def alike(*pairs: tuple[str, str], model_id: str = "multilingual-e5-small") -> Meaning:
    """Texts of a pair point the same way, all else is at right angles."""
    vectors: dict[str, list[float]] = {}
    for at, pair in enumerate(pairs):
        for text in pair:
            vectors[text] = [float(at == place) for place in range(len(pairs))]
    return Meaning(vectors, model_id)


def test_a_statement_in_another_language_is_supported_by_the_sentence_that_means_it() -> None:
    statement = "Обследование насчитало 40 гнёзд в Норвегии."
    judgement = judge_statement(statement, [SOURCE], alike((statement, NESTS)))
    assert judgement.verdict is Verdict.SUPPORTED
    assert SOURCE[judgement.start : judgement.end] == NESTS
    assert judge_statement(statement, [SOURCE]).verdict is Verdict.NOT_FOUND


@pytest.mark.parametrize(
    ("statement", "sentence", "why"),
    [
        ("Обследование насчитало 50 гнёзд в Норвегии.", NESTS, "another number"),
        ("Обследование не насчитало 40 гнёзд в Норвегии.", NESTS, "a negation too many"),
        ("Обследование нашло связь лунного света и добычи.", LINK, "a negation too few"),
        ("Обследование NASA насчитало 40 гнёзд.", NESTS, "a Latin name that is not there"),
    ],
)
def test_meaning_never_overrules_facts(statement: str, sentence: str, why: str) -> None:
    assert judge_statement(statement, [SOURCE], alike((statement, sentence))).verdict is Verdict.NOT_FOUND, why


def test_the_floor_is_the_models_own_and_higher_within_a_language() -> None:
    near = [E5_FLOOR + 0.01, (1 - (E5_FLOOR + 0.01) ** 2) ** 0.5]
    vectors = {
        "Совы охотятся ночью.": [1.0, 0.0],
        "Owls hunt at night.": near,
        "Birds of prey seek food in darkness.": [1.0, 0.0],
    }
    e5 = Meaning(vectors, "multilingual-e5-small")
    assert judge_statement("Совы охотятся ночью.", [SOURCE], e5).verdict is Verdict.SUPPORTED
    assert judge_statement("Birds of prey seek food in darkness.", [SOURCE], e5).verdict is Verdict.NOT_FOUND
    other = Meaning(vectors, "text-embedding-3-small")
    assert judge_statement("Birds of prey seek food in darkness.", [SOURCE], other).verdict is Verdict.SUPPORTED


def test_only_what_words_do_not_hold_is_to_be_embedded() -> None:
    passages = [passage(1, SOURCE), passage(2, "Совы охотятся ночью.")]
    assert texts_to_compare("Совы охотятся ночью. [2] Вступление без знака о чём угодно.", passages) == []
    texts = texts_to_compare("Обследование насчитало 40 гнёзд. [1] Совы охотятся ночью. [2]", passages)
    assert texts == ["Обследование насчитало 40 гнёзд.", "Owls hunt at night.", NESTS, LINK]


def test_an_answer_is_checked_with_the_vectors_of_those_texts() -> None:
    passages = [passage(1, SOURCE)]
    answer = "Обследование насчитало 40 гнёзд. [1]"
    statement, *_ = texts_to_compare(answer, passages)
    checked = check_answer(answer, passages, alike((statement, NESTS)))
    assert checked.unsupported == ()
    assert checked.citations[0].quote == NESTS
