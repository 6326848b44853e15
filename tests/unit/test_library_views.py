"""Sources and notebooks are listed, opened and deleted with care."""

import pytest

from bot import callbacks
from bot.i18n import Translate
from bot.views.notebooks import (
    notebook_delete_view,
    notebook_view,
    notebooks_view,
)
from bot.views.sources import PAGE_SIZE, source_delete_view, source_list_view, source_view
from bot.views.view import Button
from core.model.ids import NotebookId
from core.model.source import About, Attempt, Origin, Outcome, Part, Reason, SourceKind, SourceState, Stage, Upload
from tests.unit.view_values import TEXTS, labels, notebook, shown, source


@pytest.fixture
def t() -> Translate:
    return TEXTS("ru")


def test_the_list_of_sources_tells_state_size_and_language(t: Translate) -> None:
    sources = [
        source(1, pages=30, language="ru", extractor="liteparse"),
        source(2, SourceState.FAILED),
        source(3, kind=SourceKind.TEXT, characters=2500, language="en", muted=True),
    ]
    view = source_list_view(t, notebook(), sources)
    assert shown(view) == (
        "📄 Физика · 3 источника\n\n"
        "1. ✔ Лекция 1\n30 страниц · русский\n"
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
    assert "✖ Не прочитан\nВ документе 900 страниц, а прочитать можно не больше 600." in shown(view)
    assert labels(view) == ["Удалить", "‹ К списку"]


@pytest.mark.parametrize(
    ("muted", "label", "action"),
    [(False, "Не использовать в ответах", "mute"), (True, "Снова использовать в ответах", "unmute")],
)
def test_a_source_can_be_muted_and_unmuted(t: Translate, muted: bool, label: str, action: str) -> None:
    button = source_view(t, source(1, muted=muted)).keyboard[0][0]
    assert button.text == label
    assert callbacks.SourceAction.unpack(button.data).action == action


def test_a_forwarded_source_leads_back_to_its_original(t: Translate) -> None:
    kept = source(1, origin=Origin(author="Наука", link="https://t.me/nauka/7"))
    view = source_view(t, kept)
    assert "От: Наука" in shown(view)
    assert view.keyboard[0] == (Button("Открыть сообщение", url="https://t.me/nauka/7"),)


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


def test_a_source_card_tells_who_made_the_work_and_what_was_written_under_it(t: Translate) -> None:
    about = About(author="Г. Эббингауз", published="1885-01-01T00:00", site="example.org", url="https://example.org/a")
    page = source(
        1, kind=SourceKind.WEB, about=about, upload=Upload(url="https://example.org/a?utm=1", caption="к экзамену")
    )
    view = source_view(t, page)
    assert "Г. Эббингауз · 1885-01-01 · example.org\nПодпись: к экзамену" in shown(view)
    assert labels(view)[:3] == ["Открыть", "Не использовать в ответах", "Обновить"]
    assert view.keyboard[0][0].url == "https://example.org/a"


def test_captions_of_an_album_bear_the_number_of_their_photo(t: Translate) -> None:
    parts = (Part("a", "a", caption="доска"), Part("b", "b"), Part("c", "c", caption="ответы"))
    album = source(1, kind=SourceKind.IMAGE, title="", upload=Upload(album="A", parts=parts))
    assert "Подпись 1: доска\nПодпись 3: ответы" in shown(source_view(t, album))


def test_what_has_changed_in_a_refreshed_source_is_told(t: Translate) -> None:
    changed = Reason("source-refreshed", {"added": 3, "removed": 1, "first": "Срок продлён."})
    page = source(1, kind=SourceKind.WEB, reason=changed, upload=Upload(url="https://a.org"))
    assert "✔ Прочитан\nОбновлено: новых фрагментов 3, исчезло 1. Срок продлён." in shown(source_view(t, page))
    reading = source(1, kind=SourceKind.WEB, stage=Stage.EXTRACT, upload=Upload(url="https://a.org"))
    view = source_view(t, reading)
    assert "Обновляю" in shown(view)
    assert "Обновить" not in labels(view)


def test_how_it_was_read_is_told_in_words(t: Translate) -> None:
    for extractor, words in (("tesseract", "Распознано по картинке"), ("liteparse", "Прочитано программой liteparse")):
        tried = (Attempt(extractor, Outcome.WON, "", 1.0),)
        assert words in shown(source_view(t, source(1, attempts=tried)))
