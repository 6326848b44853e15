"""The one place where text is cleaned, before anything is stored, searched or shown.

`clean` is for documents and keeps their maps true; `clean_text` is for short strings; `storable` is the last guard
in front of an insert and never moves a character.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.ingest.edited_text import Edit, EditedText
from core.ingest.running_lines import running_lines
from core.model.document import Document, PageStart, TimeStart

_LINE_ENDS = "\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]"
_SPACES = "[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\x1f]"
_UNSEEN = (
    "[\u0000-\u0008\u000e-\u001b\u007f-\u009f"  # controls, NUL among them
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff0-\ufffb\ufffe\uffff\U000e0000-\U000e0fff"  # soft hyphen, zero width, direction marks, tags
    "\ud800-\udfff]"  # half a character; whole pairs are mended first
    "|(?<![\u0600-\u109f\u200d\ufe0f\U0001f000-\U0001faff\u2600-\u27bf])[\u200c\u200d]"  # joiners no script asks for
)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_CHARACTERS = re.compile(f"(?P<line>{_LINE_ENDS})|(?P<space>{_SPACES})|(?P<pair>{_PAIR.pattern})|(?P<unseen>{_UNSEEN})")
_BLANKS = re.compile(r"(?P<tail>[ \t]+)(?=\n|\Z)|(?P<blank>\n(?:[ \t]*\n){2,})|(?P<head>\A(?:[ \t]*\n)+)")
_BROKEN_WORD = re.compile(r"(?<![\w-])(?P<left>[^\W\d_]{2,})-\n(?P<right>[^\W\d_]{2,})(?![\w-])")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PARTICLES = frozenset({"то", "либо", "нибудь", "ка", "таки", "де", "с"})
_PREFIXES = frozenset({"по", "кое", "кой", "во", "в", "из", "non", "self", "well"})
_UNSTORABLE = re.compile("[\u0000\ud800-\udfff]")


def clean(document: Document) -> Document:
    """Clean a document's text and move its maps along.

    Goes: what cannot be seen or stored, lines that stand at the edge of most pages, hyphens that only break a word
    over two lines, spaces at line ends, runs of blank lines. Line ends become LF, odd spaces ordinary ones.

    Returns:
        The document with `raw_offsets` filled: for a character at `text[i]` that was kept, the last pair
        `(a, b)` with `a <= i` gives its place `b + i - a` in the text that came in. Pages and times that lost all
        their text lose their entry.
    """
    edited = EditedText.of(document.text).apply(_character_edits(document.text))
    edited = edited.apply(running_lines(edited.text, [edited.place(start.offset) for start in document.pages]))
    edited = edited.apply(_joined_words(edited.text))
    edited = edited.apply(_blank_edits(edited.text))
    return replace(
        document,
        text=edited.text,
        title=clean_text(document.title),
        pages=_moved_pages(document.pages, edited),
        times=_moved_times(document.times, edited),
        raw_offsets=edited.offsets,
    )


def clean_text(text: str) -> str:
    """Clean a short text (a question, a title, a name): unseen characters go, ends are trimmed, blank lines fold."""
    edited = EditedText.of(text).apply(_character_edits(text))
    return edited.apply(_blank_edits(edited.text)).text.strip()


def storable(text: str) -> str:
    """Replace what Postgres cannot hold (NUL, lone surrogates) by U+FFFD, one for one, so that offsets stay true."""
    return _UNSTORABLE.sub("\ufffd", text)


def _character_edits(text: str) -> list[Edit]:
    return [Edit(found.start(), found.end(), _character(found)) for found in _CHARACTERS.finditer(text)]


def _character(found: re.Match[str]) -> str:
    if found["line"] is not None:
        return "\n"
    if found["space"] is not None:
        return " "
    if found["pair"] is not None:
        return found["pair"].encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    return ""


def _blank_edits(text: str) -> list[Edit]:
    return [
        Edit(found.start(), found.end(), "\n\n" if found["blank"] is not None else "")
        for found in _BLANKS.finditer(text)
    ]


def _joined_words(text: str) -> list[Edit]:
    """Find line-end hyphens that surely only break a word: the joined word stands elsewhere or the halves do not."""
    broken = list(_BROKEN_WORD.finditer(text))
    if not broken:
        return []
    words = {word.lower() for word in _WORD.findall(_BROKEN_WORD.sub(" ", text))}
    return [
        Edit(found.end("left"), found.start("right"), "")
        for found in broken
        if _is_one_word(found["left"], found["right"], words)
    ]


def _is_one_word(left: str, right: str, words: set[str]) -> bool:
    left, right_lower = left.lower(), right.lower()
    if right != right_lower or f"{left}-{right_lower}" in words:
        return False
    if left + right_lower in words:
        return True
    halves_are_words = right_lower in words and left in words
    return right_lower not in _PARTICLES and left not in _PREFIXES and not halves_are_words


def _moved_pages(pages: tuple[PageStart, ...], edited: EditedText) -> tuple[PageStart, ...]:
    last = {edited.place(start.offset): start.page for start in pages}
    return tuple(PageStart(offset, page) for offset, page in last.items() if offset < len(edited.text))


def _moved_times(times: tuple[TimeStart, ...], edited: EditedText) -> tuple[TimeStart, ...]:
    last = {edited.place(start.offset): start.seconds for start in times}
    return tuple(TimeStart(offset, seconds) for offset, seconds in last.items() if offset < len(edited.text))
