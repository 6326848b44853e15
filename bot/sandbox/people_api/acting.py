"""Votes, payments and reactions of people."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox import messages, payments, polls, updates
from bot.sandbox.chats import status_of
from bot.sandbox.errors import SandboxError
from bot.sandbox.people_api.reading import body, chat_of, number, numbers, user_in
from bot.sandbox.people_api.setting import present_in
from bot.sandbox.world import Obj, World


async def vote(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/votes."""
    user, given = user_in(world, request), await body(request)
    chat = chat_of(world, number(given.get("chat_id"), "chat_id"))
    options = numbers(given, "option_ids")
    with world.store.transaction():
        present_in(world, chat, user)
        poll = polls.vote(world, user, chat["id"], number(given.get("message_id"), "message_id"), options)
    return web.json_response(poll)


async def pay(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/payments."""
    user, given = user_in(world, request), await body(request)
    if given.get("link"):
        chat_id, invoice = user["id"], payments.invoice_by_link(world, str(given["link"]))
    else:
        chat_id = number(given.get("chat_id"), "chat_id")
        invoice = payments.invoice_of(world, chat_id, number(given.get("message_id"), "message_id"))
    with world.store.transaction():
        present_in(world, chat_of(world, chat_id), user)
        query_id = payments.begin(world, user, invoice)
    answer = await payments.wait_for_answer(world, query_id)
    if answer["ok"]:
        with world.store.transaction():
            payments.finish(world, user, chat_id, invoice)
    return web.json_response(answer)


async def react(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/users/{user}/reactions."""
    user, given = user_in(world, request), await body(request)
    chat = chat_of(world, number(given.get("chat_id"), "chat_id"))
    message_id = number(given.get("message_id"), "message_id")
    reaction = given.get("reaction", [])
    if messages.find(world, chat["id"], message_id) is None or not isinstance(reaction, list):
        raise SandboxError("there is no such message, or reaction is no list", 404)
    with world.store.transaction():
        present_in(world, chat, user)
        _react(world, chat, user, message_id, reaction)
    return web.json_response({"ok": True})


def _react(world: World, chat: Obj, user: Obj, message_id: int, reaction: list[Obj]) -> None:
    key = f"{chat['id']} {message_id} {user['id']}"
    old = world.store.record("reaction", key) or []
    world.store.keep("reaction", key, reaction)
    if chat["type"] != "private" and status_of(world, chat["id"], world.bot_id) != "administrator":
        return  # Telegram tells a bot of reactions in a group only if it is an administrator there
    change = {
        "chat": chat, "message_id": message_id, "date": int(world.now()), "user": user, "old_reaction": old,
        "new_reaction": reaction,
    }  # fmt: skip
    updates.enqueue(world, "message_reaction", change, f"chat {chat['id']}")


ROUTES = (
    ("POST", "/users/{user}/votes", vote),
    ("POST", "/users/{user}/payments", pay),
    ("POST", "/users/{user}/reactions", react),
)
