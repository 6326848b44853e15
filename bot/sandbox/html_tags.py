"""The tags of Telegram's HTML and what each says of the text inside it."""

from __future__ import annotations

from typing import Any

from bot.sandbox.errors import bad_request

Entity = dict[str, Any]

KINDS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler",
    "span": "spoiler", "a": "text_link", "code": "code", "pre": "pre", "blockquote": "blockquote",
    "tg-emoji": "custom_emoji", "tg-time": "date_time",
}  # fmt: skip
"""Every tag Telegram knows and the entity it makes."""


def argument(tag: str, name: str, value: str) -> str:
    """Return what an attribute says of its tag: a link, a language, an emoji's number; empty if nothing."""
    if tag == "code" and name == "class" and value.startswith("language-"):
        return value.removeprefix("language-")
    if tag == "span" and name == "class" and value.startswith("tg-"):
        return value.removeprefix("tg-")
    if (tag, name) == ("blockquote", "expandable"):
        return "1"
    wanted = {("a", "href"), ("tg-emoji", "emoji-id"), ("tg-time", "unix")}
    return value if (tag, name) in wanted else ""


def details(tag: str, said: str, inner: str) -> Entity:
    """Return the fields that an entity has beside its kind and place.

    Args:
        tag: The tag.
        said: What its attributes said.
        inner: The text inside, a link's address if none was given.

    Raises:
        ApiError: The number of an emoji or a time is none.
    """
    if tag == "a":
        return {"url": said or inner}
    if tag == "code" and said:
        return {"_language": said}
    if tag == "blockquote" and said:
        return {"type": "expandable_blockquote"}
    if tag == "tg-emoji":
        return {"custom_emoji_id": _number(said, "Invalid custom emoji identifier specified")}
    if tag == "tg-time":
        return {"unix_time": int(_number(said, "Invalid date-time specified"))}
    return {}


def _number(said: str, reason: str) -> str:
    if not said.isdecimal() or not 0 < int(said) < 2**63:
        raise bad_request(f"can't parse entities: {reason}")
    return said
