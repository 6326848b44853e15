"""The sources of a notebook: a paged list, a card, deletion."""

from __future__ import annotations

from collections.abc import Sequence

from bot.callbacks import NotebookAction, SourceAction, SourcePage
from bot.i18n import Html, Translate, escape, language_name
from bot.views.view import Button, View
from bot.views.wording import (
    bold,
    extractor_text,
    is_refreshing,
    paragraphs,
    partial_text,
    reason_text,
    rows_of,
    sentence,
    short,
    stage_text,
    title_or,
)
from core.library.refresh_source import may_refresh, may_retry
from core.model.notebook import Notebook
from core.model.source import Outcome, Source, SourceState, Stage

PAGE_SIZE = 8
"""Sources of one page: what a phone shows without scrolling, with two rows of buttons."""
ATTEMPTS_SHOWN = 6
CAPTIONS_SHOWN = 5
CAPTION_SHOWN = 300
_SIGNS = {SourceState.READY: "✔", SourceState.PARTIAL: "≈", SourceState.FAILED: "✖"}


def source_list_view(t: Translate, notebook: Notebook, sources: Sequence[Source], page: int = 0) -> View:
    """Show one page (0-based; clipped to what there is) of a notebook's sources."""
    to_notebook = (Button(t.plain("button-to-notebooks"), data=NotebookAction(action="list").pack()),)
    if not sources:
        return View(t("sources-empty", notebook=notebook.title), keyboard=(to_notebook,), silent=True)
    pages = -(-len(sources) // PAGE_SIZE)
    page = min(max(page, 0), pages - 1)
    first = page * PAGE_SIZE
    shown = list(enumerate(sources, start=1))[first : first + PAGE_SIZE]
    header = t("sources-header", notebook=notebook.title, count=len(sources))
    where = t("sources-page", page=page + 1, pages=pages) if pages > 1 else ""
    text = paragraphs(header, "\n".join(_row(t, number, source) for number, source in shown), where)
    buttons = [Button(str(number), data=_act("open", source)) for number, source in shown]
    return View(text, keyboard=(*rows_of(buttons, 4), *_pager(notebook, page, pages), to_notebook), silent=True)


def source_view(t: Translate, source: Source) -> View:
    """Show all that is known of one source, with what can be done about it."""
    mute = ("unmute", "button-unmute") if source.muted else ("mute", "button-mute")
    rows = [[Button(t.plain(mute[1]), data=_act(mute[0], source))]] if source.state.answers else []
    if may_refresh(source):
        rows.append([Button(t.plain("button-refresh"), data=_act("refresh", source))])
    if may_retry(source):
        rows.append([Button(t.plain("button-retry"), data=_act("retry", source))])
    rows.append([Button(t.plain("button-delete"), data=_act("delete", source))])
    if source.origin.link.startswith(("https://", "tg://")):
        rows.insert(0, [Button(t.plain("button-open-message"), url=source.origin.link)])
    if source.upload.url:
        rows.insert(0, [Button(t.plain("button-open-link"), url=source.about.url or source.upload.url)])
    back = SourcePage(notebook_id=source.notebook_id, page=0).pack()
    rows.append([Button(t.plain("button-to-sources"), data=back)])
    text = paragraphs(_title(t, source), _state(t, source), _attempts(t, source))
    return View(text, keyboard=tuple(map(tuple, rows)), silent=True)


def source_delete_view(t: Translate, source: Source) -> View:
    """Ask before deleting."""
    sure = Button(t.plain("button-delete-sure"), data=_act("delete_sure", source))
    keep = Button(t.plain("button-keep"), data=_act("open", source))
    return View(t("source-delete-confirm", title=title_or(t, source)), keyboard=((sure, keep),), silent=True)


def source_deleted_view(t: Translate, source: Source) -> View:
    """Say that it is gone, with the way back to the list."""
    back = SourcePage(notebook_id=source.notebook_id, page=0).pack()
    keyboard = ((Button(t.plain("button-to-sources"), data=back),),)
    return View(t("source-deleted", title=title_or(t, source)), keyboard=keyboard, silent=True)


def _act(action: str, source: Source) -> str:
    return SourceAction(action=action, notebook_id=source.notebook_id, source_id=source.id).pack()


def _pager(notebook: Notebook, page: int, pages: int) -> list[tuple[Button, ...]]:
    def to(sign: str, target: int) -> Button:
        return Button(sign, data=SourcePage(notebook_id=notebook.id, page=target).pack())

    steps = [*([to("‹", page - 1)] if page else []), *([to("›", page + 1)] if page + 1 < pages else [])]
    return [tuple(steps)] if steps else []


def _row(t: Translate, number: int, source: Source) -> str:
    """One source of the list: sign, title, and below it size, language and who read it."""
    line = f"{number}. {_SIGNS.get(source.state, '·')} {escape(title_or(t, source))}"
    facts = _facts(t, source) if source.state.answers else [_brief(t, source)]
    if source.muted:
        facts.append(t("source-muted-short"))
    return f"{line}\n<i>{' · '.join(facts)}</i>"


def _brief(t: Translate, source: Source) -> str:
    return t("source-failed-short") if source.state is SourceState.FAILED else stage_text(t, source)


def _facts(t: Translate, source: Source) -> list[str]:
    facts: list[str] = [t("size-pages", count=source.pages)] if source.pages else []
    if not source.pages and source.characters:
        facts.append(t("size-characters", count=source.characters))
    if source.language:
        facts.append(escape(language_name(t.locale, source.language)))
    return facts or [t(f"kind-{source.kind}")]


def _title(t: Translate, source: Source) -> str:
    facts = [t(f"kind-{source.kind}")]
    if source.upload.size_bytes:
        facts.append(t("size-file", bytes=source.upload.size_bytes))
    if source.pages:
        facts.append(t("size-pages", count=source.pages))
    if source.characters:
        facts.append(t("size-characters", count=source.characters))
    if source.language:
        facts.append(escape(language_name(t.locale, source.language)))
    lines = [f"📄 {bold(short(source.title, 200) or title_or(t, source))}", " · ".join(facts)]
    return "\n".join([*lines, *_about(t, source)])


def _about(t: Translate, source: Source) -> list[str]:
    """Tell what a work says of itself, who sent it, and what was written under it."""
    about = source.about
    work = [short(part, 200) for part in (about.author, about.published[:10], about.site) if part]
    lines: list[str] = [t("source-about", about=" · ".join(work))] if work else []
    if source.origin.author:
        lines.append(t("source-from", author=short(source.origin.author)))
    return lines + _captions(t, source)


def _captions(t: Translate, source: Source) -> list[str]:
    """What was written under it; of an album with several captions each with the number of its photo."""
    numbered = [(0, source.upload.caption), *enumerate((part.caption for part in source.upload.parts), start=1)]
    written = [(number, short(caption, CAPTION_SHOWN)) for number, caption in numbered if caption.strip()]
    if len(written) == 1:
        return [t("source-caption", caption=written[0][1])]
    return [t("source-caption-of", number=number, caption=caption) for number, caption in written[:CAPTIONS_SHOWN]]


def _state(t: Translate, source: Source) -> str:
    lines: list[str] = [_state_line(t, source)]
    if source.state is not SourceState.PARTIAL:  # there the reason is what is missing
        lines.append(reason_text(t, source))
    if is_refreshing(source):
        lines.append(t("source-refreshing"))
    elif source.state.answers and source.stage is Stage.EMBED:
        lines.append(sentence(stage_text(t, source)))
    if source.muted:
        lines.append(t("source-muted"))
    return "\n".join(line for line in lines if line)


def _state_line(t: Translate, source: Source) -> Html:
    if source.state is SourceState.PARTIAL:
        return t("source-state-partial", what=sentence(partial_text(t, source)))
    if source.state is SourceState.READING:
        return sentence(stage_text(t, source))
    return t(f"source-state-{source.state}")


def _attempts(t: Translate, source: Source) -> str:
    """Tell how it was read; one attempt that won says no more than its name."""
    tried = [attempt for attempt in source.attempts if attempt.outcome is not Outcome.UNAVAILABLE]
    if not tried:
        return ""
    if len(tried) == 1 and tried[0].outcome is Outcome.WON:
        return extractor_text(t, tried[0].extractor)
    lines = [
        t(f"attempt-{attempt.outcome}", extractor=attempt.extractor, reason=attempt.reason)
        for attempt in tried[-ATTEMPTS_SHOWN:]
    ]
    return "\n".join([t("source-attempts"), *lines])
