"""The place a citation points at: the passage in its surroundings."""

from __future__ import annotations

from bot.callbacks import OpenCitation
from bot.i18n import Html, Translate, escape
from bot.rich_text import clean
from bot.views.view import Button, View
from bot.views.wording import bold, clock, paragraphs, short
from core.answering.show_evidence import Evidence
from core.model.answer import Verdict

QUOTE_SHOWN = 1800
AROUND_SHOWN = 600
"""Characters of the passage and of what stands before and after it: one message, a screen and a half."""

_VERDICTS = {Verdict.SUPPORTED: "evidence-supported", Verdict.NOT_FOUND: "evidence-not-found"}


def evidence_view(t: Translate, answer_id: int, evidence: Evidence) -> View:
    """Show the passage between what stands before and after it, with ‹ › to the neighbouring citations."""
    citation = evidence.citation
    verdict = _VERDICTS.get(citation.verdict)
    text = paragraphs(
        _header(t, evidence),
        _passage(evidence),
        t(verdict) if verdict else "",
        "" if evidence.exists else t("evidence-deleted"),
    )
    return View(text, keyboard=_keyboard(t, answer_id, evidence), silent=True)


def _header(t: Translate, evidence: Evidence) -> str:
    """Title, then place and heading path in a line of their own."""
    citation = evidence.citation
    place = []
    if citation.page is not None:
        place.append(t("evidence-page", page=str(citation.page)))
    if citation.time_s is not None:
        place.append(Html(clock(citation.time_s)))
    if citation.headings:
        place.append(escape(short(" › ".join(citation.headings), 160)))
    title = f"[{citation.n}] " + t("evidence-header", title=short(citation.title, 120))
    return "\n".join([title, " · ".join(place)] if place else [title])


def _passage(evidence: Evidence) -> str:
    before = _tail(clean(evidence.before), AROUND_SHOWN)
    after = _head(clean(evidence.after), AROUND_SHOWN)
    quote = _head(clean(evidence.quote).strip(), QUOTE_SHOWN)
    inside = f"{escape(before)}{bold(quote)}{escape(after)}"
    return f"<blockquote>{inside.strip()}</blockquote>"


def _head(text: str, limit: int) -> str:
    """Keep the beginning, to the last whole word."""
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(maxsplit=1)[0] + "…"


def _tail(text: str, limit: int) -> str:
    """Keep the end, from the first whole word."""
    if len(text) <= limit:
        return text
    rest = text[-limit:]
    space = next((at for at, char in enumerate(rest) if char.isspace()), -1)
    return "…" + rest[space + 1 :]


def _keyboard(t: Translate, answer_id: int, evidence: Evidence) -> tuple[tuple[Button, ...], ...]:
    n = evidence.citation.n
    steps = []
    if n > 1:
        steps.append(_step(t, "button-previous", answer_id, n - 1))
    if n < evidence.count:
        steps.append(_step(t, "button-next", answer_id, n + 1))
    return tuple(row for row in (tuple(steps), _link(t, evidence)) if row)


def _link(t: Translate, evidence: Evidence) -> tuple[Button, ...]:
    """A message that has an address gets a button; one that has only a reference is replied to by the sender."""
    url = evidence.message_link
    return (Button(t.plain("button-open-message"), url=url),) if url.startswith(("https://", "tg://")) else ()


def _step(t: Translate, key: str, answer_id: int, n: int) -> Button:
    return Button(t.plain(key, n=n), data=OpenCitation(answer_id=answer_id, n=n, step=True).pack())
