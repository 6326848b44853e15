"""Rich Markdown as Rich HTML: the part of GitHub's Markdown that notes are written in."""

from __future__ import annotations

import re
from html import escape

_FENCE = re.compile(r"^```(\w*)\s*$")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_ITEM = re.compile(r"^(?:[-*+]|(\d{1,9})[.)])\s+(?:\[([ xX])\]\s+)?(.*)$")
_RULE = re.compile(r"^(?:-{3,}|\*{3,}|_{3,})$")
_DELIMITER = re.compile(r"^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$")
_NOTE = re.compile(r"^\[\^([\w-]+)\]:\s*(.*)$")
_HTML = re.compile(r"</?[a-z][a-z0-9-]*(?:\s[^<>]*)?/?>")
_INLINE = (
    (re.compile(r"\$([^$\s](?:[^$]*[^$\s])?)\$"), r"<tg-math>\1</tg-math>"),
    (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (re.compile(r"(?<!\w)__(.+?)__(?!\w)"), r"<b>\1</b>"),
    (re.compile(r"\*(.+?)\*"), r"<i>\1</i>"),
    (re.compile(r"(?<!\w)_(.+?)_(?!\w)"), r"<i>\1</i>"),
    (re.compile(r"~~(.+?)~~"), r"<s>\1</s>"),
    (re.compile(r"==(.+?)=="), r"<mark>\1</mark>"),
    (re.compile(r"\|\|(.+?)\|\|"), r"<tg-spoiler>\1</tg-spoiler>"),
    (re.compile(r"\[\^([\w-]+)\]"), r'<a href="#note-\1"><sup>\1</sup></a>'),
    (re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)"), r'<a href="\2">\1</a>'),
)
"""Inline marks in the order in which they are read."""


def to_html(source: str) -> str:
    """Turn Rich Markdown into Rich HTML; tags in it pass through."""
    lines = source.replace("\r\n", "\n").split("\n")
    html: list[str] = []
    at = 0
    while at < len(lines):
        block, at = _block(lines, at)
        html.append(block)
    return "".join(html)


def _block(lines: list[str], at: int) -> tuple[str, int]:
    """Return the HTML of the block that begins at a line, and the line after it."""
    line = lines[at].strip()
    if not line:
        return "", at + 1
    if fence := _FENCE.match(line):
        return _fenced(lines, at + 1, fence[1])
    if heading := _HEADING.match(line):
        size = len(heading[1])
        return f"<h{size}>{inline(heading[2])}</h{size}>", at + 1
    if _RULE.match(line):
        return "<hr/>", at + 1
    if line.startswith("$$") and line.endswith("$$") and len(line) > 4:
        return f"<tg-math-block>{escape(line[2:-2])}</tg-math-block>", at + 1
    for begins, read in ((">", _quote), ("|", _table)):
        if line.startswith(begins):
            return read(lines, at)
    return _list(lines, at) if _ITEM.match(line) else _text(lines, at)


def _fenced(lines: list[str], at: int, language: str) -> tuple[str, int]:
    end = next((n for n in range(at, len(lines)) if lines[n].strip() == "```"), len(lines))
    body = escape("\n".join(lines[at:end]), quote=False)
    if language == "math":
        return f"<tg-math-block>{body}</tg-math-block>", end + 1
    name = f' class="language-{language}"' if language else ""
    return f"<pre><code{name}>{body}</code></pre>", end + 1


def _run(lines: list[str], at: int, belongs: re.Pattern[str]) -> int:
    while at < len(lines) and belongs.match(lines[at].strip()):
        at += 1
    return at


def _quote(lines: list[str], at: int) -> tuple[str, int]:
    end = _run(lines, at, re.compile(">"))
    inner = "\n".join(line.strip()[1:].removeprefix(" ") for line in lines[at:end])
    return f"<blockquote>{to_html(inner)}</blockquote>", end


def _table(lines: list[str], at: int) -> tuple[str, int]:
    end = _run(lines, at, re.compile(r"\|"))
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines[at:end]]
    if len(rows) < 2 or not _DELIMITER.match(lines[at + 1].strip()):
        return _text(lines, at)
    aligns = [_align(cell) for cell in rows[1]] + ["left"] * 20
    html = [_row(rows[0], aligns, "th"), *(_row(row, aligns, "td") for row in rows[2:])]
    return f"<table bordered>{''.join(html)}</table>", end


def _align(delimiter: str) -> str:
    if delimiter.startswith(":") and delimiter.endswith(":"):
        return "center"
    return "right" if delimiter.endswith(":") else "left"


def _row(cells: list[str], aligns: list[str], tag: str) -> str:
    shown = (f'<{tag} align="{align}">{inline(cell)}</{tag}>' for cell, align in zip(cells, aligns, strict=False))
    return f"<tr>{''.join(shown)}</tr>"


def _list(lines: list[str], at: int) -> tuple[str, int]:
    end = _run(lines, at, _ITEM)
    found = [item for line in lines[at:end] if (item := _ITEM.match(line.strip()))]
    is_ordered = found[0][1] is not None
    html = "".join(f"<li>{_box(item[2])}{inline(item[3])}</li>" for item in found)
    return (f'<ol start="{found[0][1]}">{html}</ol>' if is_ordered else f"<ul>{html}</ul>"), end


def _box(mark: str | None) -> str:
    if mark is None:
        return ""
    return '<input type="checkbox"/>' if mark == " " else '<input type="checkbox" checked/>'


def _text(lines: list[str], at: int) -> tuple[str, int]:
    if note := _NOTE.match(lines[at].strip()):
        return f'<p><tg-reference name="note-{note[1]}">{inline(note[2])}</tg-reference></p>', at + 1
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_block(lines[end].strip()):
        end += 1
    text = inline("\n".join(line.strip() for line in lines[at:end]))
    is_html = bool(_HTML.match(lines[at].strip()))
    return (text if is_html else f"<p>{text}</p>"), end


def _starts_block(line: str) -> bool:
    return line[0] in ">|" or any(pattern.match(line) for pattern in (_FENCE, _HEADING, _RULE, _ITEM, _NOTE))


def inline(text: str) -> str:
    """Turn a line's marks into tags; code keeps its inside as it is."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(
        f"<code>{escape(part[1:-1], quote=False)}</code>" if part[:1] == "`" and len(part) > 1 else _marked(part)
        for part in parts
    )


def _marked(text: str) -> str:
    tags: list[str] = []

    def hide(match: re.Match[str]) -> str:
        tags.append(match[0])
        return f"\0{len(tags) - 1}\0"

    text = escape(_HTML.sub(hide, text), quote=False)
    for pattern, html in _INLINE:
        text = pattern.sub(html, text)
    return re.sub("\0(\\d+)\0", lambda match: tags[int(match[1])], text)
