"""Suggested questions as buttons, and which of them are shown together."""

from dataclasses import replace

from bot.callbacks import AskSuggested
from bot.views.suggestions import QUESTION_SHOWN, asked_view, source_insight_text, suggestion_rows
from core.library.suggestions import spread_suggestions
from core.model.ids import NotebookId, SourceId
from core.ports.face import Suggestion
from tests.unit.view_values import HOSTILE, TEXTS, burst, shown, source

T = TEXTS("ru")
BIGGEST = 2**63 - 1


def test_every_question_has_a_row_with_its_words_shortened_to_what_a_phone_shows() -> None:
    long = "Почему повторения, разделённые днями, действуют лучше, чем столько же повторений подряд?"
    offered = tuple(
        Suggestion(NotebookId(BIGGEST), SourceId(BIGGEST), at, words)
        for at, words in enumerate(("Что?", long, HOSTILE))
    )
    rows = suggestion_rows(T, replace(burst(source()), suggestions=offered))
    assert [len(row) for row in rows] == [1, 1, 1]
    assert rows[0][0].text == "Что?"
    assert rows[1][0].text.endswith("…")
    assert all(len(row[0].text) <= QUESTION_SHOWN for row in rows)
    assert all(len(row[0].data.encode()) <= 64 for row in rows)
    assert AskSuggested.unpack(rows[2][0].data).ordinal == 2


def test_a_burst_without_questions_has_no_rows() -> None:
    assert suggestion_rows(T, burst(source())) == ()


def test_a_tapped_questions_words_are_shown_as_they_are() -> None:
    assert shown(asked_view(HOSTILE)) == f"❓ {HOSTILE}"


def test_a_summary_is_shown_line_by_line_and_no_longer_than_a_card() -> None:
    assert source_insight_text(T, "") == ""
    assert source_insight_text(T, "- Одно <b>.") == "<b>Коротко</b>\nОдно &lt;b&gt;."
    text = source_insight_text(T, "\n".join(f"- {'слово ' * 40}{n}" for n in range(5)))
    assert text.count("•") == 2


A, B, C = SourceId(1), SourceId(2), SourceId(3)


def spread(stored: dict[SourceId, str]) -> list[tuple[int, int]]:
    return [(one.source_id, one.ordinal) for one in spread_suggestions(NotebookId(1), [A, B, C], stored)]


def test_one_source_gives_its_three_and_several_take_turns() -> None:
    assert spread({B: "1?\n2?\n3?\n4?"}) == [(2, 0), (2, 1), (2, 2)]
    assert spread({A: "1?\n2?", B: "3?\n4?"}) == [(1, 0), (2, 0), (1, 1)]
    assert spread({A: "1?", B: "2?", C: "3?"}) == [(1, 0), (2, 0), (3, 0)]
    assert spread({}) == []


def test_equal_questions_of_two_sources_are_one() -> None:
    assert spread({A: "Что такое шум?", B: "что такое шум?\nЗачем?"}) == [(1, 0), (2, 1)]
