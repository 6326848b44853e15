"""HTML to Markdown: headings, lists, tables, code, quotes and formulas keep their shape, links only their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from core.adapters.web.markdown_tables import table_blocks

Element = Any
"""An element of lxml, which has no types."""

_BLOCK_NAMES = """
address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3
h4 h5 h6 header hgroup hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul
"""
_SKIPPED_NAMES = """
script style noscript template head iframe object embed svg canvas video audio source img input select textarea button
map nav
"""
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_HEADING = re.compile(r"h([1-6])")
_SPACE = re.compile(r"[ \t\r\f\v\n\u00a0\u2009\u202f]+")
_SOFT = re.compile("[\u00ad\u200b\u2060\ufeff]")
# Hints for line breaking, which would stand between the letters of a word that is searched for.

_STARTS_LIKE_MARK = re.compile(r"^(#{1,6} |>|```|\d+\. |[-+*] )")
MAX_DEPTH = 200
# Of nested elements: more is an attack on the stack; what lies deeper is taken as plain text.


def to_markdown(root: Element) -> str:
    """Turn an element and all in it into Markdown; blocks are split by an empty line."""
    return "\n\n".join(block for block in _children(root, 0) if block.strip())


def _children(element: Element, depth: int) -> Iterator[str]:
    """Give the blocks in an element; words beside blocks become paragraphs of their own."""
    if depth > MAX_DEPTH:
        yield from _paragraphs("".join(element.itertext()))
        return
    run = element.text or ""
    for child in element:
        if _is_block(child):
            yield from _paragraphs(run)
            yield from _block(child, depth + 1)
            run = ""
        else:
            run += _inline(child, depth + 1)
        run += child.tail or ""
    yield from _paragraphs(run)


def _is_block(element: Element) -> bool:
    """Say whether it stands in lines of its own: by its name, or since something in it does."""
    if not isinstance(element.tag, str):
        return False
    return element.tag in _BLOCKS or any(child.tag in _BLOCKS for child in element.iterdescendants())


def _block(element: Element, depth: int) -> Iterator[str]:
    tag = element.tag
    if tag in _SKIPPED:
        return
    if heading := _HEADING.fullmatch(tag):
        text = " ".join(_paragraphs(_inline_all(element, depth)))
        if text:
            yield "#" * int(heading[1]) + " " + text.replace("\n", " ")
    elif tag in ("ul", "ol"):
        yield "\n".join(_list(element, depth))
    elif tag == "table":
        yield from table_blocks(element, lambda cell: "\n\n".join(_children(cell, depth)))
    elif tag == "pre":
        yield _code("".join(element.itertext()))
    elif tag == "blockquote":
        quoted = "\n\n".join(_children(element, depth))
        yield "\n".join(f"> {line}".rstrip() for line in quoted.split("\n")) if quoted else ""
    else:
        yield from _children(element, depth)


def _code(text: str) -> str:
    fence = "````" if "```" in text else "```"
    body = text.strip("\n").rstrip()
    return f"{fence}\n{body}\n{fence}" if body.strip() else ""


def _list(element: Element, depth: int) -> Iterator[str]:
    """Give the lines of a list; what is nested is indented as far as the text of its item begins."""
    number = 0
    for item in element:
        if not isinstance(item.tag, str) or item.tag in _SKIPPED:
            continue
        if item.tag in ("ul", "ol"):  # nested without an item of its own, which many pages do
            yield from ("  " + line for line in _list(item, depth + 1))
            continue
        number += 1
        mark = f"{number}. " if element.tag == "ol" else "- "
        blocks = [block for block in _children(item, depth + 1) if block.strip()]
        lines = "\n".join(blocks).split("\n") if blocks else []
        for index, line in enumerate(lines):
            yield (mark if not index else " " * len(mark)) + line


def _inline_all(element: Element, depth: int) -> str:
    parts = [element.text or ""]
    for child in element:
        parts += (_inline(child, depth), child.tail or "")
    return "".join(parts)


def _inline(element: Element, depth: int) -> str:
    """Give the words of an element that stands in a line; a forced line break becomes a vertical tab for now."""
    tag = element.tag
    if not isinstance(tag, str) or tag in _SKIPPED:
        return ""
    if tag in ("br", "lb"):
        return "\v"
    if tag == "wbr" or depth > MAX_DEPTH:
        return "".join(element.itertext())
    text = _inline_all(element, depth + 1)
    if tag in ("code", "kbd", "samp") and text.strip() and "`" not in text:
        return f"`{text.strip()}`"
    if tag == "sup" and re.fullmatch(r"[-+−]?\w{1,4}", text.strip()):
        return f"^{text.strip()}"
    return text


def _paragraphs(run: str) -> Iterator[str]:
    """Cut a run of words at double line breaks; single ones stay, other white space becomes one space."""
    if not run.strip():
        return
    for part in re.split(r"(?:\s*\v\s*){2,}", _SOFT.sub("", run)):
        lines = [_SPACE.sub(" ", line).strip() for line in part.split("\v")]
        text = "\n".join(_STARTS_LIKE_MARK.sub(r"\\\1", line) for line in lines if line)
        if text:
            yield text
