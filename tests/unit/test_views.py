"""What a person sees of each value: complete, escaped, quiet, and within Telegram's limits."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

import pytest
from aiogram.filters.callback_data import CallbackData
from annotated_types import Lt
from pydantic.fields import FieldInfo

from bot import callbacks
from bot.i18n import LOCALES, Texts, Translate
from bot.rich_value import RichText, utf16_len
from bot.views.answer import answer_views, refusal_view
from bot.views.asking import searching_view, stopped_view
from bot.views.burst import burst_end_view, burst_view
from bot.views.errors import error_toast, error_view
from bot.views.evidence import evidence_view
from bot.views.groups import group_hint_view, group_joined_view, group_privacy_mode_view
from bot.views.language import language_chosen_view, language_view
from bot.views.notebooks import (
    cancelled_view,
    notebook_delete_view,
    notebook_new_view,
    notebook_rename_view,
    notebook_said_view,
    notebook_view,
    notebooks_view,
)
from bot.views.sources import source_delete_view, source_deleted_view, source_list_view, source_view
from bot.views.start import example_view, help_view, new_conversation_view, privacy_view, start_view
from bot.views.view import View
from bot.views.wording import clock, page_ranges, short
from core.answering.extractive import extract_answer
from core.model.answer import Passage, Verdict
from core.model.chunk import Chunk
from core.model.ids import ChunkId, NotebookId, SourceId
from core.model.source import Origin, Reason, SourceKind, SourceState, Upload
from tests.unit.view_values import (
    HOSTILE,
    MESSAGE_LIMIT,
    TEXTS,
    answer,
    burst,
    citation,
    evidence,
    labels,
    notebook,
    refusal,
    shown,
    source,
)

BIGGEST = 2**63 - 1
"""The largest id that a row can have."""
CALLBACK_LIMIT = 64


@pytest.fixture
def t() -> Translate:
    return TEXTS("ru")


def every_view(t: Translate, id_: int = BIGGEST, title: str = HOSTILE) -> Iterator[View]:
    """One of each view, with the biggest ids and the worst titles."""
    book = notebook(title, id=NotebookId(id_))
    kept = source(1, title=title, id=SourceId(id_), notebook_id=NotebookId(id_), origin=Origin(author=title))
    word = replace(kept, kind=SourceKind.TEXT, upload=Upload(text="почему небо синее"))
    lost = replace(kept, state=SourceState.FAILED, reason=Reason("source-encrypted", {}))
    many = [kept, word, lost] * 40
    cited = replace(citation(2, Verdict.NOT_FOUND), title=title, headings=(title,) * 9)
    proof = evidence(citation=cited, before=title, quote=title, after=title, message_link="https://t.me/c/1/2")
    yield from (start_view(t), help_view(t), help_view(t, group=True), new_conversation_view(t))
    yield example_view(t, title, id_)
    yield from (privacy_view(t), privacy_view(t, llm=title, embedding=title), language_view(t), language_chosen_view(t))
    yield from (burst_view(t, burst(word, title=title)), burst_view(t, burst(*many)), burst_end_view(t, burst(*many)))
    yield from answer_views(t, id_, answer(title * 2000, citations=150, unsupported=(title,), prompts_left=1))
    yield from (refusal_view(t, refusal(reading=2), question_id=id_), searching_view(t, id_), stopped_view(t))
    yield from (evidence_view(t, id_, proof), source_list_view(t, book, many, 3), source_list_view(t, book, []))
    yield from (source_view(t, kept), source_view(t, lost), source_delete_view(t, kept), source_deleted_view(t, kept))
    yield from (notebooks_view(t, [book] * 120, id_), notebook_view(t, book, active=True), notebook_new_view(t))
    yield from (notebook_view(t, replace(book, archived=True), active=False), notebook_rename_view(t, book))
    yield from (notebook_delete_view(t, book), notebook_said_view(t, "notebook-made", title), cancelled_view(t))
    yield from (group_joined_view(t, title, sees_all=False), group_privacy_mode_view(t))
    yield from (group_hint_view(t, "group-add-how"), error_view(t, "source-duplicate", {"title": title}))


@pytest.mark.parametrize("locale", LOCALES)
def test_every_view_is_taken_by_telegram(locale: str) -> None:
    for view in every_view(TEXTS(locale)):
        words = shown(view)
        assert words.strip()
        assert len(words) <= MESSAGE_LIMIT
        assert utf16_len(view.text) <= MESSAGE_LIMIT
        buttons = [button for row in view.keyboard for button in row]
        assert len(buttons) <= 100
        assert all(len(row) <= 8 for row in view.keyboard)
        assert all(button.text.strip() and bool(button.data) != bool(button.url) for button in buttons)


@pytest.mark.parametrize("locale", LOCALES)
def test_callback_data_of_every_button_fits_64_bytes(locale: str) -> None:
    """T3: with the biggest ids, whatever the titles are."""
    buttons = [button for view in every_view(TEXTS(locale)) for row in view.keyboard for button in row]
    assert len(buttons) > 150
    assert [button for button in buttons if len(button.data.encode()) > CALLBACK_LIMIT] == []


def biggest(field: FieldInfo) -> object:
    """Make the longest value that a field takes."""
    if choices := get_args(field.annotation):
        return max(choices, key=lambda choice: len(str(choice)))
    below = [rule.lt for rule in field.metadata if isinstance(rule, Lt)]
    return {int: below[0] - 1 if below else BIGGEST, str: "delete_sure", bool: True}[field.annotation]  # type: ignore[index]


def test_callback_data_of_every_class_fits_64_bytes() -> None:
    """T3: a new class cannot be forgotten here."""
    classes = CallbackData.__subclasses__()
    ours = [kind for kind in classes if kind.__module__ == callbacks.__name__]
    assert len(ours) >= 8
    for kind in ours:
        values = {name: biggest(field) for name, field in kind.model_fields.items()}
        assert len(kind(**values).pack().encode()) <= CALLBACK_LIMIT, kind


@pytest.mark.parametrize("locale", LOCALES)
def test_no_title_can_break_a_message(locale: str) -> None:
    for view in every_view(TEXTS(locale)):
        if view.html and HOSTILE in (words := shown(view)):
            assert "&lt;b&gt;&amp;" in view.text, words


def test_the_first_words_lead_to_an_example_and_to_privacy(t: Translate) -> None:
    view = start_view(t)
    assert "только по ним" in shown(view)
    assert labels(view) == ["Пример", "Кто видит мои файлы?"]


@pytest.mark.parametrize("locale", LOCALES)
def test_the_example_answers_its_own_questions_and_refuses_the_last(locale: str) -> None:
    said = TEXTS(locale)
    text = said.plain("example-text")
    chunk = Chunk(ChunkId(1), NotebookId(1), SourceId(1), 1, "", 0, 0, len(text), text)
    questions = [line[2:] for line in said.plain("example", notebook="").splitlines() if line.startswith("• ")]
    answers = [extract_answer(words, [Passage(1, chunk, text, 0, len(text))], locale) for words in questions]
    assert [found.answered for found in answers] == [True, True, False]
    assert "34" in answers[0].text


def test_privacy_names_outside_services_only_if_there_are_any(t: Translate) -> None:
    assert "Другим сервисам ничего не передаётся" in shown(privacy_view(t))
    named = shown(privacy_view(t, llm="gpt-4o (api.openai.com)"))
    assert "gpt-4o (api.openai.com)" in named
    assert "Другим сервисам" not in named


def test_the_present_language_is_marked() -> None:
    assert labels(language_view(TEXTS("en"))) == ["Русский", "✔ English"]


def test_a_file_too_large_is_told_its_limit_and_the_ways_out(t: Translate) -> None:
    """T5."""
    words = shown(error_view(t, "source-too-large", {"limit_mb": 20, "name": "a.pdf"}))
    assert "не больше 20 МБ" in words
    assert "Разделите" in words


def test_an_unknown_error_is_worded_generally() -> None:
    view = error_view(Texts.load()("ru"), "llm-something-new", {"secret": "sk-123"})
    assert shown(view) == "Что-то пошло не так. Ошибка записана; попробуйте ещё раз чуть позже."


def test_a_toast_fits_200_characters(t: Translate) -> None:
    assert len(error_toast(t, "source-duplicate", {"title": "Ж" * 500})) == 200


def test_a_group_learns_of_privacy_mode_only_when_it_hides_something(t: Translate) -> None:
    assert "/add" in shown(group_joined_view(t, "Группа"))
    assert "администратор" not in shown(group_joined_view(t, "Группа"))
    assert "администратор" in shown(group_joined_view(t, "Группа", sees_all=False))


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        ((), ""),
        ((3,), "3"),
        ((3, 4), "3–4"),
        ((3, 7, 8, 9), "3, 7–9"),
        (tuple(range(1, 40, 2)), "1, 3, 5, 7, 9, 11, 13, 15, …"),
    ],
)
def test_pages_are_said_as_ranges(pages: tuple[int, ...], said: str) -> None:
    assert page_ranges(pages) == said


@pytest.mark.parametrize(("seconds", "said"), [(0.0, "0:00"), (62.9, "1:02"), (3723.0, "1:02:03")])
def test_a_time_is_said_as_a_player_shows_it(seconds: float, said: str) -> None:
    assert clock(seconds) == said


def test_a_long_title_is_cut_to_its_line() -> None:
    assert short("a\n b\tc") == "a b c"
    assert re.fullmatch(r"Ж{59}…", short("Ж" * 100))
    assert RichText("x") == ("x", ())
