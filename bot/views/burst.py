"""The one status message of a burst: what was sent and how far it is."""

from __future__ import annotations

from collections.abc import Sequence

from bot.callbacks import Treat
from bot.i18n import Translate
from bot.rich_value import utf16_len
from bot.split_text import TEXT_LIMIT
from bot.views.view import Button, View
from bot.views.wording import fit_lines, partial_text, reason_text, short, stage_text, title_or
from core.model.source import Source, SourceKind, SourceState
from core.ports import BurstStatus

ITEMS_SHOWN = 12
"""Sources with a line of their own; of more, those that are simply ready become a number."""
QUESTION_LIMIT = 300
"""Characters of a text that may have been meant as a question."""
DUPLICATE = "source-duplicate"


def burst_view(t: Translate, status: BurstStatus) -> View:
    """Show a line for each source with its state, stage and progress; silent, edited in place."""
    header = burst_header(t, status)
    footer = _footer(t, status.sources)
    lines = _lines(t, status.sources)
    room = TEXT_LIMIT - utf16_len(header) - utf16_len(footer) - 4
    body = "\n".join(fit_lines(lines, t("burst-more", count=len(status.sources)), room))
    text = "\n\n".join(part for part in (header, body, footer) if part)
    return View(text, keyboard=_keyboard(t, status), silent=True)


def burst_end_view(t: Translate, status: BurstStatus) -> View:
    """Say once, with sound, that a long reading is over; what failed is named with its reason."""
    failed = [_line(t, source) for source in status.sources if source.state is SourceState.FAILED]
    header = burst_header(t, status)
    body = fit_lines(failed, t("burst-more", count=len(failed)), TEXT_LIMIT - utf16_len(header) - 100)
    return View("\n\n".join(part for part in (header, "\n".join(body), _footer(t, status.sources)) if part))


def burst_header(t: Translate, status: BurstStatus) -> str:
    """Sum up a burst in one line."""
    count = len(status.sources)
    ready = sum(_is_there(source) for source in status.sources)
    notebook = short(status.notebook_title)
    if not all(source.state.ended for source in status.sources):
        key = "burst-some-ready" if ready else "burst-reading"
        return t(key, ready=ready, count=count, notebook=notebook)
    if ready == count:
        return t("burst-ready", count=count, notebook=notebook)
    return t("burst-ready-of" if ready else "burst-failed", ready=ready, count=count, notebook=notebook)


def _is_there(source: Source) -> bool:
    return source.state.answers or _is_duplicate(source)


def _is_duplicate(source: Source) -> bool:
    return source.reason is not None and source.reason.text_key == DUPLICATE


def _footer(t: Translate, sources: Sequence[Source]) -> str:
    if not any(_is_there(source) for source in sources):
        return ""
    return t("burst-ask" if all(source.state.ended for source in sources) else "burst-ask-already")


def _lines(t: Translate, sources: Sequence[Source]) -> list[str]:
    """Word the sources in the order they came; with many, the ready ones are counted at the end."""
    if len(sources) <= ITEMS_SHOWN:
        return [_line(t, source) for source in sources]
    told = [source for source in sources if source.state is not SourceState.READY and not _is_duplicate(source)]
    shown = [_line(t, source) for source in told[:ITEMS_SHOWN]]
    if len(told) > ITEMS_SHOWN:
        shown.append(t("burst-more", count=len(told) - ITEMS_SHOWN))
    if len(told) < len(sources):
        shown.append(t("burst-more-ready", count=len(sources) - len(told)))
    return shown


def _line(t: Translate, source: Source) -> str:
    title = title_or(t, source)
    if source.state is SourceState.READY:
        return t("item-ready", title=title)
    if source.state is SourceState.PARTIAL:
        return t("item-partial", title=title, what=partial_text(t, source))
    if source.state is SourceState.FAILED:
        if _is_duplicate(source):
            return t("item-duplicate", title=title)
        return t("item-failed", title=title, reason=reason_text(t, source))
    return t("item-active", title=title, stage=stage_text(t, source))


def _keyboard(t: Translate, status: BurstStatus) -> tuple[tuple[Button, ...], ...]:
    """A short text alone may have been a question."""
    if len(status.sources) != 1:
        return ()
    (source,) = status.sources
    if source.kind is not SourceKind.TEXT or not 0 < len(source.upload.text) <= QUESTION_LIMIT:
        return ()
    flip = Treat(as_="question", reference=source.id, notebook_id=source.notebook_id)
    return ((Button(t.plain("button-ask-instead"), data=flip.pack()),),)
