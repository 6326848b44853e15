"""What an administrator bot does: topics, bans, titles."""

from __future__ import annotations

import json
from typing import Any

from bot.sandbox import messages, topics
from bot.sandbox.chats import audience, find_user, status_of, topic_exists, writable
from bot.sandbox.errors import bad_request
from bot.sandbox.members import set_member
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World


def _managed(world: World, params: Params, right: str) -> Obj:
    chat = writable(world, params)
    if status_of(world, chat["id"], world.bot_id) != "administrator":
        raise bad_request(f"not enough rights to {right}")
    return chat


def create_forum_topic(world: World, params: Params) -> Obj:
    """Open a topic in a forum."""
    chat = _managed(world, params, "create a topic")
    name = params.text("name").strip()
    if not chat.get("is_forum"):
        raise bad_request("the chat is not a forum")
    if not 1 <= len(name) <= 128:
        raise bad_request("topic name must be non-empty" if not name else "TOPIC_TITLE_TOO_LONG")
    return topics.create(world, chat, world.bot_user(), name)


def edit_forum_topic(world: World, params: Params) -> bool:
    """Rename a topic."""
    chat = _managed(world, params, "edit the topic")
    thread_id, name = params.integer("message_thread_id"), params.text("name").strip()
    if not topic_exists(world, chat["id"], thread_id):
        raise bad_request("message thread not found")
    world.store.run("UPDATE topics SET name = ? WHERE chat_id = ? AND thread_id = ?", name, chat["id"], thread_id)
    thread = {"message_thread_id": thread_id, "is_topic_message": True}
    messages.post(world, chat, world.bot_user(), {**thread, "forum_topic_edited": {"name": name}})
    return True


def _change_member(world: World, params: Params, status: str) -> bool:
    chat = _managed(world, params, "restrict/unrestrict chat member")
    user = find_user(world, params.integer("user_id"))
    if user is None:
        raise bad_request("invalid user_id specified")
    if status_of(world, chat["id"], user["id"]) == "creator":
        raise bad_request("can't remove chat owner")
    set_member(world, chat, world.bot_user(), user, status)
    return True


def ban_chat_member(world: World, params: Params) -> bool:
    """Throw a member out for good."""
    return _change_member(world, params, "kicked")


def unban_chat_member(world: World, params: Params) -> bool:
    """Let a banned person come back; a present one is thrown out, as on Telegram."""
    return _change_member(world, params, "left")


def set_chat_title(world: World, params: Params) -> bool:
    """Rename a group."""
    chat = _managed(world, params, "change chat title")
    title = params.text("title").strip()
    if not 1 <= len(title) <= 128:
        raise bad_request("title must be non-empty" if not title else "CHAT_TITLE_TOO_LONG")
    renamed = chat | {"title": title}
    world.store.run("UPDATE chats SET body = ? WHERE id = ?", json.dumps(renamed), chat["id"])
    messages.post(world, renamed, world.bot_user(), {"new_chat_title": title})
    for user_id in audience(world, chat["id"]):
        world.emit(user_id, {"type": "chat", "chat_id": chat["id"], "chat": renamed})
    return True


def get_user_profile_photos(world: World, params: Params) -> Obj:
    """Return no photos: people here have none."""
    if find_user(world, params.integer("user_id")) is None:
        raise bad_request("invalid user_id specified")
    return {"total_count": 0, "photos": []}


METHODS: dict[str, Any] = {
    "createForumTopic": create_forum_topic,
    "editForumTopic": edit_forum_topic,
    "banChatMember": ban_chat_member,
    "unbanChatMember": unban_chat_member,
    "setChatTitle": set_chat_title,
    "getUserProfilePhotos": get_user_profile_photos,
}
