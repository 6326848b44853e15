"""The edit methods."""

from __future__ import annotations

from bot.sandbox import messages
from bot.sandbox.bot_api.media import album_item, caption_fields
from bot.sandbox.bot_api.messages import text_fields
from bot.sandbox.chats import writable
from bot.sandbox.errors import bad_request
from bot.sandbox.markup import inline_only, read_markup
from bot.sandbox.params import Params
from bot.sandbox.rich import read_rich_message
from bot.sandbox.world import Obj, World

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)
TEXT_FIELDS = ("text", "entities", "link_preview_options", "rich_message")
CAPTION_FIELDS = ("caption", "caption_entities", "show_caption_above_media")
MEDIA_FIELDS = ("photo", "document", "video", "audio", "animation")
COMPARED = (*TEXT_FIELDS, *CAPTION_FIELDS, "reply_markup", *MEDIA_FIELDS)


def _editable(world: World, params: Params) -> tuple[Obj, Obj]:
    chat = writable(world, params)
    message = messages.find(world, chat["id"], params.integer("message_id"))
    if message is None:
        raise bad_request("message to edit not found")
    is_own = message.get("from", {}).get("id") == world.bot_id
    if not is_own and not (chat["type"] == "channel" and message.get("from") is None):
        raise bad_request("message can't be edited")
    if "forward_origin" in message:
        raise bad_request("message can't be edited")
    return chat, message


def _save(world: World, chat: Obj, old: Obj, new: Obj) -> Obj:
    if all(old.get(key) == new.get(key) for key in COMPARED):
        raise bad_request(NOT_MODIFIED)
    return messages.change(world, chat, new)


def _without(message: Obj, fields: tuple[str, ...]) -> Obj:
    return {key: value for key, value in message.items() if key not in (*fields, "reply_markup")}


def _markup(params: Params) -> Obj:
    markup = inline_only(read_markup(params))
    return {} if markup is None else {"reply_markup": markup}


def edit_message_text(world: World, params: Params) -> Obj:
    """Change a text, or make it rich; without `reply_markup` the buttons go."""
    rich = params.json("rich_message", "rich message")
    content = text_fields(params) if rich is None else {"rich_message": read_rich_message(rich)}
    markup = _markup(params)
    chat, old = _editable(world, params)
    if "text" not in old and "rich_message" not in old:
        raise bad_request("there is no text in the message to edit")
    return _save(world, chat, old, _without(old, TEXT_FIELDS) | content | markup)


def edit_message_caption(world: World, params: Params) -> Obj:
    """Change or take away a caption; without `reply_markup` the buttons go."""
    content = caption_fields(params)
    markup = _markup(params)
    chat, old = _editable(world, params)
    if "text" in old or "rich_message" in old:
        raise bad_request("there is no caption in the message to edit")
    return _save(world, chat, old, _without(old, CAPTION_FIELDS) | content | markup)


def edit_message_media(world: World, params: Params) -> Obj:
    """Change a message's file, with the caption that the new one brings."""
    given = params.json("media", "media")
    if not isinstance(given, dict) or given.get("type") not in MEDIA_FIELDS:
        raise bad_request("media not found")
    markup = _markup(params)
    chat, old = _editable(world, params)
    if not any(name in old for name in MEDIA_FIELDS):
        raise bad_request("message can't be edited")
    new = _without(old, (*CAPTION_FIELDS, *MEDIA_FIELDS)) | album_item(world, params, given) | markup
    return _save(world, chat, old, new)


def edit_message_reply_markup(world: World, params: Params) -> Obj:
    """Change only the buttons."""
    markup = _markup(params)
    chat, old = _editable(world, params)
    return _save(world, chat, old, _without(old, ()) | markup)


METHODS = {
    "editMessageText": edit_message_text,
    "editMessageCaption": edit_message_caption,
    "editMessageMedia": edit_message_media,
    "editMessageReplyMarkup": edit_message_reply_markup,
}
