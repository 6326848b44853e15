"""What the bot can ask of chats and their members, and leaving them."""

from __future__ import annotations

from typing import Any

from bot.sandbox import messages
from bot.sandbox.chats import PRESENT, find_user, status_of, target, writable
from bot.sandbox.errors import bad_request, forbidden
from bot.sandbox.members import member_view, set_member
from bot.sandbox.params import Params
from bot.sandbox.world import Obj, World


def _seen(world: World, params: Params) -> Obj:
    chat = target(world, params)
    if chat["type"] != "private" and status_of(world, chat["id"], world.bot_id) not in PRESENT:
        raise forbidden(f"bot is not a member of the {chat['type']} chat")
    return chat


def get_chat(world: World, params: Params) -> Obj:
    """Return a chat in full."""
    chat = _seen(world, params)
    gifts = {
        "unlimited_gifts": True, "limited_gifts": True, "unique_gifts": True, "premium_subscription": True,
        "gifts_from_channels": True,
    }  # fmt: skip
    pinned = world.store.get(f"pinned {chat['id']}")
    message = None if pinned is None else messages.shown(world, chat["id"], pinned)
    row = world.store.row("SELECT linked_id FROM chats WHERE id = ?", chat["id"])
    linked = {"linked_chat_id": row["linked_id"]} if row is not None and row["linked_id"] else {}
    more = {"pinned_message": message} if message else {}
    return chat | linked | more | {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": gifts}


def get_chat_member(world: World, params: Params) -> Obj:
    """Return one member; a stranger known to the server is `left`."""
    chat = _seen(world, params)
    user = find_user(world, params.integer("user_id"))
    if user is None:
        raise bad_request("invalid user_id specified" if not params.integer("user_id") else "member not found")
    return member_view(user, status_of(world, chat["id"], user["id"]))


def get_chat_administrators(world: World, params: Params) -> list[Obj]:
    """Return the administrators; bots other than this one there are none."""
    chat = _seen(world, params)
    if chat["type"] == "private":
        raise bad_request("there are no administrators in the private chat")
    rows = world.store.rows("SELECT user_id, status FROM members WHERE chat_id = ? ORDER BY rowid", chat["id"])
    admins = [(row["user_id"], row["status"]) for row in rows if row["status"] in {"creator", "administrator"}]
    return [member_view(user, status) for user_id, status in admins if (user := find_user(world, user_id))]


def get_chat_member_count(world: World, params: Params) -> int:
    """Return how many are in a chat."""
    chat = _seen(world, params)
    if chat["type"] == "private":
        return 2
    rows = world.store.rows("SELECT status FROM members WHERE chat_id = ?", chat["id"])
    return sum(1 for row in rows if row["status"] in PRESENT)


def leave_chat(world: World, params: Params) -> bool:
    """Leave a group or channel."""
    chat = _seen(world, params)
    if chat["type"] == "private":
        raise bad_request("chat member status can't be changed in private chats")
    set_member(world, chat, world.bot_user(), world.bot_user(), "left")
    return True


def pin_chat_message(world: World, params: Params) -> bool:
    """Pin a message: people see a service message of the bot."""
    chat = writable(world, params)
    message = messages.shown(world, chat["id"], params.integer("message_id"))
    if message is None:
        raise bad_request("message to pin not found")
    if chat["type"] != "private" and status_of(world, chat["id"], world.bot_id) != "administrator":
        raise bad_request("not enough rights to manage pinned messages in the chat")
    world.store.put(f"pinned {chat['id']}", message["message_id"])
    pinned = {key: value for key, value in message.items() if key != "reply_to_message"}
    messages.post(world, chat, world.bot_user(), {"pinned_message": pinned})
    return True


def unpin_chat_message(world: World, params: Params) -> bool:
    """Forget the pinned message."""
    world.store.put(f"pinned {writable(world, params)['id']}", None)
    return True


METHODS: dict[str, Any] = {
    "getChat": get_chat,
    "getChatMember": get_chat_member,
    "getChatAdministrators": get_chat_administrators,
    "getChatMemberCount": get_chat_member_count,
    "leaveChat": leave_chat,
    "pinChatMessage": pin_chat_message,
    "unpinChatMessage": unpin_chat_message,
    "unpinAllChatMessages": unpin_chat_message,
}
