"""Texts and their entities made fit to be shown, as TDLib does: cleaned, trimmed, completed.

Source:
    `fix_formatted_text` in TDLib's MessageEntity.cpp.
"""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox.auto_entities import find_entities
from bot.sandbox.entity_rules import end_of, keep_at_most, sort_out
from bot.sandbox.errors import bad_request
from bot.sandbox.limits import ENTITIES_MAX, utf16_len
from bot.sandbox.links import USER_LINK, checked_link

Entity = dict[str, Any]

_SPACED = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f]")
"""Control characters that become spaces; a tab is one of them."""

_REMOVED = frozenset("\r\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u0333\u033f\u030a")
"""Characters that are taken out: line and direction marks, vertical lines over letters."""

_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u2060-\u2064\u2800\u3164\ufe00-\ufe0f\ufeff]*")
_MARGIN = " \n"
"""The only characters that are trimmed."""


def clean(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Clean and trim a text, make its entities consistent and add those that Telegram finds.

    Space at the start stays if an entity begins in it.

    Returns:
        The text, empty if nothing in it can be seen, and its entities.

    Raises:
        ApiError: An entity lies outside the text or cuts a character in two.
    """
    text, entities = _without_removed(_SPACED.sub(" ", text), _in_range(entities))
    text, entities = _trim(text, sort_out(entities))
    if _INVISIBLE.fullmatch(text):
        return "", []
    entities = keep_at_most([linked for entity in entities if (linked := _linked(entity))], ENTITIES_MAX)
    return text, sort_out(entities, find_entities(text))


def _in_range(entities: list[Entity]) -> list[Entity]:
    for entity in entities:
        if not 0 <= entity["offset"] <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect offset {entity['offset']}")
        if not 0 <= entity["length"] <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect length {entity['length']}")
    return [entity for entity in entities if entity["length"]]


def _linked(entity: Entity) -> Entity:
    """Give a link its full form; one that is none loses its entity, and a user's link becomes a mention."""
    if entity["type"] != "text_link":
        return entity
    url = checked_link(entity["url"])
    if url is None:
        return {}
    if user := USER_LINK.match(url):
        rest = {key: entity[key] for key in ("offset", "length")}
        return {"type": "text_mention", **rest, "user": {"id": int(user[1]), "is_bot": False, "first_name": user[1]}}
    return entity | {"url": url}


def _without_removed(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    if not entities:
        return "".join(char for char in text if char not in _REMOVED), []
    places: list[int | None] = []  # new UTF-16 offset of every old one; None inside a surrogate pair
    kept = 0
    for char in text:
        places += [kept, None] if ord(char) > 0xFFFF else [kept]
        kept += 0 if char in _REMOVED else utf16_len(char)
    places.append(kept)
    moved = [_moved(entity, places) for entity in entities]
    return "".join(char for char in text if char not in _REMOVED), [entity for entity in moved if entity["length"]]


def _moved(entity: Entity, places: list[int | None]) -> Entity:
    offset, end = entity["offset"], end_of(entity)
    if offset >= len(places):
        raise bad_request(f"Entity begins after the end of the text at UTF-16 offset {offset}")
    begins = f"Entity beginning at UTF-16 offset {offset}"
    if end >= len(places):
        raise bad_request(f"{begins} ends after the end of the text at UTF-16 offset {end}")
    low, high = places[offset], places[end]
    if low is None:
        raise bad_request(f"Entity begins in a middle of a UTF-16 symbol at byte offset {offset}")
    if high is None:
        raise bad_request(f"{begins} ends in a middle of a UTF-16 symbol at byte offset {end}")
    return entity | {"offset": low, "length": high - low}


def _trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    text = text.rstrip(_MARGIN)
    end = utf16_len(text)
    first = min((entity["offset"] for entity in entities), default=end)
    margin = min(len(text) - len(text.lstrip(_MARGIN)), first)
    moved = []
    for entity in entities:
        high = min(end_of(entity), end)
        if entity["offset"] < high:
            moved.append(entity | {"offset": entity["offset"] - margin, "length": high - entity["offset"]})
    return text[margin:], moved
