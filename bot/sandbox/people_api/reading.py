"""What the sandbox API reads from requests."""

from __future__ import annotations

import json
from typing import Any

from aiohttp import web

from bot.sandbox.chats import find_chat, person
from bot.sandbox.errors import SandboxError
from bot.sandbox.params import whole_number
from bot.sandbox.world import Obj, World

MISSING = -(2**63)
"""Stands for a number that was not given; it is no id of anything."""


async def body(request: web.Request) -> Obj:
    """Return a JSON object from the body, empty without one.

    Raises:
        SandboxError: It is no JSON object.
    """
    raw = await request.read()
    try:
        value: Any = json.loads(raw) if raw.strip() else {}
    except ValueError as error:
        raise SandboxError("the body is not JSON") from error
    if not isinstance(value, dict):
        raise SandboxError("the body must be a JSON object")
    return value


def number(given: Any, name: str) -> int:
    """Read a number.

    Raises:
        SandboxError: It is missing or none.
    """
    found = whole_number(given, MISSING)
    if found == MISSING:
        raise SandboxError(f"{name} must be a number")
    return found


def numbers(given: Obj, name: str) -> list[int]:
    """Read a list of numbers, empty if it is not given.

    Raises:
        SandboxError: It is no list of numbers.
    """
    found = given.get(name) or []
    if not isinstance(found, list):
        raise SandboxError(f"{name} must be a list")
    return [number(one, name) for one in found]


def chat_in(world: World, request: web.Request) -> Obj:
    """Return the chat named in the path.

    Raises:
        SandboxError: There is none (404), or it became a supergroup (410).
    """
    return chat_of(world, number(request.match_info["chat"], "chat"))


def chat_of(world: World, chat_id: int) -> Obj:
    """Return a chat that people act in; errors as in `chat_in`."""
    chat = find_chat(world, chat_id)
    if chat is None:
        raise SandboxError(f"there is no chat {chat_id}", 404)
    row = world.store.row("SELECT migrated_to FROM chats WHERE id = ?", chat_id)
    if row is not None and row["migrated_to"]:
        raise SandboxError(f"the group became the supergroup {row['migrated_to']}", 410)
    return chat


def user_in(world: World, request: web.Request) -> Obj:
    """Return the person named in the path.

    Raises:
        SandboxError: There is none (404).
    """
    return person(world, number(request.match_info["user"], "user"))
