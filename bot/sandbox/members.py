"""Members of groups and channels, and what the bot learns when they change."""

from __future__ import annotations

from bot.sandbox import messages, updates
from bot.sandbox.chats import PRESENT, audience, private_chat, set_status, status_of
from bot.sandbox.world import Obj, World

STATUSES = frozenset({"member", "administrator", "left", "kicked", "creator", "restricted"})

_ADMIN_RIGHTS = (
    "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members", "can_promote_members",
    "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories", "can_delete_stories",
    "can_pin_messages", "can_manage_topics", "can_send_welcome_messages",
)  # fmt: skip
_MEMBER_RIGHTS = (
    "can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos",
    "can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages",
    "can_add_web_page_previews", "can_react_to_messages", "can_edit_tag", "can_change_info", "can_invite_users",
    "can_pin_messages", "can_manage_topics",
)  # fmt: skip


def member_view(user: Obj, status: str) -> Obj:
    """Return a `ChatMember`."""
    view: Obj = {"user": user, "status": status}
    if status == "creator":
        return view | {"is_anonymous": False}
    if status == "administrator":
        rights = dict.fromkeys(_ADMIN_RIGHTS, True) | {"can_promote_members": False}
        return view | {"can_be_edited": False, "is_anonymous": False, **rights}
    if status == "restricted":
        return view | {"is_member": True, "until_date": 0, **dict.fromkeys(_MEMBER_RIGHTS, True)}
    if status == "kicked":
        return view | {"until_date": 0}
    return view


def set_member(world: World, chat: Obj, actor: Obj, user: Obj, status: str) -> None:
    """Change a member's status; the bot and the chat's people learn of it.

    Args:
        world: The emulator.
        chat: A group, supergroup or channel.
        actor: Who changes it.
        user: Whose status; the bot itself gets `my_chat_member`, for others it gets `chat_member` if it asked.
        status: One of `STATUSES`.
    """
    old = status_of(world, chat["id"], user["id"])
    if old == status:
        return
    is_bot = user["id"] == world.bot_id
    if status not in PRESENT and old in PRESENT and not is_bot:
        _announce(world, chat, actor, {"left_chat_member": user})
    set_status(world, chat["id"], user["id"], status)
    _tell_bot(world, chat, actor, member_view(user, old), member_view(user, status))
    if status in PRESENT and old not in PRESENT:
        _announce(world, chat, actor, {"new_chat_members": [user]})
    for user_id in {*audience(world, chat["id"]), user["id"]}:
        world.emit(user_id, {"type": "chat", "chat_id": chat["id"], "chat": chat})


def _announce(world: World, chat: Obj, actor: Obj, content: Obj) -> None:
    if chat["type"] != "channel":
        messages.post(world, chat, actor, content)


def _tell_bot(world: World, chat: Obj, actor: Obj, old: Obj, new: Obj) -> None:
    change: Obj = {
        "chat": chat, "from": actor, "date": int(world.now()), "old_chat_member": old, "new_chat_member": new,
    }  # fmt: skip
    if new["user"]["id"] == world.bot_id:
        updates.enqueue(world, "my_chat_member", change, f"chat {chat['id']}")
    elif status_of(world, chat["id"], world.bot_id) == "administrator":
        updates.enqueue(world, "chat_member", change, f"chat {chat['id']}")


def set_blocked(world: World, user: Obj, *, blocked: bool) -> None:
    """Block or unblock the bot in a person's private chat; the bot gets `my_chat_member`."""
    row = world.store.row("SELECT blocked FROM users WHERE id = ?", user["id"])
    if row is None or bool(row["blocked"]) == blocked:
        return
    world.store.run("UPDATE users SET blocked = ? WHERE id = ?", blocked, user["id"])
    chat = private_chat(user)
    member, kicked = member_view(world.bot_user(), "member"), member_view(world.bot_user(), "kicked")
    _tell_bot(world, chat, user, *((member, kicked) if blocked else (kicked, member)))
    world.emit(user["id"], {"type": "chat", "chat_id": user["id"], "chat": chat, "blocked": blocked})
