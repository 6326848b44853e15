"""Drafts: previews that live 30 seconds in a private chat and end with the real message."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from bot.sandbox import updates
from bot.sandbox.chats import find_chat
from bot.sandbox.errors import SandboxError
from bot.sandbox.limits import DRAFT_LIFE_S
from bot.sandbox.params import Params
from bot.sandbox.world import Draft, Obj, World


@dataclass(frozen=True)
class Shown:
    """What a draft says at one moment."""

    draft_id: int
    content: Obj
    thread_id: int | None


def show(world: World, user_id: int, shown: Shown, params: Params) -> None:
    """Show a draft's present text to its person and start its 30 seconds anew.

    A draft that its person stopped stays stopped: later texts under its number change nothing.
    """
    old = world.drafts.get(user_id)
    if old is not None and old.draft_id == shown.draft_id and old.stopped:
        return
    draft = Draft(
        shown.draft_id,
        world.now() + DRAFT_LIFE_S,
        params.flag("can_stop"),
        params.flag("keep_on_stop"),
        shown.thread_id,
    )
    world.drafts[user_id] = draft
    event: Obj = {"type": "draft", "chat_id": user_id, "draft_id": shown.draft_id, **shown.content}
    event["can_stop"] = draft.can_stop
    if shown.thread_id:
        event["message_thread_id"] = shown.thread_id
    world.emit(user_id, event)
    asyncio.get_running_loop().call_later(DRAFT_LIFE_S + 0.01, expire, world)


def expire(world: World) -> None:
    """Take away the drafts whose time is over by the sandbox's clock."""
    if world.closed:
        return
    for user_id, draft in list(world.drafts.items()):
        if draft.expires_at <= world.now():
            end(world, user_id)


def end(world: World, user_id: int) -> None:
    """Take a person's draft away, if there is one."""
    draft = world.drafts.pop(user_id, None)
    if draft is not None:
        world.emit(user_id, {"type": "draft_end", "chat_id": user_id, "draft_id": draft.draft_id})


def stop(world: World, user_id: int) -> int:
    """Press the stop button: the bot gets `stopped_message_generation`.

    Raises:
        SandboxError: There is no draft, or none that can be stopped.
    """
    draft = world.drafts.get(user_id)
    if draft is None or not draft.can_stop or draft.stopped:
        raise SandboxError("there is no draft that can be stopped", 409)
    draft.stopped = True
    payload: Obj = {"chat": find_chat(world, user_id), "draft_id": draft.draft_id}
    if draft.thread_id:
        payload["message_thread_id"] = draft.thread_id
    updates.enqueue(world, "stopped_message_generation", payload, f"chat {user_id}")
    if not draft.keep_on_stop:
        world.emit(user_id, {"type": "draft_end", "chat_id": user_id, "draft_id": draft.draft_id})
    return draft.draft_id
