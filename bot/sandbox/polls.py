"""Polls: counted for people, told to the bot."""

from __future__ import annotations

from bot.sandbox import messages, updates
from bot.sandbox.chats import find_chat
from bot.sandbox.errors import SandboxError
from bot.sandbox.world import Obj, World


def place(world: World, poll_id: str, chat_id: int, message_id: int) -> None:
    """Remember where a poll stands."""
    world.store.keep("poll", poll_id, {"chat_id": chat_id, "message_id": message_id, "votes": {}})


def vote(world: World, user: Obj, chat_id: int, message_id: int, options: list[int]) -> Obj:
    """Vote for a person; the bot gets `poll`, and `poll_answer` if votes are open.

    Returns:
        The `Poll` as it is now.

    Raises:
        SandboxError: There is no such poll, it is closed, or the choice is impossible.
    """
    message = messages.find(world, chat_id, message_id)
    if message is None or "poll" not in message:
        raise SandboxError("there is no poll in this message", 404)
    poll = message["poll"]
    _check(poll, options)
    record = world.store.record("poll", poll["id"])
    if poll["type"] == "quiz" and str(user["id"]) in record["votes"]:
        raise SandboxError("a quiz is answered once", 409)
    record["votes"][str(user["id"])] = options
    record["votes"] = {voter: chosen for voter, chosen in record["votes"].items() if chosen}
    world.store.keep("poll", poll["id"], record)
    _count(poll, list(record["votes"].values()))
    messages.change(world, find_chat(world, chat_id) or {}, message, silent=True)
    _tell(world, user, poll, options)
    return dict(poll)


def _check(poll: Obj, options: list[int]) -> None:
    if poll["is_closed"]:
        raise SandboxError("the poll is closed", 409)
    if len(options) > 1 and not poll["allows_multiple_answers"]:
        raise SandboxError("only one option can be chosen")
    if any(not 0 <= option < len(poll["options"]) for option in options):
        raise SandboxError("there is no such option")


def _count(poll: Obj, votes: list[list[int]]) -> None:
    for number, option in enumerate(poll["options"]):
        option["voter_count"] = sum(number in chosen for chosen in votes)
    poll["total_voter_count"] = len(votes)


def _tell(world: World, user: Obj, poll: Obj, options: list[int]) -> None:
    updates.enqueue(world, "poll", poll, f"poll {poll['id']}")
    if not poll["is_anonymous"]:
        chosen = [poll["options"][number]["persistent_id"] for number in options]
        answer = {"poll_id": poll["id"], "user": user, "option_ids": options, "option_persistent_ids": chosen}
        updates.enqueue(world, "poll_answer", answer, f"poll {poll['id']}")


def close(world: World, chat: Obj, message: Obj) -> Obj:
    """Close a poll; the bot gets `poll`."""
    message["poll"]["is_closed"] = True
    messages.change(world, chat, message, silent=True)
    updates.enqueue(world, "poll", message["poll"], f"poll {message['poll']['id']}")
    return dict(message["poll"])
