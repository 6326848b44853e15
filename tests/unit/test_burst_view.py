"""A burst has one status message: what was sent and how far it is."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.i18n import Translate
from bot.views.burst import burst_end_view, burst_header, burst_moved_view, burst_targets_view, burst_view
from core.library.undo_burst import UNDO_S
from core.model.ids import NotebookId
from core.model.source import Part, Reason, SourceKind, SourceState, Stage, Upload
from core.ports import BurstStatus, Known, Refused, Remarks
from tests.unit.view_values import HOSTILE, MESSAGE_LIMIT, TEXTS, burst, labels, notebook, shown, source

SENT = datetime(2026, 1, 1, tzinfo=UTC)
FULL = Reason("source-too-many", {"limit": 50})


def remarked(status: BurstStatus, removed: int = 0, **remarks: object) -> BurstStatus:
    made = replace(status.burst, remarks=Remarks(**remarks), removed=removed)  # type: ignore[arg-type]
    return replace(status, burst=made)


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
    assert "✔ уже есть в этом блокноте: Лекция 1" in words
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
    assert "Это вопрос" in labels(burst_view(t, burst(text)))
    assert "Это вопрос" not in labels(burst_view(t, burst(text, source(2))))
    assert "Это вопрос" not in labels(burst_view(t, burst(replace(text, upload=Upload(text="а" * 1000)))))
    assert "Это вопрос" not in labels(burst_view(t, burst(text), group=True))


def test_the_end_of_a_long_reading_sounds(t: Translate) -> None:
    view = burst_end_view(t, burst(source(1), source(2, SourceState.FAILED, reason=Reason("source-damaged", {}))))
    assert not view.silent
    assert shown(view).startswith("Прочитано 1 из 2")
    assert "✖ Лекция 2" in shown(view)
    assert "Лекция 1" not in shown(view)


def test_a_young_burst_can_be_taken_back_and_an_old_one_cannot(t: Translate) -> None:
    status = burst(source(1), source(2, SourceState.READING))
    young, old = SENT + timedelta(seconds=UNDO_S), SENT + timedelta(seconds=UNDO_S + 1)
    assert labels(burst_view(t, status, now=young)) == ["Отменить", "В другой блокнот"]
    assert labels(burst_view(t, status, now=young, group=True)) == ["Отменить"]
    assert labels(burst_view(t, status, now=old)) == ["В другой блокнот"]


def test_what_was_taken_back_says_so_and_offers_nothing(t: Translate) -> None:
    view = burst_view(t, remarked(burst(), removed=8), now=SENT)
    assert shown(view) == "Отменено, убрано 8 источников · Физика"
    assert not view.keyboard


def test_all_that_is_known_is_one_line(t: Translate) -> None:
    known = (Known("Пересказ", SourceKind.TEXT),) * 25 + (Known("", SourceKind.IMAGE),)
    lines = shown(burst_view(t, remarked(burst(), known=known))).splitlines()
    assert lines == ["Новых источников нет · Физика", "", "✔ уже есть в этом блокноте: Пересказ (25), Фото"]


def test_what_had_no_room_is_named_under_one_reason(t: Translate) -> None:
    refused = tuple(Refused(f"Лекция {number}.pdf", SourceKind.PDF, FULL) for number in range(1, 14))
    words = shown(burst_view(t, remarked(burst(source(1)), refused=refused)))
    assert "✖ Лекция 1.pdf, Лекция 2.pdf" in words
    assert "Лекция 10.pdf, и ещё 3" in words
    assert words.count("не больше 50 источников") == 1


def test_what_holds_nothing_to_read_is_said_without_a_name(t: Translate) -> None:
    sticker = Refused("", None, Reason("source-no-text", {}))
    words = shown(burst_view(t, remarked(burst(), refused=(sticker,) * 9)))
    assert words.startswith("Стикеры, опросы")
    assert words.count("Стикеры") == 1


def test_the_words_before_it_stand_in_the_header_and_may_be_asked(t: Translate) -> None:
    view = burst_view(t, remarked(burst(source(1)), note=f"вот лекции {HOSTILE}"))
    assert shown(view).splitlines()[:2] == ["Прочитано · Физика", f"«вот лекции {HOSTILE}»"]
    assert "Это вопрос" in labels(view)


def test_links_are_offered_with_their_number(t: Translate) -> None:
    view = burst_view(t, remarked(burst(source(1)), links=("https://a.org", "https://b.org")))
    assert "Добавить ссылки (2)" in labels(view)


@pytest.mark.parametrize(("key", "again"), [("telegram-away", True), ("source-encrypted", False)])
def test_only_what_time_may_heal_can_be_tried_again(t: Translate, key: str, again: bool) -> None:
    failed = source(1, SourceState.FAILED, reason=Reason(key, {}))
    assert ("Повторить" in labels(burst_view(t, burst(failed)))) is again


def test_albums_and_links_are_named_by_what_they_are(t: Translate) -> None:
    parts = tuple(Part(str(number), str(number)) for number in range(5))
    album = source(1, kind=SourceKind.IMAGE, title="", upload=Upload(album="A", parts=parts))
    page = source(2, kind=SourceKind.WEB, title="", upload=Upload(url="https://www.example.org/глава"))
    photo = source(3, kind=SourceKind.IMAGE, title="", upload=Upload(remote_file="x"))
    lines = shown(burst_view(t, burst(album, page, photo))).splitlines()
    assert lines[2:5] == ["✔ Альбом, 5 фото", "✔ example.org/глава", "✔ Фото"]


def test_a_link_that_is_read_anew_says_so(t: Translate) -> None:
    page = source(1, kind=SourceKind.WEB, stage=Stage.FETCH, upload=Upload(url="https://example.org"))
    assert "✔ Лекция 1 — обновляю" in shown(burst_view(t, burst(page)))


def test_a_burst_with_nothing_left_is_no_empty_message(t: Translate) -> None:
    assert shown(burst_view(t, burst())).strip()


def test_every_remark_fits_into_one_message(t: Translate) -> None:
    refused = tuple(Refused("Ж" * 900 + str(n), SourceKind.PDF, Reason("source-bomb", {})) for n in range(100))
    known = tuple(Known("Ж" * 900 + str(n), SourceKind.PDF) for n in range(100))
    long = [source(n, SourceState.FAILED, title="Ж" * 900, reason=Reason("source-bomb", {})) for n in range(100)]
    view = burst_view(t, remarked(burst(*long), refused=refused, known=known, note="ж" * 3000), now=SENT)
    assert len(shown(view)) <= MESSAGE_LIMIT


def test_a_notebook_to_move_to_is_a_button_and_none_is_said(t: Translate) -> None:
    view = burst_targets_view(t, 2**63 - 1, [notebook("Химия", id=NotebookId(2**63 - 1))] * 200)
    assert labels(view)[0] == "Химия · 5"
    assert len(labels(view)) <= 100
    assert all(len(button.data.encode()) <= 64 for row in view.keyboard for button in row)
    assert "Другого блокнота пока нет" in shown(burst_targets_view(t, 1, []))
    assert "«Химия»" in shown(burst_moved_view(t, notebook("Химия")))
