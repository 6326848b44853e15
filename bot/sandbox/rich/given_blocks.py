"""Blocks that a bot gives as they are: `InputRichBlock`."""

from __future__ import annotations

from typing import Any

from bot.sandbox.errors import bad_request
from bot.sandbox.params import whole_number
from bot.sandbox.rich.labels import label

Obj = dict[str, Any]

KINDS = frozenset({
    "paragraph", "heading", "pre", "footer", "divider", "mathematical_expression", "anchor", "list", "blockquote",
    "pullquote", "details", "table", "thinking", "buttons", "expandable_blockquote",
})  # fmt: skip
"""Kinds of block that are emulated; those with media are refused."""


def read_blocks(given: Any) -> list[Obj]:
    """Return given blocks as a message shows them: lists get their labels.

    Raises:
        ApiError: A block is of an unknown kind or is none.
    """
    if not isinstance(given, list):
        raise bad_request('field "blocks" must be of type Array')
    return [_block(block) for block in given]


def _block(given: Any) -> Obj:
    if not isinstance(given, dict) or str(given.get("type")) not in KINDS:
        raise bad_request("can't parse InputRichBlock: Unsupported type specified")
    block = {key: value for key, value in given.items() if value is not None}
    if block["type"] == "list":
        block["items"] = [_item(item, number) for number, item in enumerate(_array(block, "items"), 1)]
    if block["type"] == "table":
        block["cells"] = [[_cell(cell) for cell in row] for row in _array(block, "cells") if isinstance(row, list)]
    if "blocks" in block:
        block["blocks"] = read_blocks(block["blocks"])
    return block


def _array(block: Obj, name: str) -> list[Any]:
    if not isinstance(block.get(name), list):
        raise bad_request(f'field "{name}" must be of type Array')
    return list(block[name])


def _cell(given: Any) -> Obj:
    if not isinstance(given, dict):
        raise bad_request("can't parse RichBlockTableCell: Object expected")
    return {"align": "left", "valign": "top", **given}


def _item(given: Any, number: int) -> Obj:
    if not isinstance(given, dict):
        raise bad_request("can't parse InputRichBlockListItem: Object expected")
    is_ordered = given.get("value") is not None or given.get("type") is not None
    shown = label(whole_number(given.get("value"), number), str(given.get("type") or "1")) if is_ordered else "•"
    return {**given, "label": shown, "blocks": read_blocks(given.get("blocks", []))}
