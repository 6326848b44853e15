"""What a person sees: chats, messages, files and events."""

from __future__ import annotations

from urllib.parse import quote

from aiohttp import web

from bot.sandbox import commands, events, files, messages
from bot.sandbox.chats import PRESENT, find_chat
from bot.sandbox.errors import SandboxError
from bot.sandbox.people_api.reading import chat_in, number, user_in
from bot.sandbox.people_api.setting import present_in
from bot.sandbox.world import Obj, World

INLINE = ("image/png", "image/jpeg", "image/gif", "image/webp", "audio/", "video/", "application/pdf", "text/plain")
"""Types of file that a browser shows; others it saves."""


async def chats_of(world: World, request: web.Request) -> web.Response:
    """GET /sandbox/users/{user}/chats."""
    user = user_in(world, request)
    rows = world.store.rows(
        "SELECT m.chat_id, m.status FROM members m JOIN chats c ON c.id = m.chat_id "
        "WHERE m.user_id = ? AND c.migrated_to IS NULL", user["id"],
    )  # fmt: skip
    ids = [user["id"], *(row["chat_id"] for row in rows if row["status"] in PRESENT)]
    lines = [_line(world, user["id"], chat_id) for chat_id in ids]
    lines.sort(key=lambda line: (line["last_message"] or {}).get("date", 0), reverse=True)
    return web.json_response(lines)


def _line(world: World, user_id: int, chat_id: int) -> Obj:
    last = messages.history(world, chat_id, 1)
    row = world.store.row("SELECT n FROM unread WHERE user_id = ? AND chat_id = ?", user_id, chat_id)
    blocked = world.store.row("SELECT blocked FROM users WHERE id = ?", user_id)
    line: Obj = {"chat": find_chat(world, chat_id), "last_message": last[0] if last else None}
    line |= {"unread": 0 if row is None else row["n"], "commands": commands.visible(world, user_id, chat_id)}
    if chat_id == user_id:
        line["blocked"] = bool(blocked and blocked["blocked"])
    else:
        topics = world.store.rows("SELECT thread_id, name FROM topics WHERE chat_id = ?", chat_id)
        line["topics"] = [{"message_thread_id": topic["thread_id"], "name": topic["name"]} for topic in topics]
    return line


async def messages_of(world: World, request: web.Request) -> web.Response:
    """GET /sandbox/users/{user}/chats/{chat}/messages; reading them takes the unread mark away."""
    user, chat = user_in(world, request), chat_in(world, request)
    present_in(world, chat, user)
    limit = number(request.query.get("limit", 200), "limit")
    world.store.run("DELETE FROM unread WHERE user_id = ? AND chat_id = ?", user["id"], chat["id"])
    return web.json_response(messages.history(world, chat["id"], limit))


async def file_bytes(world: World, request: web.Request) -> web.StreamResponse:
    """GET /sandbox/files/{file_id}."""
    kept = files.find(world, request.match_info["file_id"])
    if kept is None:
        raise SandboxError("there is no such file", 404)
    headers = {"Content-Type": kept.mime, "X-Content-Type-Options": "nosniff"}
    if kept.name:
        shown = "inline" if kept.mime.startswith(INLINE) else "attachment"  # a sent page must not run as one of ours
        headers["Content-Disposition"] = f"{shown}; filename*=UTF-8''{quote(kept.name)}"
    return web.FileResponse(kept.blob, headers=headers)


async def events_of(world: World, request: web.Request) -> web.StreamResponse:
    """GET /sandbox/users/{user}/events."""
    user = user_in(world, request)
    return await events.stream(request, world.bus, user["id"])


ROUTES = (
    ("GET", "/users/{user}/chats", chats_of),
    ("GET", "/users/{user}/chats/{chat}/messages", messages_of),
    ("GET", "/users/{user}/events", events_of),
    ("GET", "/files/{file_id}", file_bytes),
)
