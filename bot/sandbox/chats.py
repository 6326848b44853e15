"""Chats, their members, and what the bot may do in them."""

from __future__ import annotations

import json
from typing import Any

from bot.sandbox.errors import ApiError, SandboxError, bad_request, forbidden
from bot.sandbox.params import Params, whole_number
from bot.sandbox.world import Obj, World

PRESENT = frozenset({"creator", "administrator", "member", "restricted"})
"""Statuses of those who are in a chat."""


def find_user(world: World, user_id: int) -> Obj | None:
    """Return a person or the bot as a `User`, or None."""
    if user_id == world.bot_id:
        return world.bot_user()
    row = world.store.row("SELECT body FROM users WHERE id = ?", user_id)
    return None if row is None else json.loads(row["body"])


def person(world: World, user_id: int) -> Obj:
    """Return a person who can be played.

    Raises:
        SandboxError: There is none with this id (404).
    """
    user = find_user(world, user_id)
    if user is None or user["is_bot"]:
        raise SandboxError(f"there is no user {user_id}", 404)
    return user


def find_chat(world: World, chat_id: int) -> Obj | None:
    """Return a chat as a `Chat`, or None; a person's private chat with the bot always exists."""
    if chat_id > 0:
        user = find_user(world, chat_id)
        return None if user is None or user["is_bot"] else private_chat(user)
    row = world.store.row("SELECT body FROM chats WHERE id = ?", chat_id)
    return None if row is None else json.loads(row["body"])


def private_chat(user: Obj) -> Obj:
    """Return a person's private chat with the bot as a `Chat`."""
    names: Obj = {key: user[key] for key in ("first_name", "last_name", "username") if key in user}
    return {"id": user["id"], **names, "type": "private"}


def status_of(world: World, chat_id: int, user_id: int) -> str:
    """Return a member's status, `left` for a stranger."""
    if chat_id > 0:
        return "member" if user_id in {chat_id, world.bot_id} else "left"
    row = world.store.row("SELECT status FROM members WHERE chat_id = ? AND user_id = ?", chat_id, user_id)
    return "left" if row is None else str(row["status"])


def set_status(world: World, chat_id: int, user_id: int, status: str) -> None:
    """Record a member's status."""
    world.store.run("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", chat_id, user_id, status)


def audience(world: World, chat_id: int) -> list[int]:
    """Return the people who see a chat, the bot not among them."""
    if chat_id > 0:
        return [chat_id]
    rows = world.store.rows("SELECT user_id, status FROM members WHERE chat_id = ?", chat_id)
    return [row["user_id"] for row in rows if row["status"] in PRESENT and row["user_id"] != world.bot_id]


def new_chat(world: World, chat_type: str, title: str, **more: Any) -> Obj:
    """Create a group, supergroup or channel without members."""
    number = world.store.next_number("chat", 1)
    chat_id = -(4_100_000_000 + number) if chat_type == "group" else -(1_002_100_000_000 + number)
    chat = {"id": chat_id, "title": title, "type": chat_type, **more}
    world.store.run("INSERT INTO chats (id, body) VALUES (?, ?)", chat_id, json.dumps(chat))
    return chat


def topic_exists(world: World, chat_id: int, thread_id: int) -> bool:
    """Tell whether a forum has a topic; General is not one that can be named."""
    return bool(world.store.row("SELECT 1 FROM topics WHERE chat_id = ? AND thread_id = ?", chat_id, thread_id))


def target(world: World, params: Params, name: str = "chat_id") -> Obj:
    """Return the chat a call names, if the bot knows it.

    Raises:
        ApiError: The name is missing, unknown, or a group that became a supergroup.
    """
    wanted = params.text(name).strip()
    if not wanted:
        raise bad_request(f"{name} is empty")
    chat = _by_username(world, wanted) if wanted.startswith("@") else _by_id(world, wanted)
    if chat is None:
        raise bad_request("chat not found")
    row = world.store.row("SELECT migrated_to FROM chats WHERE id = ?", chat["id"])
    if row is not None and row["migrated_to"]:
        moved = {"migrate_to_chat_id": row["migrated_to"]}
        raise ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", moved)
    return chat


def _by_id(world: World, wanted: str) -> Obj | None:
    return find_chat(world, whole_number(wanted))


def _by_username(world: World, wanted: str) -> Obj | None:
    for row in world.store.rows("SELECT body FROM chats WHERE migrated_to IS NULL"):
        chat: Obj = json.loads(row["body"])
        if str(chat.get("username", "")).lower() == wanted[1:].lower():
            return chat
    return None


def writable(world: World, params: Params, name: str = "chat_id") -> Obj:
    """Return the chat a call names, if the bot may send there.

    Raises:
        ApiError: As in `target`; or the bot is blocked, was thrown out, or was never spoken to.
    """
    chat = target(world, params, name)
    if chat["type"] == "private":
        _check_private(world, chat["id"])
        return chat
    status, kind = status_of(world, chat["id"], world.bot_id), chat["type"]
    if status == "kicked":
        raise forbidden(f"bot was kicked from the {kind} chat")
    if status not in PRESENT:
        raise forbidden(f"bot is not a member of the {kind} chat")
    if kind == "channel" and status != "administrator":
        raise bad_request("need administrator rights in the channel chat")
    return chat


def _check_private(world: World, user_id: int) -> None:
    row = world.store.row("SELECT blocked, started FROM users WHERE id = ?", user_id)
    if row is None:
        raise bad_request("chat not found")
    if row["blocked"]:
        raise forbidden("bot was blocked by the user")
    if not row["started"]:
        raise forbidden("bot can't initiate conversation with a user")
