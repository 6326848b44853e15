"""The text of a block: `RichText`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.sandbox.params import whole_number
from bot.sandbox.rich.tree import Element

RichText = Any
"""A string, a list of rich texts, or an object with a `type`."""

STYLES = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "code": "code", "mark": "marked",
    "sub": "subscript", "sup": "superscript", "tg-spoiler": "spoiler",
}  # fmt: skip


def rich_text(children: Sequence[str | Element], *, keep_space: bool = False) -> RichText:
    """Return the rich text of what is inside an element; space runs are one space unless it is kept."""
    parts = [_part(child, keep_space=keep_space) for child in children]
    return _joined([part for part in parts if part != ""], keep_space=keep_space)


def _joined(parts: list[RichText], *, keep_space: bool) -> RichText:
    merged: list[RichText] = []
    for part in parts:
        if merged and isinstance(part, str) and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    if not keep_space:
        merged = _stripped(merged)
    return "" if not merged else merged[0] if len(merged) == 1 else merged


def _stripped(parts: list[RichText]) -> list[RichText]:
    if parts and isinstance(parts[0], str):
        parts[0] = parts[0].lstrip()
    if parts and isinstance(parts[-1], str):
        parts[-1] = parts[-1].rstrip()
    return [part for part in parts if part != ""]


def _part(child: str | Element, *, keep_space: bool) -> RichText:
    if isinstance(child, str):
        return child if keep_space else re.sub(r"[ \t\r\n]+", " ", child)
    if child.tag == "br":
        return "\n"
    if child.tag == "a":
        return _link(child)
    if child.tag == "tg-math":
        return {"type": "mathematical_expression", "expression": child.text()}
    inside = _joined([_part(one, keep_space=keep_space) for one in child.children], keep_space=True)
    if child.tag in STYLES:
        return {"type": STYLES[child.tag], "text": inside}
    return _special(child, inside)


def _special(child: Element, inside: RichText) -> RichText:
    given = child.attributes
    if child.tag == "tg-reference":
        return {"type": "reference", "text": inside, "name": given.get("name", "")}
    if child.tag == "tg-emoji":
        return {"type": "custom_emoji", "custom_emoji_id": given.get("emoji-id", ""), "alternative_text": child.text()}
    if child.tag == "tg-time":
        unix, shape = whole_number(given.get("unix")), given.get("format", "")
        return {"type": "date_time", "text": inside, "unix_time": unix, "date_time_format": shape}
    return inside


def _link(child: Element) -> RichText:
    url = child.attributes.get("href", "")
    inside = _joined([_part(one, keep_space=False) for one in child.children], keep_space=True)
    if not url:
        return {"type": "anchor", "name": child.attributes.get("name", "")}
    if url.startswith("#note-") or url.startswith("#fn-"):
        return {"type": "reference_link", "text": inside, "reference_name": url[1:]}
    if url.startswith("#"):
        return {"type": "anchor_link", "text": inside, "anchor_name": url[1:]}
    if url.startswith("mailto:"):
        return {"type": "email_address", "text": inside, "email_address": url.removeprefix("mailto:")}
    if url.startswith("tel:"):
        return {"type": "phone_number", "text": inside, "phone_number": url.removeprefix("tel:")}
    return {"type": "url", "text": inside, "url": url}
