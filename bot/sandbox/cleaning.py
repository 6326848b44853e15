"""Texts and their entities made fit to be shown: clipped, trimmed, joined, completed."""

from __future__ import annotations

import re
from typing import Any

from bot.sandbox.auto_entities import find_entities
from bot.sandbox.errors import bad_request
from bot.sandbox.limits import ENTITIES_MAX, utf16_len
from bot.sandbox.links import USER_LINK, checked_link

Entity = dict[str, Any]

_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f]")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]*")


def clean(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Trim a text, clip and sort its entities and add those that Telegram finds.

    Raises:
        ApiError: An entity lies outside the text or cuts a character in two.
    """
    text, entities = _without_control(text, _clip(text, entities))
    text, entities = _trim(text, entities)
    entities = merge(entities)
    entities += find_entities(text, entities)
    entities.sort(key=lambda entity: (entity["offset"], -entity["length"]))
    return text, entities[:ENTITIES_MAX]


def _clip(text: str, entities: list[Entity]) -> list[Entity]:
    end = utf16_len(text)
    kept = []
    for entity in entities:
        offset, length = entity["offset"], entity["length"]
        if not 0 <= offset <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect offset {offset}")
        if not 0 <= length <= 1_000_000:
            raise bad_request(f"Receive an entity with incorrect length {length}")
        if offset > end:
            raise bad_request(f"entity begins after the end of the text at UTF-16 offset {offset}")
        if offset + length > end:
            reason = f"ends after the end of the text at UTF-16 offset {offset + length}"
            raise bad_request(f"entity beginning at UTF-16 offset {offset} {reason}")
        if length:
            kept.append(_linked(entity))
    return [entity for entity in kept if entity]


def _linked(entity: Entity) -> Entity:
    """Give a link its full form; a link that is none loses its entity, and a user's link becomes a mention."""
    if entity["type"] != "text_link":
        return dict(entity)
    url = checked_link(entity["url"])
    if url is None:
        return {}
    if user := USER_LINK.match(url):
        rest = {key: entity[key] for key in ("offset", "length")}
        return {"type": "text_mention", **rest, "user": {"id": int(user[1]), "is_bot": False, "first_name": user[1]}}
    return entity | {"url": url}


def _without_control(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    spaced = _CONTROL.sub(" ", text)
    if "\r" not in spaced:
        return spaced, entities
    units = spaced.encode("utf-16-le", "surrogatepass")
    kept = [0]
    for at in range(0, len(units), 2):
        kept.append(kept[-1] + (units[at : at + 2] != b"\r\x00"))
    moved = []
    for entity in entities:
        begin, end = kept[entity["offset"]], kept[entity["offset"] + entity["length"]]
        moved.append(entity | {"offset": begin, "length": end - begin})
    return spaced.replace("\r", ""), [entity for entity in moved if entity["length"]]


def _trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    if not _INVISIBLE.sub("", text).strip():
        return "", []
    end = utf16_len(text.rstrip())
    body = text.strip()
    skipped = utf16_len(text) - utf16_len(text.lstrip())
    moved = []
    for entity in entities:
        low = max(entity["offset"], skipped)
        high = min(entity["offset"] + entity["length"], end)
        if low < high:
            moved.append(entity | {"offset": low - skipped, "length": high - low})
    return body, moved


def merge(entities: list[Entity]) -> list[Entity]:
    """Join touching or overlapping entities of one kind and drop styles inside code."""
    joined: list[Entity] = []
    for entity in sorted(entities, key=lambda e: (e["offset"], -e["length"])):
        last = next((other for other in reversed(joined) if _same(other, entity)), None)
        if last is not None and entity["offset"] <= last["offset"] + last["length"]:
            end = max(last["offset"] + last["length"], entity["offset"] + entity["length"])
            last["length"] = end - last["offset"]
        else:
            joined.append(dict(entity))
    code = [entity for entity in joined if entity["type"] in {"code", "pre"}]
    return [entity for entity in joined if not any(_inside(entity, outer) for outer in code)]


def _same(one: Entity, other: Entity) -> bool:
    simple = {"bold", "italic", "underline", "strikethrough", "spoiler"}
    return one["type"] == other["type"] and one["type"] in simple


def _inside(entity: Entity, outer: Entity) -> bool:
    if entity is outer or entity["type"] in {"blockquote", "expandable_blockquote"}:
        return False
    end, other_end = outer["offset"] + outer["length"], entity["offset"] + entity["length"]
    return bool(entity["offset"] < end and outer["offset"] < other_end)
