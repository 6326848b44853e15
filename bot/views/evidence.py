"""The place a citation points at: the passage in its surroundings."""

from __future__ import annotations

from bot.callbacks import OpenCitation
from bot.highlight import highlight
from bot.i18n import Translate
from bot.rich_text import clean
from bot.rich_value import RichText, joined, styled, wrapped
from bot.views.errors import TOAST_LIMIT
from bot.views.view import Button, View
from bot.views.wording import clock, short
from core.answering.show_evidence import Evidence
from core.model.answer import Citation, Verdict

QUOTE_SHOWN = 1800
AROUND_SHOWN = 600
"""Characters of the passage and of what stands before and after it: one message, a screen and a half."""
TITLE_SHOWN = 120
HEADINGS_SHOWN = 160

_VERDICTS = {Verdict.SUPPORTED: "evidence-supported", Verdict.NOT_FOUND: "evidence-not-found"}


def evidence_view(t: Translate, answer_id: int, evidence: Evidence) -> View:
    """Show the passage between what stands before and after it, with ‹ › to the neighbouring citations."""
    citation = evidence.citation
    verdict = _VERDICTS.get(citation.verdict)
    rich = joined(
        [
            _header(t, citation),
            _passage(evidence),
            RichText(t.plain(verdict) if verdict else ""),
            RichText("" if evidence.exists else t.plain("evidence-deleted")),
        ]
    )
    keyboard = _keyboard(t, answer_id, evidence)
    return View(rich.text, html=False, entities=rich.entities, keyboard=keyboard, silent=True)


def evidence_alert(t: Translate, evidence: Evidence) -> str:
    """Show the passage in the answer to a tap, which only the person who tapped sees."""
    place = " · ".join([short(evidence.citation.title, 40), *_place(t, evidence.citation)])
    room = TOAST_LIMIT - len(place) - 1
    passage, _ = highlight("", evidence.quote, "")
    return f"{short(passage, room)}\n{place}"


def _header(t: Translate, citation: Citation) -> RichText:
    """Number and title, then place and heading path in a line of their own."""
    place = _place(t, citation)
    if citation.headings:
        place.append(short(clean(" › ".join(citation.headings)), HEADINGS_SHOWN))
    number = RichText(f"[{citation.n}]")
    title = joined([number, styled(short(clean(citation.title), TITLE_SHOWN), "bold")], " ")
    return joined([title, RichText(" · ".join(place))], "\n")


def _place(t: Translate, citation: Citation) -> list[str]:
    place = []
    if citation.page is not None:
        place.append(t.plain("evidence-page", page=str(citation.page)))
    if citation.time_s is not None:
        place.append(clock(citation.time_s))
    return place


def _passage(evidence: Evidence) -> RichText:
    before = _tail(evidence.before, AROUND_SHOWN)
    after = _head(evidence.after, AROUND_SHOWN)
    return wrapped(highlight(before, _head(evidence.quote, QUOTE_SHOWN), after), "blockquote")


def _head(text: str, limit: int) -> str:
    """Keep the beginning, to the last whole word."""
    return text if len(text) <= limit else text[:limit].rsplit(maxsplit=1)[0] + "…"


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


def _step(t: Translate, key: str, answer_id: int, n: int) -> Button:
    return Button(t.plain(key, n=n), data=OpenCitation(answer_id=answer_id, n=n, step=True).pack())


def _link(t: Translate, evidence: Evidence) -> tuple[Button, ...]:
    """A message that has an address gets a button; one that has only a reference is replied to by the sender."""
    url = evidence.message_link
    return (Button(t.plain("button-open-message"), url=url),) if url.startswith(("https://", "tg://")) else ()
