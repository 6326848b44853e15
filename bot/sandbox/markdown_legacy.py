"""Telegram's first Markdown, without nesting.

Source:
    `parse_markdown` in TDLib's MessageEntity.cpp.
"""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox.errors import bad_request
from bot.sandbox.limits import utf16_len

Entity = dict[str, Any]

_OPENING = re.compile(r"\\([_*`\[])|```|[_*`\[]")
_LANGUAGE = re.compile(r"([^\s`]+)(?=\s)")
_NEW_LINE = re.compile(r"\n\r|\r\n|\n|\r")
_ENDS = {"_": "_", "*": "*", "`": "`", "[": "]", "```": "```"}
_KINDS = {"_": "italic", "*": "bold", "`": "code", "[": "text_link", "```": "pre"}


def parse_markdown(source: str) -> tuple[str, list[Entity]]:
    """Turn Markdown into a text and its entities, offsets in UTF-16 units.

    Raises:
        ApiError: An entity has no end.
    """
    text, entities, at = "", [], 0
    while found := _OPENING.search(source, at):
        text += source[at : found.start()]
        if found[1]:
            text, at = text + found[1], found.end()
            continue
        inner, more, at = _entity(source, found)
        if inner and (more is not None):
            entities.append({"offset": utf16_len(text), "length": utf16_len(inner), **more})
        text += inner
    return text + source[at:], entities


def _entity(source: str, opening: re.Match[str]) -> tuple[str, Entity | None, int]:
    """Read one entity; return the text inside, its fields and where it ends."""
    mark, begin = opening[0], opening.end()
    fields: Entity = {"type": _KINDS[mark]}
    if mark == "```":
        if language := _LANGUAGE.match(source, begin):
            fields["language"], begin = language[1], language.end()
        if line := _NEW_LINE.match(source, begin):
            begin = line.end()
    end = source.find(_ENDS[mark], begin)
    if end < 0:
        place = len(source[: opening.start()].encode())
        raise bad_request(f"can't parse entities: Can't find end of the entity starting at byte offset {place}")
    inner, after = source[begin:end], end + len(_ENDS[mark])
    if mark != "[":
        return inner, fields, after
    fields["url"] = inner
    if source[after : after + 1] == "(":
        close = source.find(")", after)
        close = len(source) if close < 0 else close
        fields["url"], after = source[after + 1 : close], close + 1
    return inner, fields, after
