"""A tap on a citation shows the passage in its surroundings."""

import pytest

from bot import callbacks
from bot.i18n import Translate
from bot.rich_value import utf16_len
from bot.views.evidence import evidence_alert, evidence_view
from bot.views.view import Button
from core.model.answer import Verdict
from tests.unit.view_values import MESSAGE_LIMIT, TEXTS, citation, evidence, labels, under


@pytest.fixture
def t() -> Translate:
    return TEXTS("ru")


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
