"""What a person sees of each value: complete, escaped, quiet, and within Telegram's limits."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from aiogram.filters.callback_data import CallbackData

from bot import callbacks
from bot.i18n import LOCALES, Texts, Translate
from bot.rich_value import RichText, utf16_len
from bot.sandbox.html_entities import parse_html
from bot.views.answer import PROMPTS_SHOWN_FROM, answer_footer, answer_views, citation_keyboard, refusal_view
from bot.views.asking import searching_view, stopped_view
from bot.views.burst import burst_end_view, burst_header, burst_view
from bot.views.errors import error_toast, error_view
from bot.views.evidence import evidence_alert, evidence_view
from bot.views.groups import group_hint_view, group_joined_view, group_privacy_mode_view
from bot.views.language import language_chosen_view, language_view
from bot.views.marking import mark_unsupported
from bot.views.notebooks import (
    cancelled_view,
    notebook_delete_view,
    notebook_new_view,
    notebook_rename_view,
    notebook_said_view,
    notebook_view,
    notebooks_view,
)
from bot.views.sources import PAGE_SIZE, source_delete_view, source_deleted_view, source_list_view, source_view
from bot.views.start import example_view, help_view, new_conversation_view, privacy_view, start_view
from bot.views.view import Button, View
from bot.views.wording import clock, page_ranges, short
from core.answering.show_evidence import Evidence
from core.model.answer import Answer, Citation, Verdict
from core.model.ids import BurstId, ChatId, NotebookId, PersonId, ReplyTo, SourceId
from core.model.notebook import Notebook
from core.model.source import Attempt, Origin, Outcome, Reason, Source, SourceKind, SourceState, Stage, Upload
from core.ports import Burst, BurstStatus

BIGGEST = 2**63 - 1
"""The largest id that a row can have."""
CALLBACK_LIMIT = 64
MESSAGE_LIMIT = 4096
HOSTILE = '<b>&"</b> 😀'
TEXTS = Texts.load(strict=True)


@pytest.fixture
def t() -> Translate:
    return TEXTS("ru")


def notebook(title: str = "Физика", **more: object) -> Notebook:
    made = Notebook(NotebookId(1), title, PersonId(1), "ru", source_count=5)
    return replace(made, **more)  # type: ignore[arg-type]


def source(number: int = 1, state: SourceState = SourceState.READY, **more: object) -> Source:
    made = Source(
        notebook_id=NotebookId(1),
        id=SourceId(number),
        version=1,
        kind=SourceKind.PDF,
        title=f"Лекция {number}",
        state=state,
        stage=Stage.DONE if state.ended else Stage.EXTRACT,
        upload=Upload(file_name="a.pdf", remote_file="file", size_bytes=5_300_000),
        origin=Origin(),
    )
    return replace(made, **more)  # type: ignore[arg-type]


def burst(*sources: Source, title: str = "Физика") -> BurstStatus:
    made = Burst(BurstId(1), NotebookId(1), ChatId(1), ReplyTo(""), datetime(2026, 1, 1, tzinfo=UTC))
    return BurstStatus(made, title, sources)


def citation(n: int = 1, verdict: Verdict = Verdict.VERBATIM, **more: object) -> Citation:
    made = Citation(n, SourceId(1), 1, "", "Лекция 1", "Энтропия растёт.", 10, 26, verdict, page=12)
    return replace(made, **more)  # type: ignore[arg-type]


def answer(text: str = "Энтропия растёт [1].", citations: int = 1, **more: object) -> Answer:
    made = Answer(True, text, tuple(citation(n + 1) for n in range(citations)), searched=5, used=2, model="gpt")
    return replace(made, **more)  # type: ignore[arg-type]


def refusal(**more: object) -> Answer:
    return replace(Answer(False, "", (), searched=5, used=0, model="gpt"), **more)  # type: ignore[arg-type]


def evidence(**more: object) -> Evidence:
    made = Evidence(citation(2), "До этого. ", "Энтропия растёт.", " После этого.", exists=True, count=3)
    return replace(made, **more)  # type: ignore[arg-type]


def shown(view: View) -> str:
    """The words a person sees; also proves that Telegram would parse the message."""
    return parse_html(view.text)[0] if view.html else view.text


def labels(view: View) -> list[str]:
    return [button.text for row in view.keyboard for button in row]


def under(view: View, kind: str) -> list[str]:
    units = view.text.encode("utf-16-le")
    return [
        units[2 * e["offset"] : 2 * (e["offset"] + e["length"])].decode("utf-16-le")
        for e in view.entities
        if e["type"] == kind
    ]


def every_view(t: Translate, id_: int = BIGGEST, title: str = HOSTILE) -> Iterator[View]:
    """One of each view, with the biggest ids and the worst titles."""
    book = notebook(title, id=NotebookId(id_))
    kept = source(1, title=title, id=SourceId(id_), notebook_id=NotebookId(id_), origin=Origin(author=title))
    word = replace(kept, kind=SourceKind.TEXT, upload=Upload(text="почему небо синее"))
    lost = replace(kept, state=SourceState.FAILED, reason=Reason("source-encrypted", {}))
    many = [kept, word, lost] * 40
    cited = replace(citation(2, Verdict.NOT_FOUND), title=title, headings=(title,) * 9)
    proof = evidence(citation=cited, before=title, quote=title, after=title, message_link="https://t.me/c/1/2")
    yield from (start_view(t), help_view(t), help_view(t, group=True), example_view(t, title), new_conversation_view(t))
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


def test_callback_data_of_every_class_fits_64_bytes() -> None:
    """T3: a new class cannot be forgotten here."""
    longest_word = "delete_sure"
    classes = CallbackData.__subclasses__()
    ours = [kind for kind in classes if kind.__module__ == callbacks.__name__]
    assert len(ours) >= 8
    for kind in ours:
        values = {
            name: {int: BIGGEST, str: longest_word, bool: True}[field.annotation]  # type: ignore[index]
            for name, field in kind.model_fields.items()
        }
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


def test_privacy_names_outside_services_only_if_there_are_any(t: Translate) -> None:
    assert "Другим сервисам ничего не передаётся" in shown(privacy_view(t))
    named = shown(privacy_view(t, llm="gpt-4o (api.openai.com)"))
    assert "gpt-4o (api.openai.com)" in named
    assert "Другим сервисам" not in named


def test_the_present_language_is_marked() -> None:
    assert labels(language_view(TEXTS("en"))) == ["Русский", "✔ English"]


# A burst


def test_a_burst_shows_a_line_for_each_source_with_its_progress(t: Translate) -> None:
    status = burst(
        source(1),
        source(2, SourceState.PARTIAL, pages=30, missing_pages=(3, 7, 8, 9)),
        source(3, SourceState.FAILED, reason=Reason("source-encrypted", {})),
        source(4, SourceState.READING, progress_done=7, progress_total=30),
        source(5, SourceState.READING, progress_done=7, progress_total=30, extractor="tesseract"),
        source(6, SourceState.QUEUED),
    )
    view = burst_view(t, status)
    assert view.silent
    assert shown(view).splitlines() == [
        "Готово 2 из 6 · Физика",
        "",
        "✔ Лекция 1",
        "≈ Лекция 2 — прочитано 26 из 30 страниц: нет текста на страницах 3, 7–9",
        "✖ Лекция 3",
        "Файл защищён паролем. Пришлите копию без пароля; сам пароль присылать не нужно.",
        "· Лекция 4 — читаю: 7 из 30 страниц",
        "· Лекция 5 — распознаю скан: 7 из 30 страниц",
        "· Лекция 6 — в очереди",
        "",
        "По готовым уже можно спрашивать.",
    ]


@pytest.mark.parametrize(
    ("states", "header"),
    [
        ([SourceState.QUEUED, SourceState.READING], "Читаю 2 · Физика"),
        ([SourceState.READY], "Прочитано · Физика"),
        ([SourceState.READY, SourceState.PARTIAL], "Прочитано 2 · Физика"),
        ([SourceState.READY, SourceState.FAILED], "Прочитано 1 из 2 · Физика"),
        ([SourceState.FAILED], "Прочитать не удалось · Физика"),
    ],
)
def test_a_burst_is_summed_up_in_one_line(t: Translate, states: list[SourceState], header: str) -> None:
    broken = Reason("source-broke", {})
    sources = [
        source(at, state, reason=broken if state is SourceState.FAILED else None) for at, state in enumerate(states)
    ]
    assert burst_header(t, burst(*sources)) == header


def test_nothing_to_ask_is_not_called_ready(t: Translate) -> None:
    view = burst_view(t, burst(source(1, SourceState.FAILED, reason=Reason("source-broke", {}))))
    assert "спрашивать" not in shown(view)


def test_a_duplicate_is_no_failure(t: Translate) -> None:
    twin = source(1, SourceState.FAILED, reason=Reason("source-duplicate", {"title": "Лекция 1"}))
    words = shown(burst_view(t, burst(twin)))
    assert "✔ Лекция 1 — уже есть в блокноте" in words
    assert "✖" not in words


def test_many_sources_collapse_and_the_troubled_are_still_named(t: Translate) -> None:
    troubled = source(50, SourceState.FAILED, reason=Reason("source-damaged", {}))
    words = shown(burst_view(t, burst(*[source(at) for at in range(40)], troubled)))
    assert "✖ Лекция 50" in words
    assert "✔ и ещё 40" in words
    assert len(words.splitlines()) < 10


def test_long_titles_do_not_overflow_the_status(t: Translate) -> None:
    long = [source(at, SourceState.FAILED, title="Ж" * 900, reason=Reason("source-bomb", {})) for at in range(100)]
    assert len(shown(burst_view(t, burst(*long)))) <= MESSAGE_LIMIT


def test_only_a_short_text_alone_may_have_been_a_question(t: Translate) -> None:
    text = source(7, kind=SourceKind.TEXT, upload=Upload(text="почему небо синее"))
    assert labels(burst_view(t, burst(text))) == ["Это вопрос"]
    assert not burst_view(t, burst(text, source(2))).keyboard
    assert not burst_view(t, burst(replace(text, upload=Upload(text="а" * 1000)))).keyboard


def test_the_end_of_a_long_reading_sounds(t: Translate) -> None:
    view = burst_end_view(t, burst(source(1), source(2, SourceState.FAILED, reason=Reason("source-damaged", {}))))
    assert not view.silent
    assert shown(view).startswith("Прочитано 1 из 2")
    assert "✖ Лекция 2" in shown(view)
    assert "Лекция 1" not in shown(view)


# An answer


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


# Evidence


def test_evidence_shows_the_passage_in_its_surroundings(t: Translate) -> None:
    view = evidence_view(t, 5, evidence(citation=citation(2, headings=("Глава 1", "Второе начало"))))
    assert view.text == ("[2] Лекция 1\nс. 12 · Глава 1 › Второе начало\n\nДо этого. Энтропия растёт. После этого.")
    assert under(view, "bold") == ["Лекция 1", "Энтропия растёт."]
    assert under(view, "blockquote") == ["До этого. Энтропия растёт. После этого."]


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        (Verdict.VERBATIM, None),
        (Verdict.SUPPORTED, "≈ В ответе это сказано своими словами."),
        (Verdict.NOT_FOUND, "✖ Этот отрывок не подтверждает сказанное в ответе."),
    ],
)
def test_a_verdict_is_told_only_when_it_is_not_verbatim(t: Translate, verdict: Verdict, line: str | None) -> None:
    text = evidence_view(t, 5, evidence(citation=citation(2, verdict))).text
    assert line in text if line else text.endswith("После этого.")


@pytest.mark.parametrize(("n", "steps"), [(1, ["2 ›"]), (2, ["‹ 1", "3 ›"]), (3, ["‹ 2"])])
def test_neighbouring_citations_are_one_tap_away(t: Translate, n: int, steps: list[str]) -> None:
    view = evidence_view(t, 5, evidence(citation=citation(n)))
    assert labels(view) == steps
    first = callbacks.OpenCitation.unpack(view.keyboard[0][0].data)
    assert (first.answer_id, first.step) == (5, True)


def test_a_deleted_source_leaves_its_quote(t: Translate) -> None:
    text = evidence_view(t, 5, evidence(before="", after="", exists=False)).text
    assert "Энтропия растёт." in text
    assert "Сохранилась только цитата" in text


def test_a_forwarded_message_with_an_address_is_a_tap_away(t: Translate) -> None:
    view = evidence_view(t, 5, evidence(message_link="https://t.me/c/1/2"))
    assert view.keyboard[-1] == (Button("Открыть сообщение", url="https://t.me/c/1/2"),)
    assert "Открыть сообщение" not in labels(evidence_view(t, 5, evidence(message_link='{"chat": 1}')))


def test_a_long_passage_fits_one_message(t: Translate) -> None:
    view = evidence_view(t, 5, evidence(before="до " * 3000, quote="цитата " * 3000, after="после " * 3000))
    assert utf16_len(view.text) <= MESSAGE_LIMIT
    assert "…" in view.text


def test_an_alert_shows_the_passage_and_its_place(t: Translate) -> None:
    assert evidence_alert(t, evidence()) == "Энтропия растёт.\nЛекция 1 · с. 12"
    long = evidence_alert(t, evidence(quote="слово " * 500, citation=citation(1, title="Ж" * 500)))
    assert len(long) <= 200
    assert long.endswith("с. 12")


# Sources and notebooks


def test_the_list_of_sources_tells_state_size_language_and_extractor(t: Translate) -> None:
    sources = [
        source(1, pages=30, language="ru", extractor="liteparse"),
        source(2, SourceState.FAILED),
        source(3, kind=SourceKind.TEXT, characters=2500, language="en", muted=True),
    ]
    view = source_list_view(t, notebook(), sources)
    assert shown(view) == (
        "📄 Физика · 3 источника\n\n"
        "1. ✔ Лекция 1\n30 страниц · русский · liteparse\n"
        "2. ✖ Лекция 2\nне прочитан\n"
        "3. ✔ Лекция 3\n2\N{NO-BREAK SPACE}500 знаков · английский · выключен"
    )
    assert labels(view) == ["1", "2", "3", "‹ Все блокноты"]


@pytest.mark.parametrize(
    ("page", "first", "steps"),
    [(0, "1", ["›"]), (1, "9", ["‹", "›"]), (2, "17", ["‹"]), (99, "17", ["‹"]), (-1, "1", ["›"])],
)
def test_a_long_list_is_paged(t: Translate, page: int, first: str, steps: list[str]) -> None:
    view = source_list_view(t, notebook(), [source(n) for n in range(1, 2 * PAGE_SIZE + 2)], page)
    assert labels(view)[0] == first
    assert [label for label in labels(view) if label in "‹›"] == steps


def test_an_empty_list_says_what_to_send(t: Translate) -> None:
    assert "пока пусто" in shown(source_list_view(t, notebook(), []))


def test_a_source_card_tells_in_human_words_how_it_was_read(t: Translate) -> None:
    tried = (
        Attempt("docling-standard", Outcome.UNAVAILABLE, "no-weights", 0.0),
        Attempt("liteparse", Outcome.REJECTED, "scan-without-text", 2.0),
        Attempt("docling-native", Outcome.TIMEOUT, "after-60-s", 60.0),
        Attempt("tesseract", Outcome.WON, "", 9.0),
    )
    kept = source(1, SourceState.PARTIAL, attempts=tried, pages=30, missing_pages=(4,), language="ru", characters=900)
    assert shown(source_view(t, kept)) == (
        "📄 Лекция 1\nPDF · 5\N{NO-BREAK SPACE}МБ · 30 страниц · 900 знаков · русский\n\n"
        "≈ Прочитано 29 из 30 страниц: нет текста на странице 4\n\n"
        "Как это читалось:\n"
        "liteparse: только изображения, текста нет\n"
        "docling-native: не хватило времени\n"
        "tesseract: прочитано"
    )


def test_a_failed_source_says_why_and_what_to_do(t: Translate) -> None:
    view = source_view(
        t, source(1, SourceState.FAILED, reason=Reason("source-too-many-pages", {"pages": 900, "limit": 600}))
    )
    assert "✖ Не прочитан\nВ документе 900 с., а прочитать можно не больше 600 страниц." in shown(view)
    assert labels(view) == ["Удалить", "‹ К списку"]


@pytest.mark.parametrize(
    ("muted", "label", "action"),
    [(False, "Не использовать в ответах", "mute"), (True, "Снова использовать в ответах", "unmute")],
)
def test_a_source_can_be_muted_and_unmuted(t: Translate, muted: bool, label: str, action: str) -> None:
    button = source_view(t, source(1, muted=muted)).keyboard[0][0]
    assert button.text == label
    assert callbacks.SourceAction.unpack(button.data).action == action


def test_deleting_asks_first(t: Translate) -> None:
    view = source_delete_view(t, source())
    assert [callbacks.SourceAction.unpack(button.data).action for button in view.keyboard[0]] == ["delete_sure", "open"]
    assert "3 источника" in shown(notebook_delete_view(t, notebook(source_count=3)))


def test_notebooks_are_buttons_with_the_open_one_marked(t: Translate) -> None:
    other = notebook("История", id=NotebookId(2), archived=True)
    view = notebooks_view(t, [notebook(), other], active_id=1)
    assert labels(view) == ["✔ Физика · 5", "История · в архиве", "Новый блокнот"]


def test_only_who_may_manage_a_notebook_sees_how(t: Translate) -> None:
    owner = labels(notebook_view(t, notebook(), active=False))
    guest = labels(notebook_view(t, notebook(), active=False, may_manage=False))
    assert owner == ["Открыть этот блокнот", "Источники", "Переименовать", "В архив", "Удалить", "‹ Все блокноты"]
    assert guest == ["Открыть этот блокнот", "Источники", "‹ Все блокноты"]


# Errors and groups


def test_a_file_too_large_is_told_its_limit_and_the_ways_out(t: Translate) -> None:
    """T5."""
    words = shown(error_view(t, "source-too-large", {"limit_mb": 20, "name": "a.pdf"}))
    assert "не больше 20 МБ" in words
    assert "Разделите" in words


def test_an_unknown_error_is_worded_generally() -> None:
    view = error_view(Texts.load()("ru"), "llm-something-new", {"secret": "sk-123"})
    assert shown(view) == "Что-то пошло не так, и это уже записано. Попробуйте ещё раз чуть позже."


def test_a_toast_fits_200_characters(t: Translate) -> None:
    assert len(error_toast(t, "source-duplicate", {"title": "Ж" * 500})) == 200


def test_a_group_learns_of_privacy_mode_only_when_it_hides_something(t: Translate) -> None:
    assert "/add" in shown(group_joined_view(t, "Группа"))
    assert "администратор" not in shown(group_joined_view(t, "Группа"))
    assert "администратор" in shown(group_joined_view(t, "Группа", sees_all=False))


# Small words


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
