"""Texts and their entities made fit to be shown: read, checked, clipped, trimmed, completed."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from bot.sandbox.auto_entities import find_entities
from bot.sandbox.errors import ApiError, bad_request
from bot.sandbox.html_entities import parse_html
from bot.sandbox.limits import ENTITIES_MAX, utf16_len
from bot.sandbox.markdown_entities import parse_markdown
from bot.sandbox.params import Params

Entity = dict[str, Any]

DETAIL = {
    "text_link": "url", "text_mention": "user", "pre": "language", "custom_emoji": "custom_emoji_id",
    "date_time": "unix_time",
}  # fmt: skip
"""Kinds of entity that carry something, and what."""

STYLES = frozenset(
    {"bold", "italic", "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre"}
    | DETAIL.keys()
)
"""Kinds a sender may ask for; the others Telegram finds by itself."""

SCHEMES = frozenset({"http", "https", "tg", "ton", "tonsite"})

FOUND = frozenset({"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number"})

_CONTROL = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f]")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]*")
_USER_LINK = re.compile(r"tg://user\?id=(\d+)$")


def read_text(params: Params, text: str, entities: str = "entities") -> tuple[str, list[Entity]]:
    """Return a call's text and entities as they will be stored.

    Args:
        params: The call.
        text: Name of the parameter with the text.
        entities: Name of the parameter with the entities; used only without a `parse_mode`.

    Raises:
        ApiError: The markup cannot be parsed or an entity is impossible.
    """
    source, mode = params.text(text), params.text("parse_mode").strip().lower()
    if mode and mode not in {"none", "html", "markdown", "markdownv2"}:
        raise bad_request("unsupported parse_mode")
    if mode == "html":
        plain, marked = parse_html(source)
    elif mode in {"markdown", "markdownv2"}:
        plain, marked = parse_markdown(source, is_v2=mode == "markdownv2")
    else:
        plain, marked = source, read_entities(params.json(entities, "entities"))
    return clean(plain, marked)


def read_entities(given: Any) -> list[Entity]:
    """Check entities that a sender gave and keep what a sender may ask for."""
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(entity, dict) for entity in given):
        raise bad_request("can't parse MessageEntity: Expected an Array of entities")
    return [entity for entity in map(_read_entity, given) if entity]


def _read_entity(given: Entity) -> Entity | None:
    kind = _field(given, "type", str, "String")
    entity: Entity = {"type": kind}
    for name in ("offset", "length"):
        entity[name] = _field(given, name, int, "Number")
    if kind in FOUND:
        return None
    if kind not in STYLES:
        raise _unparsable("Unsupported type specified")
    if kind in DETAIL:
        entity |= _read_detail(kind, given)
    return entity


def _read_detail(kind: str, given: Entity) -> Entity:
    name = DETAIL[kind]
    if kind == "pre":
        return {name: str(given[name])} if given.get(name) else {}
    if given.get(name) is None:
        raise _unparsable(f'Can\'t find field "{name}"')
    if kind == "custom_emoji" and not (str(given[name]).isdecimal() and 0 < int(given[name]) < 2**63):
        raise _unparsable('Field "custom_emoji_id" must be a valid Number')
    if kind == "text_link":
        check_url(str(given[name]), "entity URL")
    return {name: given[name]}


def _field(given: Entity, name: str, kind: type, called: str) -> Any:
    if name not in given:
        raise _unparsable(f'Can\'t find field "{name}"')
    if not isinstance(given[name], kind):
        raise _unparsable(f'Field "{name}" must be of type {called}')
    return given[name]


def _unparsable(reason: str) -> ApiError:
    return bad_request(f"can't parse MessageEntity: {reason}")


def check_url(url: str, what: str) -> None:
    """Refuse an address that Telegram refuses.

    Args:
        url: The address.
        what: What the error calls it, such as "entity URL".
    """
    reason = _url_fault(url.strip())
    if reason:
        raise bad_request(f"{what} '{url}' is invalid: {reason}")


def _url_fault(url: str) -> str:
    if not url:
        return "URL host is empty"
    scheme = re.match(r"([a-z][a-z0-9+.-]*)://", url, re.IGNORECASE)
    if scheme and scheme[1].lower() not in SCHEMES:
        return "Unsupported URL protocol"
    return "" if checked_link(url) else "Wrong HTTP URL"


def checked_link(url: str) -> str | None:
    """Return a link as Telegram keeps it (scheme and slash added), or None if it is not one."""
    url = url.strip()
    if _USER_LINK.match(url):
        return url
    if re.match(r"(mailto|tel):", url, re.IGNORECASE):
        return None
    if not re.match(r"[a-z][a-z0-9+.-]*://", url, re.IGNORECASE):
        url = f"http://{url}"
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in SCHEMES or re.search(r"\s", url):
        return None
    if parts.scheme in {"http", "https"} and ("." not in host or not host.strip(".")):
        return None
    return url if parts.path or parts.scheme not in {"http", "https"} else url.replace(parts.netloc, parts.netloc + "/", 1)


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
    if user := _USER_LINK.match(url):
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
    return entity["offset"] < outer["offset"] + outer["length"] and outer["offset"] < entity["offset"] + entity["length"]
