"""The links in a message: written out, behind words, in a caption, or only in its preview."""

from __future__ import annotations

from dataclasses import dataclass

from aiogram.types import Message, MessageEntity

LINKS_LIMIT = 20
"""Links of one message that are looked at: more is a catalogue, not a choice."""
WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a message.

    Attributes:
        addresses: In order, each once, at most `LINKS_LIMIT`.
        left_out: How many more there are.
        rest: The words without the addresses written out.
        certain: One of them is surely meant as a link: `readme.md` alone is an address to Telegram and none to people.
    """

    addresses: tuple[str, ...]
    left_out: int
    rest: str
    certain: bool


def links_of(message: Message) -> Links:
    """Find the links of a message's text or caption; entity offsets count UTF-16 units."""
    text = message.text or message.caption or ""
    entities = message.entities or message.caption_entities or []
    found: list[str] = []
    certain = False
    for entity in entities:
        address = _address(text, entity)
        if address:
            found.append(address)
            certain = certain or entity.type == "text_link" or "/" in address
    preview = message.link_preview_options.url if message.link_preview_options else None
    if preview and preview.startswith(WEB) and not any(_same(preview, one) for one in found):
        found.append(preview)
        certain = True
    unique = tuple(dict.fromkeys(found))
    rest = _without(text, [entity for entity in entities if entity.type == "url"])
    return Links(unique[:LINKS_LIMIT], max(len(unique) - LINKS_LIMIT, 0), " ".join(rest.split()), certain)


def _address(text: str, entity: MessageEntity) -> str:
    """Give the web address that an entity is, "" for all others (mail, other programs' links)."""
    if entity.type == "text_link":
        address = entity.url or ""
        return address if address.lower().startswith(WEB) else ""
    if entity.type != "url":
        return ""
    address = entity.extract_from(text).strip()
    return address if "://" not in address or address.lower().startswith(WEB) else ""


def _same(one: str, other: str) -> bool:
    """Tell whether a preview shows an address that stands in the text already, with or without a scheme."""
    return one.split("://", 1)[-1].strip("/").lower() == other.split("://", 1)[-1].strip("/").lower()


def _without(text: str, entities: list[MessageEntity]) -> str:
    """Cut entities out of a text."""
    units = text.encode("utf-16-le")
    for entity in sorted(entities, key=lambda one: one.offset, reverse=True):
        units = units[: 2 * entity.offset] + b" \x00" + units[2 * (entity.offset + entity.length) :]
    return units.decode("utf-16-le", "replace")
