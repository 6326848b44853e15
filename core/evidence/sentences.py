"""Where sentences begin and end, in Russian and English, in prose and in Markdown.

Written for two kinds of text: a model's answer (Markdown with citation marks) and a source's clean text
(hard-wrapped lines, headings without full stops). A citation mark behind the full stop belongs to the sentence
before it. Nothing is lost: every non-space character lies in exactly one span.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.evidence.word_lists import AFTER_NUMBER, BEFORE_NUMBER, NEVER_LAST, STOP_WORDS, UNITS


class Span(NamedTuple):
    """A half-open character range `[start, end)`."""

    start: int
    end: int


HEADING_CHARS = 60
"""A shorter line without closing punctuation, followed by a capital letter, is taken for a heading."""

MARK = r"(?:\[\^?\d[^\[\]\n]{0,30}\]|【\d[^【】\n]{0,30}】)"
"""A citation mark, loosely: `[1]`, `[1, стр. 4]`, `[^1]`, `【1】`."""

_END = re.compile(rf"[.!?…]+[\"'»”’)\]*_]*(?:[ \t]?{MARK})*(?!\S)|[。！？]+")
_LINE_START = re.compile(r"\s*(?:#{1,6}\s|[-*+•–—]\s|\d{1,3}[.)]\s|\||>|```|~~~)")
_STRUCTURE = re.compile(r"\s*(?:#{1,6}\s|\||```|~~~)")
_LAST_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")
_NEXT_WORD = re.compile(r"[\s\"'«“„(\[*_—–-]*([^\W\d_](?:\.|[^\W\d_]*)|\d)?")
_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def split_sentences(text: str) -> list[Span]:
    """Split text into sentences.

    Lists, headings, table rows and fenced code stand for themselves; a fence is one span.

    Returns:
        Spans in order, without surrounding white space, none empty.
    """
    spans: list[Span] = []
    at = 0
    for fence in _FENCE.finditer(text):
        spans += _prose(text, at, fence.start())
        spans += _trimmed(text, fence.start(), fence.end())
        at = fence.end()
    return spans + _prose(text, at, len(text))


def _prose(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    for block in _blocks(text, start, end):
        cut = block.start
        for match in _END.finditer(text, block.start, block.end):
            if _ends_here(text, cut, match, block.end):
                spans += _trimmed(text, cut, match.end())
                cut = match.end()
        spans += _trimmed(text, cut, block.end)
    return spans


def _blocks(text: str, start: int, end: int) -> list[Span]:
    """Cut at line breaks that end a thought; a soft wrap inside a paragraph does not."""
    blocks: list[Span] = []
    cut = line = start
    while (newline := text.find("\n", line, end)) != -1:
        following = text.find("\n", newline + 1, end)
        next_line = text[newline + 1 : end if following == -1 else following]
        if _line_breaks(text[line:newline], next_line):
            blocks.append(Span(cut, newline))
            cut = newline + 1
        line = newline + 1
    blocks.append(Span(cut, end))
    return blocks


def _line_breaks(this: str, following: str) -> bool:
    last = this.rstrip()
    if not last or not following.strip() or _LINE_START.match(following) or _STRUCTURE.match(this):
        return True
    if last[-1] in '.!?…:;]】»"”':
        return True
    first = following.lstrip()[0]
    return len(last) < HEADING_CHARS and first.isupper() and last[-1] not in ",-–—(«"


def _ends_here(text: str, start: int, match: re.Match[str], end: int) -> bool:
    word = _NEXT_WORD.match(text, match.end(), end)
    following = word.group(1) if word and word.group(1) else ""
    if following[:1].islower():
        return False
    if not match.group().startswith(".") or match.group().startswith(".."):
        return True
    return _full_stop_ends(text[max(start, match.start() - 30) : match.start()], following)


def _full_stop_ends(before: str, following: str) -> bool:
    """Tell a full stop from the point of an abbreviation, an initial or a list number."""
    last = _LAST_WORD.search(before)
    if last is None:
        return True
    word, lower = last.group(), last.group().lower()
    if word.isdigit() and not before[: last.start()].strip():
        return False
    if lower in NEVER_LAST:
        return False
    if following.isdecimal() and (lower in BEFORE_NUMBER or (len(word) == 1 and word.islower())):
        return False
    starts_new = following.lower() in STOP_WORDS  # with its point, an initial is not one of them
    if lower in UNITS or (lower in AFTER_NUMBER and word.islower()):
        return starts_new
    is_initial = len(word) == 1 and word.isupper()
    return starts_new if is_initial and following else True


def _trimmed(text: str, start: int, end: int) -> list[Span]:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    return [Span(start + left, start + right)] if left < right else []
