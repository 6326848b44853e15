"""sendMessage, sendChatAction and the small things one does to messages."""

from __future__ import annotations

from bot.sandbox import messages as kept
from bot.sandbox.bot_api.outgoing import link_preview, read_options, send
from bot.sandbox.chats import audience, status_of, target, writable
from bot.sandbox.entities import read_text
from bot.sandbox.errors import bad_request
from bot.sandbox.limits import DELETE_AGE_S, TEXT_MAX
from bot.sandbox.params import Params, whole_number
from bot.sandbox.world import Obj, World

ACTIONS = frozenset({
    "typing", "upload_photo", "record_video", "upload_video", "record_voice", "upload_voice", "upload_document",
    "choose_sticker", "find_location", "record_video_note", "upload_video_note", "cancel", "record_audio",
    "upload_audio",
})  # fmt: skip


def checked_text(params: Params) -> tuple[str, list[Obj]]:
    """Return a call's text and entities.

    Raises:
        ApiError: It is empty or too long after parsing, or cannot be parsed.
    """
    if not params.text("text"):
        raise bad_request("message text is empty")
    text, entities = read_text(params, "text")
    if not text:
        raise bad_request("text must be non-empty")
    if len(text) > TEXT_MAX:
        raise bad_request("message is too long")
    return text, entities


def text_fields(params: Params) -> Obj:
    """Return the message fields of a call with a text."""
    text, entities = checked_text(params)
    return {"text": text, **({"entities": entities} if entities else {}), **link_preview(params)}


def send_message(world: World, params: Params) -> Obj:
    """Send a text."""
    content = text_fields(params)
    chat = writable(world, params)
    options = read_options(world, params, chat)
    return send(world, chat, content, options)


def send_chat_action(world: World, params: Params) -> bool:
    """Show people that the bot is busy."""
    if params.text("action").lower() not in ACTIONS:
        raise bad_request("wrong parameter action in request")
    chat = writable(world, params)
    for user_id in audience(world, chat["id"]):
        world.emit(user_id, {"type": "chat_action", "chat_id": chat["id"], "action": params.text("action").lower()})
    return True


def delete_message(world: World, params: Params) -> bool:
    """Take one message away."""
    chat = target(world, params)
    message = kept.find(world, chat["id"], params.integer("message_id"))
    if message is None:
        raise bad_request("message to delete not found")
    if not deletable(world, chat, message):
        raise bad_request("message can't be deleted for everyone")
    kept.delete(world, chat["id"], [message["message_id"]])
    return True


def deletable(world: World, chat: Obj, message: Obj) -> bool:
    """Tell whether the bot may delete a message: young, and its own or in a chat where it may."""
    is_admin = status_of(world, chat["id"], world.bot_id) in {"administrator", "creator"}
    if is_admin:
        return True
    is_own = message.get("from", {}).get("id") == world.bot_id
    is_young = bool(world.now() - message["date"] <= DELETE_AGE_S)
    return is_young and (is_own or chat["type"] == "private")


def delete_messages(world: World, params: Params) -> bool:
    """Take several messages away; the missing are skipped."""
    chat = target(world, params)
    ids = params.json("message_ids", "message identifiers")
    if not isinstance(ids, list) or not ids:
        raise bad_request("message identifiers are not specified")
    if len(ids) > 100:
        raise bad_request("too many message identifiers specified")
    found = [message for message_id in ids if (message := kept.find(world, chat["id"], whole_number(message_id)))]
    kept.delete(world, chat["id"], [m["message_id"] for m in found if deletable(world, chat, m)])
    return True


def set_message_reaction(world: World, params: Params) -> bool:
    """Put the bot's reaction on a message; people see it, the bot gets no update of its own."""
    chat = writable(world, params)
    message = kept.find(world, chat["id"], params.integer("message_id"))
    if message is None:
        raise bad_request("message to react not found")
    reaction = params.json("reaction", "reaction types") or []
    event = {"type": "reaction", "chat_id": chat["id"], "message_id": message["message_id"], "reaction": reaction}
    for user_id in audience(world, chat["id"]):
        world.emit(user_id, event)
    return True


METHODS = {
    "sendMessage": send_message,
    "sendChatAction": send_chat_action,
    "deleteMessage": delete_message,
    "deleteMessages": delete_messages,
    "setMessageReaction": set_message_reaction,
}
