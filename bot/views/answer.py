"""An answer with its citations, or the refusal to guess."""

from __future__ import annotations

from bot.callbacks import OpenCitation, Treat
from bot.i18n import Translate
from bot.rich_text import render, split
from bot.rich_value import joined, styled
from bot.views.marking import mark_unsupported
from bot.views.view import Button, View
from bot.views.wording import clock, paragraphs, rows_of
from core.model.answer import Answer, Citation

PLACES_SHOWN = 10
"""Citations up to which a button names its page: more would be a wall of buttons."""
ROW_WITH_PLACES = 3
ROW = 5
"""Buttons in a row that a phone shows without cutting their labels."""
BUTTONS_MAX = 100
"""Buttons that Telegram takes under one message."""
PROMPTS_SHOWN_FROM = 20
"""What is left is told once it is this little; more is a number nobody needs under every answer."""
EXTRACTIVE = "extractive"


def answer_views(t: Translate, answer_id: int, answer: Answer, *, question_id: int | None = None) -> list[View]:
    """Show an answer in one or more messages; the last one carries footer and citations.

    Args:
        answer_id: The stored answer that the buttons open passages of.
        answer: What to show.
        question_id: Set it to offer that the words be kept as a source, under a refusal.
    """
    if not answer.answered:
        return [refusal_view(t, answer, question_id=question_id)]
    body = render(mark_unsupported(answer.text, answer.unsupported))
    whole = joined([body, styled(answer_footer(t, answer), "italic")])
    parts = [part for part in split(whole.text, whole.entities) if part.text.strip()]
    keyboard = citation_keyboard(t, answer_id, answer.citations)
    last = len(parts) - 1
    return [
        View(part.text, html=False, entities=part.entities, keyboard=keyboard if at == last else ())
        for at, part in enumerate(parts)
    ]


def refusal_view(t: Translate, answer: Answer, *, question_id: int | None = None) -> View:
    """Say that the sources do not hold it and what was searched; no list of sources, no guess."""
    keyboard: tuple[tuple[Button, ...], ...] = ()
    if question_id is not None:
        keep = Treat(as_="source", reference=question_id).pack()
        keyboard = ((Button(t.plain("button-keep-as-source"), data=keep),),)
    if not answer.searched:
        key = "refusal-reading" if answer.reading else "refusal-empty"
        return View(t(key, count=answer.reading), keyboard=keyboard)
    reading = t("answer-reading", count=answer.reading) if answer.reading else ""
    left = _prompts_left(t, answer)
    text = paragraphs(t("refusal", searched=answer.searched), t("refusal-next"), reading, left)
    return View(text, keyboard=keyboard)


def answer_footer(t: Translate, answer: Answer) -> str:
    """Say what an answer stands on, in plain text: how many sources, what is missing, what is left."""
    lines = []
    if answer.unsupported:
        lines.append(t.plain("answer-unsupported"))
    if answer.cut_off:
        lines.append(t.plain("answer-cut-off"))
    if answer.model == EXTRACTIVE:
        lines.append(t.plain(_why_extractive(answer)))
    if answer.reading:
        lines.append(t.plain("answer-reading", count=answer.reading))
    scope = t.plain("answer-footer", used=answer.used, searched=answer.searched)
    lines.append(" ".join(part for part in (scope, _prompts_left(t, answer)) if part))
    return "\n".join(lines)


def _why_extractive(answer: Answer) -> str:
    """Only where a model is configured is anything left to count."""
    if answer.prompts_left is None:
        return "answer-extractive"
    return "answer-model-silent" if answer.prompts_left else "answer-no-prompts"


def citation_keyboard(t: Translate, answer_id: int, citations: tuple[Citation, ...]) -> tuple[tuple[Button, ...], ...]:
    """Give every citation a button with its number, and its place while they are few."""
    named = len(citations) <= PLACES_SHOWN
    buttons = [
        Button(
            _label(t, citation) if named else str(citation.n),
            data=OpenCitation(answer_id=answer_id, n=citation.n).pack(),
        )
        for citation in citations[:BUTTONS_MAX]
    ]
    return rows_of(buttons, ROW_WITH_PLACES if named else ROW)


def _label(t: Translate, citation: Citation) -> str:
    if citation.page is not None:
        return t.plain("answer-place-page", n=citation.n, page=str(citation.page))
    if citation.time_s is not None:
        return t.plain("answer-place-time", n=citation.n, time=clock(citation.time_s))
    return str(citation.n)


def _prompts_left(t: Translate, answer: Answer) -> str:
    """Say what is left; an answer without a model took nothing, so there is nothing to say."""
    if answer.prompts_left is None or answer.prompts_left >= PROMPTS_SHOWN_FROM or answer.model == EXTRACTIVE:
        return ""
    return t.plain("answer-prompts-left", count=answer.prompts_left)
