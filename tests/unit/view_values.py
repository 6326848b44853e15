"""Values to be shown, and what a person sees of a view."""

from dataclasses import replace
from datetime import UTC, datetime

from bot.i18n import Texts
from bot.sandbox.html_entities import parse_html
from bot.views.view import View
from core.answering.show_evidence import Evidence
from core.model.answer import Answer, Citation, Verdict
from core.model.ids import BurstId, ChatId, NotebookId, PersonId, ReplyTo, SourceId
from core.model.notebook import Notebook
from core.model.source import Origin, Source, SourceKind, SourceState, Stage, Upload
from core.ports import Burst, BurstStatus

HOSTILE = '<b>&"</b> 😀'
MESSAGE_LIMIT = 4096
TEXTS = Texts.load(strict=True)


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
    start = datetime(2026, 1, 1, tzinfo=UTC)
    made = Burst(BurstId(1), NotebookId(1), ChatId(1), ReplyTo(""), start, start)
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
