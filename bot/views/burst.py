"""The one status message of a burst: what was sent, how far it is, what was not taken, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.callbacks import BurstAction, Treat
from bot.i18n import Translate
from bot.rich_value import utf16_len
from bot.split_text import TEXT_LIMIT
from bot.views.remarks import is_duplicate, remark_lines
from bot.views.suggestions import source_insight_text, suggestion_rows
from bot.views.view import Button, View
from bot.views.wording import (
    LABEL_SHOWN,
    fit_lines,
    is_refreshing,
    partial_text,
    reason_text,
    short,
    stage_text,
    title_or,
)
from core.library.refresh_source import may_retry
from core.library.undo_burst import may_undo
from core.model.notebook import Notebook
from core.model.source import Source, SourceKind, SourceState
from core.ports import BurstStatus

ITEMS_SHOWN = 12
"""Sources with a line of their own; of more, those that are simply ready become a number."""
QUESTION_LIMIT = 300
"""Characters of a text that may have been meant as a question."""
NOTE_SHOWN = 200
TARGETS_SHOWN = 90
"""Notebooks with a button: Telegram takes 100 under one message."""


def burst_view(t: Translate, status: BurstStatus, *, now: datetime | None = None, group: bool = False) -> View:
    """Show a line for each source with its state, stage and progress; silent, edited in place.

    Args:
        t: Texts.
        status: The burst.
        now: The time: a young burst can be taken back.
        group: In a group nothing is kept but what someone asked to keep: there is no guess to flip, and no other
            notebook to move it to.
    """
    header = _header(t, status)
    footer = _footer(t, status.sources)
    lines = [*_lines(t, status.sources), *remark_lines(t, status)]
    gist = source_insight_text(t, status.gist)
    room = TEXT_LIMIT - utf16_len(header) - utf16_len(gist) - utf16_len(footer) - 6
    body = "\n".join(fit_lines(lines, t("burst-more", count=len(lines)), room))
    text = "\n\n".join(part for part in (header, body, gist, footer) if part)
    return View(text or t("burst-nothing-left"), keyboard=_keyboard(t, status, now, group), silent=True)


def burst_end_view(t: Translate, status: BurstStatus) -> View:
    """Say once, with sound, that a long reading is over; what failed is named with its reason."""
    failed = [_line(t, source) for source in status.sources if _is_lost(source)]
    header = burst_header(t, status)
    body = fit_lines(failed, t("burst-more", count=len(failed)), TEXT_LIMIT - utf16_len(header) - 100)
    return View("\n\n".join(part for part in (header, "\n".join(body), _footer(t, status.sources)) if part))


def burst_targets_view(t: Translate, burst_id: int, notebooks: Sequence[Notebook]) -> View:
    """Ask to which notebook a burst shall go."""
    if not notebooks:
        return View(t("burst-no-target"), silent=True)
    rows = [(_target(t, burst_id, one),) for one in notebooks[:TARGETS_SHOWN]]
    return View(t("burst-choose-target"), keyboard=tuple(rows), silent=True)


def _target(t: Translate, burst_id: int, notebook: Notebook) -> Button:
    label = t.plain("notebook-label", title=short(notebook.title, LABEL_SHOWN), count=notebook.source_count)
    return Button(label, data=BurstAction(action="to", burst_id=burst_id, notebook_id=notebook.id).pack())


def burst_moved_view(t: Translate, notebook: Notebook) -> View:
    """Say where it is now."""
    return View(t("burst-moved", notebook=notebook.title), silent=True)


def burst_header(t: Translate, status: BurstStatus) -> str:
    """Sum up a burst in one line; "" when there is nothing in it that was taken."""
    count, notebook = len(status.sources), short(status.notebook_title)
    if status.burst.removed:
        return t("burst-undone", count=status.burst.removed, notebook=notebook)
    if not count:
        return t("burst-nothing-new", notebook=notebook) if status.burst.remarks.known else ""
    ready = sum(_is_there(source) for source in status.sources)
    if not all(source.state.ended for source in status.sources):
        key = "burst-some-ready" if ready else "burst-reading"
        return t(key, ready=ready, count=count, notebook=notebook)
    if ready == count:
        return t("burst-ready", count=count, notebook=notebook)
    return t("burst-ready-of" if ready else "burst-failed", ready=ready, count=count, notebook=notebook)


def _header(t: Translate, status: BurstStatus) -> str:
    """The sum, and the words that came before."""
    note = short(status.burst.remarks.note, NOTE_SHOWN)
    return "\n".join(part for part in (burst_header(t, status), t("burst-note", note=note) if note else "") if part)


def _is_there(source: Source) -> bool:
    return source.state.answers or is_duplicate(source)


def _is_lost(source: Source) -> bool:
    return source.state is SourceState.FAILED and not is_duplicate(source)


def _footer(t: Translate, sources: Sequence[Source]) -> str:
    if not any(_is_there(source) for source in sources):
        return ""
    return t("burst-ask" if all(source.state.ended for source in sources) else "burst-ask-already")


def _lines(t: Translate, sources: Sequence[Source]) -> list[str]:
    """Word the sources in the order they came; with many, the ready ones are counted at the end."""
    new = [source for source in sources if not is_duplicate(source)]
    if len(new) <= ITEMS_SHOWN:
        return [_line(t, source) for source in new]
    told = [source for source in new if source.state is not SourceState.READY]
    shown = [_line(t, source) for source in told[:ITEMS_SHOWN]]
    if len(told) > ITEMS_SHOWN:
        shown.append(t("burst-more", count=len(told) - ITEMS_SHOWN))
    if len(told) < len(new):
        shown.append(t("burst-more-ready", count=len(new) - len(told)))
    return shown


def _line(t: Translate, source: Source) -> str:
    title = title_or(t, source)
    if is_refreshing(source):
        return t("item-refreshing", title=title)
    if source.state is SourceState.READY:
        return t("item-ready", title=title)
    if source.state is SourceState.PARTIAL:
        return t("item-partial", title=title, what=partial_text(t, source))
    if source.state is SourceState.FAILED:
        return t("item-failed", title=title, reason=reason_text(t, source))
    return t("item-active", title=title, stage=stage_text(t, source))


def _keyboard(t: Translate, status: BurstStatus, now: datetime | None, group: bool) -> tuple[tuple[Button, ...], ...]:
    """What can be done about it, the likeliest first."""
    burst = status.burst

    def button(key: str, action: str, **values: int) -> Button:
        return Button(t.plain(key, **values), data=BurstAction(action=action, burst_id=burst.id).pack())

    rows = list(suggestion_rows(t, status))
    if (flip := _flip(t, status)) and not group:
        rows.append((flip,))
    if burst.remarks.note and status.sources and not group:
        rows.append((button("button-ask-instead", "ask"),))
    if burst.remarks.links:
        rows.append((button("button-add-links", "links", count=len(burst.remarks.links)),))
    if any(may_retry(source) for source in status.sources):
        rows.append((button("button-retry", "retry"),))
    can_undo = status.sources and now is not None and not burst.removed and may_undo(burst, now=now)
    last = [button("button-undo", "undo")] if can_undo else []
    if status.sources and not group:
        last.append(button("button-move", "move"))
    return (*rows, tuple(last)) if last else tuple(rows)


def _flip(t: Translate, status: BurstStatus) -> Button | None:
    """A short text alone may have been a question."""
    if len(status.sources) != 1:
        return None
    (source,) = status.sources
    if source.kind is not SourceKind.TEXT or not 0 < len(source.upload.text) <= QUESTION_LIMIT:
        return None
    flip = Treat(as_="question", reference=source.id, notebook_id=source.notebook_id)
    return Button(t.plain("button-ask-instead"), data=flip.pack())
