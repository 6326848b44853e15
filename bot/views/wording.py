"""Small pieces that several views word alike: places, lists of pages, titles that must fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.i18n import Html, Translate, escape
from bot.rich_value import utf16_len
from bot.views.view import Button
from core.library.refresh_source import is_read
from core.library.take_in import name_of
from core.model.source import Source, SourceKind, SourceState, Stage

TITLE_SHOWN = 60
"""Characters of a title in a list: two lines of a phone."""
LABEL_SHOWN = 34
"""Characters of a title on a button: one line of a phone."""
RANGES_SHOWN = 8
"""Ranges of pages that are listed; more are not read by anybody."""

_READ_PICTURES = ("ocr", "tesseract", "vision")
_EXTRACTORS = (
    ("as-it-came", "extractor-words"),
    ("tesseract", "extractor-ocr"),
    ("ocr", "extractor-ocr"),
    ("vision", "extractor-vision"),
    ("speech", "extractor-speech"),
    ("transcript", "extractor-subtitles"),
    ("yt-dlp", "extractor-subtitles"),
    ("pytubefix", "extractor-subtitles"),
    ("chromium", "extractor-browser"),
    ("browser", "extractor-browser"),
    ("playwright", "extractor-browser"),
    ("jina", "extractor-reader"),
    ("firecrawl", "extractor-reader"),
    ("gotenberg", "extractor-office"),
    ("soffice", "extractor-office"),
    ("libreoffice", "extractor-office"),
)
"""Signs in the names of extractors, the first that fits, and how people call that way of reading."""


def short(text: str, limit: int = TITLE_SHOWN) -> str:
    """Make one line of at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def page_ranges(pages: Sequence[int]) -> str:
    """Word ascending page numbers as `3, 7–9, …`."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and page == ranges[-1][-1] + 1:
            ranges[-1] = [ranges[-1][0], page]
        else:
            ranges.append([page])
    shown = ["–".join(map(str, ends)) for ends in ranges[:RANGES_SHOWN]]
    return ", ".join([*shown, "…"] if len(ranges) > RANGES_SHOWN else shown)


def clock(seconds: float) -> str:
    """Word a place in a recording as `1:02:03` or `2:03`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def stage_text(t: Translate, source: Source) -> Html:
    """Say what is being done to a source, with its progress where there is one."""
    if source.state is SourceState.QUEUED:
        return t("stage-queued")
    name = _stage_name(source)
    unit = {"extract": "-pages", "ocr": "-pages", "embed": "-chunks"}.get(name, "")
    if unit and source.progress_total and source.progress_done:
        return t(f"stage-{name}{unit}", done=source.progress_done, total=source.progress_total)
    return t(f"stage-{name}")


def _stage_name(source: Source) -> str:
    if source.stage in (Stage.EMBED, Stage.INSIGHTS, Stage.DONE):
        return "embed"
    if source.stage is Stage.EXTRACT and any(sign in source.extractor for sign in _READ_PICTURES):
        return "ocr"
    return str(source.stage)


def partial_text(t: Translate, source: Source) -> Html:
    """Say how much of a source was read, and what is missing."""
    if not source.missing_pages or not source.pages:
        return reason_text(t, source) or t("partial-other")
    missing = t("missing-pages", count=len(source.missing_pages), pages=page_ranges(source.missing_pages))
    read = source.pages - len(source.missing_pages)
    return t("partial-pages", read=read, total=source.pages, missing=missing)


def reason_text(t: Translate, source: Source) -> Html:
    """Say why a source ended as it did and what can be done; "" when nothing is known."""
    return t(source.reason.text_key, **source.reason.values) if source.reason else Html("")


def fit_lines(lines: Iterable[str], more: str, limit: int) -> list[str]:
    """Keep the first lines that fit a number of UTF-16 units; `more` stands for what does not."""
    kept: list[str] = []
    room = limit - utf16_len(more) - 1
    for line in lines:
        room -= utf16_len(line) + 1
        if room < 0:
            return [*kept, more]
        kept.append(line)
    return kept


def rows_of(buttons: Sequence[Button], width: int) -> tuple[tuple[Button, ...], ...]:
    """Set buttons in rows."""
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))


def paragraphs(*parts: str) -> str:
    """Join what is not empty with empty lines."""
    return "\n\n".join(part for part in parts if part)


def sentence(text: Html) -> Html:
    """Begin with a capital; the text begins with a letter."""
    return Html(text[:1].upper() + text[1:])


def title_or(t: Translate, source: Source) -> str:
    """Name a source; without a title by its address, its file, the number of its photos or its kind."""
    parts = len(source.upload.parts)
    if not source.title and parts > 1:
        return t.plain("title-album", count=parts)
    return name_or(t, name_of(source.title, source.upload), source.kind)


def name_or(t: Translate, name: str, kind: SourceKind) -> str:
    """Name a thing, by its kind when it has no name."""
    return short(name) or t.plain(f"kind-{kind}")


def is_refreshing(source: Source) -> bool:
    """Tell whether a source is being read anew while its old text answers."""
    return source.state.answers and not is_read(source)


def extractor_text(t: Translate, extractor: str) -> Html:
    """Say in words how a source was read; a program without such words by its name."""
    for sign, key in _EXTRACTORS:
        if sign in extractor:
            return t(key)
    return t("source-read-by", extractor=extractor)


def bold(text: str) -> Html:
    """Make any text safe and bold."""
    return Html(f"<b>{escape(text)}</b>")
