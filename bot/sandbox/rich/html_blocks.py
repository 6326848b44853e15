"""The blocks of Rich HTML: `RichBlock`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.sandbox.errors import bad_request
from bot.sandbox.params import whole_number
from bot.sandbox.rich.inline import rich_text
from bot.sandbox.rich.labels import label
from bot.sandbox.rich.tree import INLINE, Element

Obj = dict[str, Any]


def blocks_of(element: Element) -> list[Obj]:
    """Return an element's content as blocks; text outside any block is a paragraph."""
    blocks: list[Obj] = []
    loose: list[str | Element] = []
    for child in element.children:
        if isinstance(child, str) or child.tag in INLINE:
            loose.append(child)
            continue
        blocks += _paragraph(loose)
        loose = []
        blocks.append(_block(child))
    return blocks + _paragraph(loose)


def _paragraph(loose: list[str | Element]) -> list[Obj]:
    text = rich_text(loose)
    if isinstance(text, dict) and text["type"] == "anchor":
        return [text]
    return [{"type": "paragraph", "text": text}] if text else []


def _block(element: Element) -> Obj:
    if element.tag in {"h1", "h2", "h3", "h4", "h5", "h6"}:
        return {"type": "heading", "text": rich_text(element.children), "size": int(element.tag[1])}
    build = _BUILDERS.get(element.tag)
    if build is None:
        raise bad_request(f"can't parse rich message: Tag \"{element.tag}\" can't be here")
    return build(element)


def _text_block(kind: str) -> Callable[[Element], Obj]:
    def build(element: Element) -> Obj:
        return {"type": kind, "text": rich_text(element.without("cite").children), **_credit(element)}

    return build


def _credit(element: Element) -> Obj:
    cite = element.find("cite")
    return {} if cite is None else {"credit": rich_text(cite.children)}


def _pre(element: Element) -> Obj:
    code = element.find("code")
    inner = element if code is None else code
    language = inner.attributes.get("class", "").removeprefix("language-") if code is not None else ""
    text = rich_text(inner.children, keep_space=True)
    return {"type": "pre", "text": text, **({"language": language} if language else {})}


def _quote(element: Element) -> Obj:
    return {"type": "blockquote", "blocks": blocks_of(element.without("cite")), **_credit(element)}


def _details(element: Element) -> Obj:
    summary = element.find("summary")
    if summary is None:
        raise bad_request('can\'t parse rich message: Tag "details" must have a summary')
    shown = {"is_open": True} if "open" in element.attributes else {}
    blocks = blocks_of(element.without("summary"))
    return {"type": "details", "summary": rich_text(summary.children), "blocks": blocks, **shown}


def _list(element: Element) -> Obj:
    is_ordered, number = element.tag == "ol", whole_number(element.attributes.get("start"), 1)
    step = -1 if "reversed" in element.attributes else 1
    items: list[Obj] = []
    for child in element.elements():
        number = whole_number(child.attributes.get("value"), number)
        kind = child.attributes.get("type") or element.attributes.get("type") or "1"
        items.append(_item(child, label(number, kind) if is_ordered else "•"))
        number += step
    return {"type": "list", "items": items}


def _item(element: Element, shown: str) -> Obj:
    box = element.find("input")
    item: Obj = {"label": shown, "blocks": blocks_of(element.without("input"))}
    if box is not None:
        item |= {"has_checkbox": True, **({"is_checked": True} if "checked" in box.attributes else {})}
    return item


def _table(element: Element) -> Obj:
    groups = [element, *(child for child in element.elements() if child.tag in {"thead", "tbody", "tfoot"})]
    rows = [row for group in groups for row in group.elements() if row.tag == "tr"]
    table: Obj = {"type": "table", "cells": [[_cell(cell) for cell in row.elements()] for row in rows]}
    caption = element.find("caption")
    if caption is not None:
        table["caption"] = rich_text(caption.children)
    return table | {f"is_{name}": True for name in ("bordered", "striped", "compact") if name in element.attributes}


def _cell(element: Element) -> Obj:
    given = element.attributes
    cell: Obj = {"align": given.get("align") or "left", "valign": given.get("valign") or "top"}
    cell["text"] = rich_text(element.children)
    if element.tag == "th":
        cell["is_header"] = True
    return cell | {name: span for name in ("colspan", "rowspan") if (span := whole_number(given.get(name))) > 1}


def _divider(element: Element) -> Obj:
    return {"type": "divider"}


def _math(element: Element) -> Obj:
    return {"type": "mathematical_expression", "expression": element.text()}


_BUILDERS: dict[str, Callable[[Element], Obj]] = {
    "p": _text_block("paragraph"), "footer": _text_block("footer"), "aside": _text_block("pullquote"),
    "tg-thinking": _text_block("thinking"), "pre": _pre, "blockquote": _quote, "details": _details, "ul": _list,
    "ol": _list, "table": _table, "hr": _divider, "tg-math-block": _math,
}  # fmt: skip
"""Tag to the builder of its block; media and maps are not emulated and are refused."""
