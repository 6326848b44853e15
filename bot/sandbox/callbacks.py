"""Pressed buttons: asked by a person, answered by the bot within 150 seconds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from bot.sandbox import messages, updates
from bot.sandbox.errors import SandboxError
from bot.sandbox.limits import CALLBACK_LIFE_S
from bot.sandbox.world import Obj, World

ANSWER_WAIT_S = 30
"""How long the person's side waits for the bot's answer."""


def press(world: World, user: Obj, chat_id: int, message_id: int, data: str) -> str:
    """Press a button and return the callback query's id.

    Raises:
        SandboxError: The message is gone or has no such button.
    """
    message = messages.shown(world, chat_id, message_id)
    if message is None:
        raise SandboxError(f"there is no message {message_id} in this chat", 404)
    if data not in _buttons(message):
        raise SandboxError("this message has no enabled button with this data", 409)
    query_id = str(4_300_000_000_000_000_000 + world.store.next_number("callback", 1))
    world.store.run("INSERT INTO callbacks (id, user_id, asked_at) VALUES (?, ?, ?)", query_id, user["id"], world.now())
    query = {"id": query_id, "from": user, "message": message, "chat_instance": str(-chat_id * 7919), "data": data}
    updates.enqueue(world, "callback_query", query, f"callback {user['id']}", CALLBACK_LIFE_S)
    return query_id


def _buttons(message: Obj) -> set[str]:
    """Return the data of all buttons, under the message and inside a rich one."""
    return set(_data(message.get("reply_markup"))) | set(_data(message.get("rich_message")))


def _data(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("callback_data"), str) and not part.get("disabled"):
            yield part["callback_data"]
        part = list(part.values())
    for inner in part if isinstance(part, list) else ():
        yield from _data(inner)


async def wait_for_answer(world: World, query_id: str) -> Obj:
    """Wait for the bot's answer, 30 seconds at most.

    Returns:
        `answered`, and what was answered: `text`, `show_alert`, `url`.
    """
    future: asyncio.Future[Obj] = asyncio.get_running_loop().create_future()
    world.waiting[query_id] = future
    try:
        return {"answered": True, **await asyncio.wait_for(future, ANSWER_WAIT_S)}
    except TimeoutError:
        return {"answered": False, "text": "", "show_alert": False, "url": ""}
    finally:
        world.waiting.pop(query_id, None)


def answer(world: World, query_id: str, given: Obj) -> bool:
    """Record the bot's answer and tell the waiting person; False if the query is unknown or too old."""
    row = world.store.row("SELECT asked_at, answer FROM callbacks WHERE id = ?", query_id)
    if row is None or world.now() - row["asked_at"] > CALLBACK_LIFE_S:
        return False
    if row["answer"] is None:
        world.store.run("UPDATE callbacks SET answer = ? WHERE id = ?", json.dumps(given), query_id)
        world.store.after_commit(lambda: _tell(world, query_id, given))
    return True


def _tell(world: World, query_id: str, given: Obj) -> None:
    future = world.waiting.get(query_id)
    if future is not None and not future.done():
        future.set_result(given)
