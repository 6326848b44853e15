"""Rich messages: headings, lists, tables and more, from HTML, Markdown or blocks."""

from __future__ import annotations

from typing import Any

from bot.sandbox.errors import bad_request
from bot.sandbox.rich.given_blocks import read_blocks
from bot.sandbox.rich.html_blocks import blocks_of
from bot.sandbox.rich.limits import check
from bot.sandbox.rich.markdown import to_html
from bot.sandbox.rich.tree import parse

Obj = dict[str, Any]


def read_rich_message(given: Any) -> Obj:
    """Turn an `InputRichMessage` into a `RichMessage`.

    Raises:
        ApiError: Not exactly one of html, markdown and blocks is given, it cannot be parsed, or it is too large.
    """
    if not isinstance(given, dict):
        raise bad_request("object expected as rich message")
    sources = [name for name in ("html", "markdown", "blocks") if given.get(name)]
    if len(sources) != 1:
        raise bad_request("rich message text is empty" if not sources else "rich message must have exactly one source")
    source = given[sources[0]]
    if sources[0] == "blocks":
        blocks = read_blocks(source)
    else:
        html = to_html(str(source)) if sources[0] == "markdown" else str(source)
        blocks = blocks_of(parse(html))
    check(blocks)
    return {"blocks": blocks, **({"is_rtl": True} if given.get("is_rtl") else {})}
