"""A text with Telegram's entities, as a value: counted in UTF-16 units, styled, joined."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

Entity = dict[str, Any]
"""Telegram's MessageEntity: `type`, `offset` and `length` in UTF-16 units, `url` or `language` where it has one."""


class RichText(NamedTuple):
    """A text with its entities, ascending by offset, outer before inner."""

    text: str
    entities: tuple[Entity, ...] = ()


def utf16_len(text: str) -> int:
    """Count UTF-16 code units."""
    return len(text) + sum(char > "\uffff" for char in text)


def styled(text: str, kind: str) -> RichText:
    """Cover a whole text with one entity."""
    return RichText(text, ({"type": kind, "offset": 0, "length": utf16_len(text)},) if text else ())


def wrapped(rich: RichText, kind: str) -> RichText:
    """Put an entity round a text that has some."""
    return RichText(rich.text, (*styled(rich.text, kind).entities, *rich.entities))


def joined(parts: Iterable[RichText], separator: str = "\n\n") -> RichText:
    """Join the texts that are not empty; their entities move along."""
    text, entities = "", []
    for part in parts:
        if not part.text:
            continue
        text += separator if text else ""
        shift = utf16_len(text)
        entities += [{**entity, "offset": entity["offset"] + shift} for entity in part.entities]
        text += part.text
    return RichText(text, tuple(entities))
