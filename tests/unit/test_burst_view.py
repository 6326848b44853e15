"""A burst has one status message: what was sent and how far it is."""

from dataclasses import replace

import pytest

from bot.i18n import Translate
from bot.views.burst import burst_end_view, burst_header, burst_view
from core.model.source import Reason, SourceKind, SourceState, Upload
from tests.unit.view_values import MESSAGE_LIMIT, TEXTS, burst, labels, shown, source


@pytest.fixture
def t() -> Translate:
    return TEXTS("ru")


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
    assert words.startswith("Прочитано · Физика")
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
