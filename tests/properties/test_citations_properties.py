"""What holds for the check of any answer whatever."""

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from core.evidence.citations import check_answer, resolve_marks
from core.evidence.marks import find_marks
from core.evidence.quotes import find_quote, locate, normalize_for_match
from core.evidence.sentences import split_sentences
from core.evidence.statements import judge_statement
from tests.unit.passages import passage

MARKS = ["[1]", "[2]", "[7]", "[1,2]", "[1-3]", "【1】", "[^2]", "[[", "]]", "[", "]", "1", "2", ",", "-"]
MARKUP = ["`", "```", "~~~\n", "$", "\\", "**", "#", "| a |", "](u)", "![", "(", ")", "\u00ad"]
PROSE = ["\n", "\n\n", " ", ".", "не ", "Кошки спят. ", "word ", "\nИсточники:\n"]
PIECES = st.sampled_from(MARKS + MARKUP + PROSE)
ANSWERS = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=25).map("".join))
COUNTS = st.integers(min_value=0, max_value=4)
no_deadline = settings(deadline=None, max_examples=100)


@no_deadline
@given(ANSWERS, COUNTS)
def test_marks_always_match_the_citations(text: str, count: int) -> None:
    passages = [passage(n, f"Кошки спят. Слово номер {n}.") for n in range(1, count + 1)]
    checked = check_answer(text, passages)
    named = [n for mark in find_marks(checked.text, range(100)) for n in mark.numbers]
    assert list(dict.fromkeys(named)) == list(range(1, len(checked.citations) + 1))
    assert [citation.n for citation in checked.citations] == list(range(1, len(checked.citations) + 1))
    assert all(sentence in checked.text for sentence in checked.unsupported)


@no_deadline
@given(ANSWERS, COUNTS)
def test_resolving_twice_is_resolving_once(text: str, count: int) -> None:
    once = resolve_marks(text, count)
    twice = resolve_marks(once.text, len(once.order))
    assert twice.text == once.text
    assert twice.order == tuple(range(1, len(once.order) + 1))


@no_deadline
@given(ANSWERS, COUNTS)
def test_checking_twice_is_checking_once(text: str, count: int) -> None:
    passages = [passage(n, f"Кошки спят. Слово номер {n}.") for n in range(1, count + 1)]
    once = check_answer(text, passages)
    again = check_answer(once.text, [passage(c.n, f"Кошки спят. {c.title}") for c in once.citations])
    assert again.text == once.text
    assert len(again.citations) == len(once.citations)


@no_deadline
@given(ANSWERS)
def test_without_passages_no_mark_is_left(text: str) -> None:
    assert find_marks(resolve_marks(text, 0).text, range(100)) == []


@no_deadline
@given(ANSWERS)
def test_a_citation_quotes_its_passage_letter_by_letter(text: str) -> None:
    source = passage(1, "Кошки спят. Собаки не лают ночью.", start=50)
    for citation in check_answer(text + " Кошки спят [1].", [source]).citations:
        assert citation.quote == source.text[citation.start - 50 : citation.end - 50] != ""


@no_deadline
@given(st.text(max_size=300))
def test_sentences_cover_all_that_is_not_space(text: str) -> None:
    spans = split_sentences(text)
    left = list(text)
    for span in spans:
        assert text[span.start : span.end].strip() == text[span.start : span.end] != ""
        left[span.start : span.end] = " " * (span.end - span.start)
    assert not "".join(left).strip()
    assert all(one.end <= other.start for one, other in pairwise(spans))


@no_deadline
@given(st.text(max_size=200))
def test_normalised_characters_know_their_place(text: str) -> None:
    normalized = normalize_for_match(text)
    assert len(normalized.text) == len(normalized.starts) == len(normalized.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(normalized.starts, normalized.ends, strict=True))
    assert normalized.starts == sorted(normalized.starts)


@no_deadline
@given(
    st.lists(st.sampled_from(["кот", "ёж", "не", "спит", "«да»", "12", "ﬁn", "кое-что"]), min_size=1, max_size=12),
    st.data(),
)
def test_every_run_of_words_is_located_in_its_own_text(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first + 1, len(words)))
    quote = " ".join(words[first:last])
    found = locate(quote, text)
    assert found is not None
    assert re.sub(r"\W", "", quote) == re.sub(r"\W", "", text[found.start : found.end])


@no_deadline
@given(st.text(max_size=80), st.text(max_size=200))
def test_nothing_written_breaks_the_judges(statement: str, source: str) -> None:
    judgement = judge_statement(statement, [source])
    assert 0 <= judgement.start <= judgement.end <= len(source)
    found = find_quote(statement, source)
    assert found is None or 0 <= found.start < found.end <= len(source)
