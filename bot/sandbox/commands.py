"""The bot's command lists: one for each scope and language, and the one a person sees."""

from __future__ import annotations

import json

from bot.sandbox.chats import PRESENT, find_user, status_of
from bot.sandbox.world import Obj, World

SCOPES = frozenset({
    "default", "all_private_chats", "all_group_chats", "all_chat_administrators", "chat", "chat_administrators",
    "chat_member",
})  # fmt: skip


def _key(scope: Obj, language: str) -> str:
    return json.dumps([scope["type"], scope.get("chat_id"), scope.get("user_id"), language])


def put(world: World, scope: Obj, language: str, commands: list[Obj]) -> None:
    """Keep a list and tell everyone's client; an empty list is forgotten."""
    lists = world.store.get("commands", {})
    lists.pop(_key(scope, language), None)
    if commands:
        lists[_key(scope, language)] = commands
    world.store.put("commands", lists)
    for row in world.store.rows("SELECT id FROM users"):
        world.emit(
            row["id"], {"type": "commands", "chat_id": row["id"], "commands": visible(world, row["id"], row["id"])}
        )


def get(world: World, scope: Obj, language: str) -> list[Obj]:
    """Return exactly one list, empty if it was not set."""
    found: list[Obj] = world.store.get("commands", {}).get(_key(scope, language), [])
    return found


def visible(world: World, user_id: int, chat_id: int) -> list[Obj]:
    """Return the list a person sees in a chat: the narrowest scope wins, their language first in each."""
    user = find_user(world, user_id) or {}
    for scope in _scopes(status_of(world, chat_id, user_id), user_id, chat_id):
        for language in dict.fromkeys([str(user.get("language_code", ""))[:2], ""]):
            if found := get(world, scope, language):
                return found
    return []


def _scopes(status: str, user_id: int, chat_id: int) -> list[Obj]:
    if chat_id > 0:
        return [{"type": "chat", "chat_id": chat_id}, {"type": "all_private_chats"}, {"type": "default"}]
    is_admin = status in {"creator", "administrator"}
    member = [{"type": "chat_member", "chat_id": chat_id, "user_id": user_id}] if status in PRESENT else []
    admins: list[Obj] = [{"type": "chat_administrators", "chat_id": chat_id}] if is_admin else []
    all_admins: list[Obj] = [{"type": "all_chat_administrators"}] if is_admin else []
    chat: list[Obj] = [{"type": "chat", "chat_id": chat_id}]
    return [*member, *admins, *chat, *all_admins, {"type": "all_group_chats"}, {"type": "default"}]
