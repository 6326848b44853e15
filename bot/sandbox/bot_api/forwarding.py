"""forwardMessage and copyMessage, of one and of several."""

from __future__ import annotations

from typing import Any

from bot.sandbox import messages
from bot.sandbox.bot_api.media import caption_fields
from bot.sandbox.bot_api.outgoing import read_options, send
from bot.sandbox.chats import target, writable
from bot.sandbox.errors import bad_request
from bot.sandbox.forwards import forwarded
from bot.sandbox.params import Params, whole_number
from bot.sandbox.privacy import SERVICE
from bot.sandbox.world import Obj, World

COPIED = (
    "text", "entities", "link_preview_options", "caption", "caption_entities", "photo", "document", "voice", "audio",
    "video", "video_note", "animation", "rich_message",
)  # fmt: skip


def _source(world: World, params: Params, message_id: int, verb: str) -> Obj:
    chat = target(world, params, "from_chat_id")
    message = messages.find(world, chat["id"], message_id)
    if message is None:
        raise bad_request(f"message to {verb} not found")
    if message.get("has_protected_content") or SERVICE & message.keys():
        raise bad_request(f"message can't be {'copied' if verb == 'copy' else 'forwarded'}")
    return message


def forward_message(world: World, params: Params) -> Obj:
    """Forward one message, with where it comes from."""
    chat = writable(world, params)
    message = _source(world, params, params.integer("message_id"), "forward")
    content = forwarded(world, target(world, params, "from_chat_id")["id"], message)
    return send(world, chat, content, read_options(world, params, chat))


def copy_message(world: World, params: Params) -> Obj:
    """Send one message's content anew, with another caption if one is given."""
    chat = writable(world, params)
    message = _source(world, params, params.integer("message_id"), "copy")
    content = {key: message[key] for key in COPIED if key in message}
    if params.has("caption"):
        content = {key: value for key, value in content.items() if not key.startswith("caption")}
        content |= caption_fields(params)
    options = read_options(world, params, chat)
    return {"message_id": send(world, chat, content, options)["message_id"]}


def _ids(params: Params) -> list[int]:
    ids = params.json("message_ids", "message identifiers")
    if not isinstance(ids, list) or not 1 <= len(ids) <= 100:
        raise bad_request("message identifiers are not specified")
    return [whole_number(one) for one in ids]


def forward_messages(world: World, params: Params) -> list[Obj]:
    """Forward several messages; the missing are skipped."""
    chat, source = writable(world, params), target(world, params, "from_chat_id")
    found = [message for one in _ids(params) if (message := messages.find(world, source["id"], one))]
    options = read_options(world, params, chat)
    sent = [send(world, chat, forwarded(world, source["id"], message), options) for message in found]
    return [{"message_id": message["message_id"]} for message in sent]


def copy_messages(world: World, params: Params) -> list[Obj]:
    """Copy several messages; the missing are skipped."""
    chat, source = writable(world, params), target(world, params, "from_chat_id")
    found = [message for one in _ids(params) if (message := messages.find(world, source["id"], one))]
    options = read_options(world, params, chat)
    contents = [{key: message[key] for key in COPIED if key in message} for message in found]
    sent = [send(world, chat, content, options) for content in contents if content]
    return [{"message_id": message["message_id"]} for message in sent]


METHODS: dict[str, Any] = {
    "forwardMessage": forward_message,
    "forwardMessages": forward_messages,
    "copyMessage": copy_message,
    "copyMessages": copy_messages,
}
