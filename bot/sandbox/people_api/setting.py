"""Users, chats, members, topics and migration."""

from __future__ import annotations

import json

from aiohttp import web

from bot.sandbox import commands, messages, topics
from bot.sandbox.chats import PRESENT, find_chat, find_user, new_chat, person, set_status, status_of
from bot.sandbox.errors import SandboxError
from bot.sandbox.members import STATUSES, set_blocked, set_member
from bot.sandbox.people_api.reading import body, chat_in, number, numbers, user_in
from bot.sandbox.world import Obj, World


async def state(world: World, request: web.Request) -> web.Response:
    """GET /sandbox/state."""
    users = [json.loads(row["body"]) for row in world.store.rows("SELECT body FROM users ORDER BY id")]
    rows = world.store.rows("SELECT id, body FROM chats WHERE migrated_to IS NULL ORDER BY id DESC")
    bot = world.bot_user() | {"commands": commands.get(world, {"type": "default"}, "")}
    return web.json_response({"bot": bot, "users": users, "chats": [json.loads(row["body"]) for row in rows]})


async def add_user(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users."""
    given = await body(request)
    if not str(given.get("first_name", "")).strip():
        raise SandboxError("first_name must be given")
    with world.store.transaction():
        user: Obj = {"id": world.store.next_number("user", 5_000_000_001), "is_bot": False}
        for key in ("first_name", "last_name", "username", "language_code"):
            if given.get(key):
                user[key] = str(given[key])
        world.store.run("INSERT INTO users (id, body) VALUES (?, ?)", user["id"], json.dumps(user))
    return web.json_response(user)


async def add_chat(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/chats."""
    given = await body(request)
    kind, title = str(given.get("type", "group")), str(given.get("title", "")).strip()
    if kind not in {"group", "supergroup", "channel"} or not title:
        raise SandboxError("type must be group, supergroup or channel, and title must be given")
    people = [person(world, one) for one in numbers(given, "member_ids")]
    creator = next(iter(people), None)
    if given.get("creator_id"):
        creator = person(world, number(given["creator_id"], "creator_id"))
    status = str(given.get("bot_status") or ("administrator" if kind == "channel" else "member"))
    _check_status(status)
    with world.store.transaction():
        chat = new_chat(world, kind, title, **_features(kind, given))
        for user in people:
            set_status(world, chat["id"], user["id"], "member")
        if creator is not None:
            set_status(world, chat["id"], creator["id"], "creator")
        _link(world, chat, given.get("linked_chat_id"))
        set_member(world, chat, creator or world.bot_user(), world.bot_user(), status)
    return web.json_response(chat)


def _features(kind: str, given: Obj) -> Obj:
    features: Obj = {"is_forum": True} if given.get("is_forum") and kind == "supergroup" else {}
    return features | ({"username": str(given["username"])} if given.get("username") and kind != "group" else {})


def _check_status(status: str) -> None:
    if status not in STATUSES:
        raise SandboxError(f"status must be one of {', '.join(sorted(STATUSES))}")


def _link(world: World, chat: Obj, linked_id: object) -> None:
    """Tie a channel and its discussion group together."""
    if linked_id is None:
        return
    other = find_chat(world, number(linked_id, "linked_chat_id"))
    if other is None:
        raise SandboxError(f"there is no chat {linked_id}", 404)
    for one, two in ((chat, other), (other, chat)):
        world.store.run("UPDATE chats SET linked_id = ? WHERE id = ?", two["id"], one["id"])


async def change_member(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/chats/{chat}/members."""
    chat, given = chat_in(world, request), await body(request)
    user = find_user(world, number(given.get("user_id"), "user_id"))
    status = str(given.get("status"))
    if user is None or chat["type"] == "private":
        raise SandboxError("there is no such user or group", 404)
    _check_status(status)
    actor = find_user(world, number(given.get("actor_id", user["id"]), "actor_id")) or user
    if user["id"] == world.bot_id and "actor_id" not in given:
        actor = _somebody(world, chat) or user
    with world.store.transaction():
        set_member(world, chat, actor, user, status)
    return web.json_response({"ok": True})


def _somebody(world: World, chat: Obj) -> Obj | None:
    """Return who acts when nobody is named: the creator, or else any member."""
    rows = world.store.rows("SELECT user_id, status FROM members WHERE chat_id = ?", chat["id"])
    present = [row for row in rows if row["status"] in PRESENT and row["user_id"] != world.bot_id]
    first = min(present, key=lambda row: row["status"] != "creator", default=None)
    return None if first is None else find_user(world, first["user_id"])


async def migrate(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/chats/{chat}/migrate."""
    old, given = chat_in(world, request), await body(request)
    if old["type"] != "group":
        raise SandboxError("only a group can become a supergroup", 409)
    with world.store.transaction():
        new = new_chat(world, "supergroup", old["title"])
        world.store.run("UPDATE members SET chat_id = ? WHERE chat_id = ?", new["id"], old["id"])
        world.store.run(
            "INSERT INTO members SELECT ?, user_id, status FROM members WHERE chat_id = ?", old["id"], new["id"]
        )
        if not given.get("silent"):
            actor = _somebody(world, new) or world.bot_user()
            messages.post(world, old, actor, {"migrate_to_chat_id": new["id"]})
            messages.post(world, new, actor, {"migrate_from_chat_id": old["id"]})
        world.store.run("UPDATE chats SET migrated_to = ? WHERE id = ?", new["id"], old["id"])
        for row in world.store.rows("SELECT user_id FROM members WHERE chat_id = ?", new["id"]):
            world.emit(row["user_id"], {"type": "chat", "chat_id": old["id"], "chat": new, "migrated_to": new["id"]})
    return web.json_response(new)


async def add_topic(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/chats/{chat}/topics."""
    chat, given = chat_in(world, request), await body(request)
    name = str(given.get("name", "")).strip()
    if not chat.get("is_forum") or not name:
        raise SandboxError("the chat must be a forum and name must be given", 409)
    with world.store.transaction():
        topic = topics.create(world, chat, _somebody(world, chat) or world.bot_user(), name)
    return web.json_response({"message_thread_id": topic["message_thread_id"]})


async def block(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/block."""
    user, given = user_in(world, request), await body(request)
    with world.store.transaction():
        set_blocked(world, user, blocked=bool(given.get("blocked", True)))
    return web.json_response({"ok": True})


def present_in(world: World, chat: Obj, user: Obj) -> None:
    """Refuse to act for a person who is not in the chat.

    Raises:
        SandboxError: 403.
    """
    if status_of(world, chat["id"], user["id"]) not in PRESENT:
        raise SandboxError("this user is not in this chat", 403)


ROUTES = (
    ("GET", "/state", state),
    ("POST", "/users", add_user),
    ("POST", "/chats", add_chat),
    ("POST", "/chats/{chat}/members", change_member),
    ("POST", "/chats/{chat}/migrate", migrate),
    ("POST", "/chats/{chat}/topics", add_topic),
    ("POST", "/users/{user}/block", block),
)
