"""Privacy mode: which of a group's messages reach the bot."""

from __future__ import annotations

from bot.sandbox.chats import status_of
from bot.sandbox.entities import text_of
from bot.sandbox.limits import utf16_slice
from bot.sandbox.world import Obj, World

SERVICE = frozenset({
    "new_chat_members", "left_chat_member", "new_chat_title", "group_chat_created", "supergroup_chat_created",
    "migrate_to_chat_id", "migrate_from_chat_id", "pinned_message", "forum_topic_created", "forum_topic_closed",
    "forum_topic_reopened", "forum_topic_edited", "message_auto_delete_timer_changed",
})  # fmt: skip
"""Service messages: every bot gets them."""


def bot_sees(world: World, chat: Obj, message: Obj) -> bool:
    """Tell whether a message reaches the bot.

    With privacy mode on, and the bot no administrator, a group's messages do only if they are commands
    (not ones addressed to another bot), answers to the bot, or service messages. A mention is not enough.
    """
    if chat["type"] in {"private", "channel"} or not world.privacy:
        return True
    if status_of(world, chat["id"], world.bot_id) in {"administrator", "creator"}:
        return True
    answered = message.get("reply_to_message", {})
    is_answer = answered.get("from", {}).get("id") == world.bot_id
    return is_answer or bool(SERVICE & message.keys()) or _is_command(world, message)


def _is_command(world: World, message: Obj) -> bool:
    text, entities = text_of(message)
    for entity in entities:
        if entity["type"] == "bot_command" and entity["offset"] == 0:
            command = utf16_slice(text, 0, entity["length"])
            addressee = command.partition("@")[2].lower()
            return addressee in {"", str(world.bot_user()["username"]).lower()}
    return False
