"""The limits of a rich message."""

from __future__ import annotations

from typing import Any

from bot.sandbox.errors import bad_request
from bot.sandbox.limits import RICH_TEXT_MAX
from bot.sandbox.params import whole_number

BLOCKS_MAX = 500
"""Blocks in all, list items and table rows counted."""

DEPTH_MAX = 16
"""Levels of blocks inside blocks."""

COLUMNS_MAX = 20
"""Columns of a table."""

_TEXTS = ("text", "summary", "credit", "caption", "expression", "alternative_text")


def check(blocks: list[dict[str, Any]]) -> None:
    """Refuse a message that is empty or too large.

    Raises:
        ApiError: It has no block, too many, too deep, too wide or too much text.
    """
    if not blocks:
        raise bad_request("rich message must be non-empty")
    if count(blocks) > BLOCKS_MAX:
        raise bad_request("too many blocks in the rich message")
    if depth(blocks) > DEPTH_MAX:
        raise bad_request("blocks of the rich message are nested too deep")
    if max((width(block) for block in blocks), default=0) > COLUMNS_MAX:
        raise bad_request("too many columns in a table of the rich message")
    if text_length(blocks) > RICH_TEXT_MAX:
        raise bad_request("rich message is too long")


def count(blocks: list[dict[str, Any]]) -> int:
    """Return the number of blocks, with those inside."""
    inner = [block.get("blocks", []) for block in blocks]
    items = [item for block in blocks for item in block.get("items", [])]
    rows = sum(len(block.get("cells", [])) for block in blocks)
    return len(blocks) + rows + len(items) + sum(map(count, inner)) + sum(count(item["blocks"]) for item in items)


def depth(blocks: list[dict[str, Any]]) -> int:
    """Return how deep blocks are nested."""
    inner = [block.get("blocks", []) for block in blocks]
    inner += [item["blocks"] for block in blocks for item in block.get("items", [])]
    return 1 + max((depth(one) for one in inner if one), default=0)


def width(block: dict[str, Any]) -> int:
    """Return the columns of a table, 0 for other blocks."""
    return max(
        (sum(max(whole_number(cell.get("colspan"), 1), 1) for cell in row) for row in block.get("cells", [])), default=0
    )


def text_length(part: Any) -> int:
    """Return the characters of all texts in a block, a rich text or a list of them."""
    if isinstance(part, str):
        return len(part)
    if isinstance(part, list):
        return sum(map(text_length, part))
    if not isinstance(part, dict):
        return 0
    own = sum(text_length(part[name]) for name in _TEXTS if name in part)
    return own + sum(text_length(part[name]) for name in ("blocks", "items", "cells") if name in part)
