"""The text and the entities of a call, read and checked."""

from __future__ import annotations

from typing import Any

from bot.sandbox.cleaning import clean
from bot.sandbox.errors import ApiError, bad_request
from bot.sandbox.html_entities import parse_html
from bot.sandbox.links import check_url
from bot.sandbox.markdown_legacy import parse_markdown
from bot.sandbox.markdown_v2 import parse_markdown_v2
from bot.sandbox.params import Params

Entity = dict[str, Any]

PARSERS = {"html": parse_html, "markdown": parse_markdown, "markdownv2": parse_markdown_v2}
"""Parse mode in small letters to its parser."""

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


FOUND = frozenset({"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bank_card_number"})


def read_text(
    params: Params, text: str, entities: str = "entities", *, parse_mode: str = "parse_mode"
) -> tuple[str, list[Entity]]:
    """Return a call's text and entities as they will be stored.

    Args:
        params: The call.
        text: Name of the parameter with the text.
        entities: Name of the parameter with the entities; used only without a parse mode.
        parse_mode: Name of the parameter with the parse mode.

    Raises:
        ApiError: The markup cannot be parsed or an entity is impossible.
    """
    source, mode = params.text(text), params.text(parse_mode).strip().lower()
    if mode in {"", "none"}:
        return clean(source, read_entities(params.json(entities, "entities")))
    parse = PARSERS.get(mode)
    if parse is None:
        raise bad_request("unsupported parse_mode")
    return clean(*parse(source))


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


def text_of(message: dict[str, Any]) -> tuple[str, list[Entity]]:
    """Return a message's text, or else its caption, and the entities of it."""
    if "text" in message:
        return str(message["text"]), list(message.get("entities", ()))
    return str(message.get("caption", "")), list(message.get("caption_entities", ()))
