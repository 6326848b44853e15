"""What a person does: write, send files, edit, forward, press buttons, stop a draft."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from aiohttp import web

from bot.sandbox import callbacks, drafts, messages, people
from bot.sandbox.errors import SandboxError
from bot.sandbox.params import Params
from bot.sandbox.people_api.reading import body, chat_in, chat_of, number, user_in
from bot.sandbox.people_api.setting import present_in
from bot.sandbox.receive import discard, read_params
from bot.sandbox.world import Obj, World


async def _read(world: World, request: web.Request) -> Params:
    """Read a person's message; some clients write a file's name in percent signs, and people mean the name."""
    if request.content_type == "multipart/form-data":
        params = await read_params(request, world.data / "uploads")
        params.files = [(field, replace(upload, name=unquote(upload.name))) for field, upload in params.files]
        return params
    return Params(await body(request))


async def send(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/chats/{chat}/messages."""
    user, chat = user_in(world, request), chat_in(world, request)
    params = await _read(world, request)
    try:
        with world.store.transaction():
            present_in(world, chat, user)
            return web.json_response(people.send(world, user, chat, params))
    finally:
        discard(params)


async def edit(world: World, request: web.Request) -> web.Response:
    """PUT /sandbox/users/{user}/chats/{chat}/messages/{id}."""
    user, chat = user_in(world, request), chat_in(world, request)
    params = Params(await body(request))
    message_id = number(request.match_info["id"], "id")
    with world.store.transaction():
        return web.json_response(people.edit(world, user, chat, message_id, params))


async def delete(world: World, request: web.Request) -> web.Response:
    """DELETE /sandbox/users/{user}/chats/{chat}/messages/{id}."""
    user, chat = user_in(world, request), chat_in(world, request)
    message_id = number(request.match_info["id"], "id")
    with world.store.transaction():
        present_in(world, chat, user)
        if messages.find(world, chat["id"], message_id) is None:
            raise SandboxError("there is no such message", 404)
        messages.delete(world, chat["id"], [message_id])
    return web.json_response({"ok": True})


async def forward(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/chats/{chat}/forward."""
    user, chat = user_in(world, request), chat_in(world, request)
    params = await _read(world, request)
    try:
        with world.store.transaction():
            present_in(world, chat, user)
            return web.json_response(people.forward(world, user, chat, params))
    finally:
        discard(params)


async def press(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/callbacks."""
    user, given = user_in(world, request), await body(request)
    chat = chat_of(world, number(given.get("chat_id"), "chat_id"))
    message_id = number(given.get("message_id"), "message_id")
    with world.store.transaction():
        present_in(world, chat, user)
        query_id = callbacks.press(world, user, chat["id"], message_id, str(given.get("data", "")))
    if given.get("wait") is False:
        return web.json_response({"answered": False, "text": "", "show_alert": False, "url": "", "id": query_id})
    answer: Obj = await callbacks.wait_for_answer(world, query_id)
    return web.json_response(answer | {"id": query_id})


async def stop_draft(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/stop_draft."""
    user = user_in(world, request)
    with world.store.transaction():
        draft_id = drafts.stop(world, user["id"])
    return web.json_response({"draft_id": draft_id})


ROUTES: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/users/{user}/chats/{chat}/messages", send),
    ("PUT", "/users/{user}/chats/{chat}/messages/{id}", edit),
    ("DELETE", "/users/{user}/chats/{chat}/messages/{id}", delete),
    ("POST", "/users/{user}/chats/{chat}/forward", forward),
    ("POST", "/users/{user}/callbacks", press),
    ("POST", "/users/{user}/stop_draft", stop_draft),
)
