"""What a new message answers: checked, quoted, and shown across chats."""

from __future__ import annotations

from bot.sandbox import messages
from bot.sandbox.chats import find_chat
from bot.sandbox.cleaning import clean
from bot.sandbox.entities import read_entities, text_of
from bot.sandbox.errors import bad_request
from bot.sandbox.html_entities import parse_html
from bot.sandbox.limits import QUOTE_MAX, utf16_len, utf16_slice
from bot.sandbox.params import Params, whole_number
from bot.sandbox.world import Obj, World

QUOTABLE = frozenset({"bold", "italic", "underline", "strikethrough", "spoiler", "custom_emoji"})
"""Entities that a quote keeps and must repeat."""

PAYLOADS = (
    "photo",
    "document",
    "voice",
    "audio",
    "video",
    "video_note",
    "animation",
    "sticker",
    "link_preview_options",
)


def read_reply(world: World, params: Params, chat: Obj) -> tuple[int | None, Obj]:
    """Read `reply_parameters` (or the old `reply_to_message_id`) of a call.

    Returns:
        The answered message of this chat, and the fields that the answer gets.

    Raises:
        ApiError: The message does not exist and may not be missing, or the quote is not in it.
    """
    given = params.json("reply_parameters", "reply parameters")
    if not given:
        given = {
            "message_id": params.integer("reply_to_message_id"),
            "allow_sending_without_reply": params.flag("allow_sending_without_reply"),
        }
        if given["message_id"] <= 0:
            return None, {}
    if not isinstance(given, dict):
        raise bad_request("object expected as reply parameters")
    if "message_id" not in given:
        raise bad_request('can\'t find field "message_id"')
    return _resolve(world, given, chat)


def _resolve(world: World, given: Obj, chat: Obj) -> tuple[int | None, Obj]:
    place = chat["id"] if given.get("chat_id") in (None, "") else whole_number(given["chat_id"])
    message_id = whole_number(given["message_id"])
    answered = messages.find(world, place, message_id)
    if answered is None:
        if given.get("allow_sending_without_reply"):
            return None, {}
        raise bad_request("message to be replied not found")
    fields = _quote(given, answered)
    if place != chat["id"]:
        return None, fields | {"external_reply": _external(world, place, answered)}
    return message_id, fields


def _quote(given: Obj, answered: Obj) -> Obj:
    if not given.get("quote"):
        return {}
    text, entities = _quoted(given)
    source, marks = text_of(answered)
    places = _places(source, text, whole_number(given.get("quote_position")))
    position = next((at for at in places if _marks(marks, at, utf16_len(text)) == entities), None)
    if position is None or not 0 < len(text) <= QUOTE_MAX:
        raise bad_request("QUOTE_TEXT_INVALID")
    quote = {"text": text, "position": position, "is_manual": True}
    return {"quote": quote | ({"entities": entities} if entities else {})}


def _quoted(given: Obj) -> tuple[str, list[Obj]]:
    text = str(given["quote"])
    if str(given.get("quote_parse_mode", "")).lower() == "html":
        text, marks = parse_html(text)
    else:
        marks = read_entities(given.get("quote_entities"))
    text, marks = clean(text, marks)
    return text, [mark for mark in marks if mark["type"] in QUOTABLE]


def _places(source: str, text: str, wanted: int) -> list[int]:
    """Return where a quote stands in a text, UTF-16 positions, the nearest to the wanted one first."""
    found, at = [], source.find(text)
    while at >= 0 and text:
        found.append(utf16_len(source[:at]))
        at = source.find(text, at + 1)
    return sorted(found, key=lambda position: abs(position - wanted))


def _marks(entities: list[Obj], begin: int, length: int) -> list[Obj]:
    """Cut a text's quotable entities to a part of it, offsets counted from the part's start."""
    cut = []
    for entity in entities:
        low, high = max(entity["offset"], begin), min(entity["offset"] + entity["length"], begin + length)
        if entity["type"] in QUOTABLE and low < high:
            cut.append(entity | {"offset": low - begin, "length": high - low})
    return cut


def manual_quote(world: World, chat_id: int, message_id: int, text: str, position: int) -> Obj:
    """Return the `quote` of a person's answer that cites a part of a message."""
    answered = messages.find(world, chat_id, message_id) or {}
    source, marks = text_of(answered)
    places = _places(source, text, position)
    if not places:
        raise bad_request("QUOTE_TEXT_INVALID")
    marks = _marks(marks, places[0], utf16_len(text))
    quote = {"text": utf16_slice(source, places[0], utf16_len(text)), "position": places[0], "is_manual": True}
    return quote | ({"entities": marks} if marks else {})


def _external(world: World, chat_id: int, answered: Obj) -> Obj:
    shown: Obj = {"origin": origin_of(world, chat_id, answered)}
    if chat_id < 0:
        shown |= {"chat": find_chat(world, chat_id), "message_id": answered["message_id"]}
    return shown | {key: answered[key] for key in PAYLOADS if key in answered}


def origin_of(world: World, chat_id: int, message: Obj) -> Obj:
    """Return the `MessageOrigin` of a message that is forwarded or answered elsewhere."""
    if "forward_origin" in message:
        return dict(message["forward_origin"])
    date, chat = message["date"], find_chat(world, chat_id) or {}
    if chat.get("type") == "channel":
        return {"type": "channel", "date": date, "chat": chat, "message_id": message["message_id"]}
    if "sender_chat" in message:
        return {"type": "chat", "date": date, "sender_chat": message["sender_chat"]}
    return {"type": "user", "date": date, "sender_user": message["from"]}
