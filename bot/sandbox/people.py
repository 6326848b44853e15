"""A person's messages, as their client would send them."""

from __future__ import annotations

from bot.sandbox import messages, replies
from bot.sandbox.bot_api.media import album_id
from bot.sandbox.chats import find_chat, find_user, new_chat, status_of, topic_exists
from bot.sandbox.cleaning import clean
from bot.sandbox.contents import contents_of
from bot.sandbox.entities import read_entities
from bot.sandbox.errors import SandboxError
from bot.sandbox.forwards import forwarded
from bot.sandbox.params import Params, whole_number
from bot.sandbox.world import Obj, World

ANONYMOUS_ADMIN: Obj = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
TELEGRAM: Obj = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
CHANNEL_BOT: Obj = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}


def send(world: World, user: Obj, chat: Obj, params: Params) -> list[Obj]:
    """Send a text or files for a person.

    Returns:
        One message, or several: a long text is cut as clients cut it, and each file is a message.

    Raises:
        SandboxError: There is nothing to send, or this person may not send it here.
    """
    _check_may_write(world, user, chat)
    reply_to, fields = _answer(world, chat, params)
    contents = contents_of(world, params)
    author, more = _author(world, user, chat, params)
    if chat["type"] == "private":
        world.store.run("UPDATE users SET started = 1 WHERE id = ?", user["id"])
    sent = [messages.post(world, chat, author, more | fields | one, reply_to=reply_to) for one in contents]
    if chat["type"] == "channel":
        _discuss(world, chat, sent)
    return sent


def _check_may_write(world: World, user: Obj, chat: Obj) -> None:
    row = world.store.row("SELECT blocked FROM users WHERE id = ?", user["id"])
    if chat["type"] == "private" and row is not None and row["blocked"]:
        raise SandboxError("this user blocked the bot: unblock it first", 409)
    if chat["type"] == "channel" and status_of(world, chat["id"], user["id"]) not in {"creator", "administrator"}:
        raise SandboxError("only administrators post in a channel", 403)


def _answer(world: World, chat: Obj, params: Params) -> tuple[int | None, Obj]:
    fields: Obj = {}
    reply_to = params.integer("reply_to_message_id") or None
    if reply_to is not None and messages.find(world, chat["id"], reply_to) is None:
        raise SandboxError("the message to answer is not in this chat", 404)
    if reply_to is not None and params.text("quote"):
        position = params.integer("quote_position")
        fields["quote"] = replies.manual_quote(world, chat["id"], reply_to, params.text("quote"), position)
    thread_id = params.integer("message_thread_id")
    if thread_id > 1 and chat.get("is_forum"):
        if not topic_exists(world, chat["id"], thread_id):
            raise SandboxError("there is no such topic", 404)
        fields |= {"message_thread_id": thread_id, "is_topic_message": True}
    return reply_to, fields


def _author(world: World, user: Obj, chat: Obj, params: Params) -> tuple[Obj | None, Obj]:
    """Return whose name a message bears, and the fields that go with it."""
    disguise = params.text("as")
    if chat["type"] == "channel":
        return None, {"sender_chat": chat}
    if not disguise:
        return user, {}
    if disguise == "anonymous_admin" and chat["type"] == "supergroup":
        return ANONYMOUS_ADMIN, {"sender_chat": chat}
    if disguise == "channel" and chat["type"] in {"group", "supergroup"}:
        return TELEGRAM, _automatic(world, _linked_channel(world, chat))
    raise SandboxError("as must be anonymous_admin (in a supergroup) or channel (in a group)")


def _linked_channel(world: World, chat: Obj) -> Obj:
    """Return a group's channel; it gets one if it has none."""
    row = world.store.row("SELECT linked_id FROM chats WHERE id = ?", chat["id"])
    if row is not None and row["linked_id"]:
        return find_chat(world, row["linked_id"]) or {}
    channel = new_chat(world, "channel", f"{chat['title']} News")
    for one, two in ((chat, channel), (channel, chat)):
        world.store.run("UPDATE chats SET linked_id = ? WHERE id = ?", two["id"], one["id"])
    return channel


def _automatic(world: World, channel: Obj, message_id: int = 0) -> Obj:
    number = message_id or messages.next_message_id(world, channel)
    origin = {"type": "channel", "date": int(world.now()), "chat": channel, "message_id": number}
    return {"sender_chat": channel, "forward_origin": origin, "is_automatic_forward": True}


def _discuss(world: World, channel: Obj, posts: list[Obj]) -> None:
    """Forward a channel's posts into its discussion group, as the server does by itself."""
    row = world.store.row("SELECT linked_id FROM chats WHERE id = ?", channel["id"])
    group = find_chat(world, row["linked_id"]) if row is not None and row["linked_id"] else None
    for post in posts if group is not None else ():
        body = messages.find(world, channel["id"], post["message_id"]) or {}
        content = forwarded(world, channel["id"], body) | _automatic(world, channel, post["message_id"])
        messages.post(world, group or {}, TELEGRAM, content)


def edit(world: World, user: Obj, chat: Obj, message_id: int, params: Params) -> Obj:
    """Change the text (or caption) of a person's own message.

    Raises:
        SandboxError: There is no such message of theirs, or the text is empty.
    """
    message = messages.find(world, chat["id"], message_id)
    is_post = chat["type"] == "channel" and status_of(world, chat["id"], user["id"]) in {"creator", "administrator"}
    if message is None or (message.get("from", {}).get("id") != user["id"] and not is_post):
        raise SandboxError("there is no such message of this user", 404)
    text, entities = clean(params.text("text"), read_entities(params.json("entities", "entities")))
    name, marks = ("text", "entities") if "text" in message else ("caption", "caption_entities")
    if not text and name == "text":
        raise SandboxError("text must be given")
    message = {key: value for key, value in message.items() if key not in {name, marks}}
    message |= {name: text, **({marks: entities} if entities else {})}
    return messages.change(world, chat, message)


def forward(world: World, user: Obj, chat: Obj, params: Params) -> list[Obj]:
    """Forward messages of another chat, or something with an invented origin.

    Raises:
        SandboxError: A message does not exist, or neither a source nor an origin is given.
    """
    _check_may_write(world, user, chat)
    if chat["type"] == "private":
        world.store.run("UPDATE users SET started = 1 WHERE id = ?", user["id"])
    contents = _invented(world, params) if params.has("origin") else _forwards(world, user, params)
    return [messages.post(world, chat, user, content) for content in contents]


def _invented(world: World, params: Params) -> list[Obj]:
    origin = params.json("origin", "origin")
    if not isinstance(origin, dict) or "type" not in origin:
        raise SandboxError("origin must be a MessageOrigin")
    origin = {"date": int(world.now()), **origin}
    return [{"forward_origin": origin, **content} for content in contents_of(world, params)]


def _forwards(world: World, user: Obj, params: Params) -> list[Obj]:
    source, ids = params.integer("from_chat_id"), params.json("message_ids", "message_ids")
    if not source or not isinstance(ids, list) or not ids:
        raise SandboxError("from_chat_id and message_ids, or origin, must be given")
    if source > 0 and source != user["id"] and find_user(world, source) is not None:
        raise SandboxError("this chat is another user's", 403)
    found = [messages.find(world, source, whole_number(one)) for one in ids]
    contents = [forwarded(world, source, message) for message in found if message is not None]
    if len(contents) != len(found):
        raise SandboxError("a message to forward is not in that chat", 404)
    if len(found) > 1 and all(message and "media_group_id" in message for message in found):
        group = {"media_group_id": album_id(world)}
        contents = [group | content for content in contents]
    return contents
