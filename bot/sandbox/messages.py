"""Messages: made once, kept, shown to people and delivered to the bot."""

from __future__ import annotations

import json

from bot.sandbox import privacy, updates
from bot.sandbox.chats import PRESENT, audience, find_chat, status_of
from bot.sandbox.world import Obj, World


def next_message_id(world: World, chat: Obj) -> int:
    """Count up as Telegram does: private chats and small groups share a counter, each supergroup has its own."""
    if chat["type"] in {"private", "group"}:
        return world.store.next_number("message", 1)
    row = world.store.row("SELECT next_message_id AS n FROM chats WHERE id = ?", chat["id"])
    number = 1 if row is None else int(row["n"])
    world.store.run("UPDATE chats SET next_message_id = ? WHERE id = ?", number + 1, chat["id"])
    return number


def post(
    world: World, chat: Obj, author: Obj | None, content: Obj, *, reply_to: int | None = None, silent: bool = False
) -> Obj:
    """Keep a new message, show it to the chat's people and deliver it to the bot.

    Args:
        world: The emulator.
        chat: Where.
        author: The `from` user, or None for a channel post.
        content: The other fields of `Message`.
        reply_to: The message of this chat that it answers.
        silent: Whether people's clients make no sound.

    Returns:
        The message as the Bot API shows it.
    """
    author_id = chat["id"] if author is None else author["id"]
    body: Obj = {"message_id": next_message_id(world, chat)}
    if author is not None:
        body["from"] = author
    body |= {"date": int(world.now()), **_thread(world, chat, reply_to, content), **content}
    world.store.run(
        "INSERT INTO messages (chat_id, message_id, body, author_id, reply_to) VALUES (?, ?, ?, ?, ?)",
        chat["id"], body["message_id"], json.dumps(body, ensure_ascii=False), author_id, reply_to,
    )  # fmt: skip
    message = render(world, chat["id"], body, reply_to)
    _show(world, chat, author_id, message, silent=silent)
    if author_id != world.bot_id:
        _deliver(world, chat, message)
    return message


def _thread(world: World, chat: Obj, reply_to: int | None, content: Obj) -> Obj:
    """Give an answer in a supergroup the number of its thread, as Telegram does outside forums too."""
    if chat["type"] != "supergroup" or reply_to is None or "message_thread_id" in content:
        return {}
    answered = find(world, chat["id"], reply_to)
    if answered is None:
        return {}
    thread = {"message_thread_id": answered.get("message_thread_id", reply_to)}
    return thread | ({"is_topic_message": True} if answered.get("is_topic_message") else {})


def _show(world: World, chat: Obj, author_id: int, message: Obj, *, silent: bool) -> None:
    event = {"type": "message", "chat_id": chat["id"], "message": message} | ({"silent": True} if silent else {})
    for user_id in audience(world, chat["id"]):
        if user_id != author_id:
            world.store.run(
                "INSERT INTO unread VALUES (?, ?, 1) ON CONFLICT (user_id, chat_id) DO UPDATE SET n = n + 1",
                user_id, chat["id"],
            )  # fmt: skip
        world.emit(user_id, event)


def _deliver(world: World, chat: Obj, message: Obj) -> None:
    if status_of(world, chat["id"], world.bot_id) not in PRESENT or not privacy.bot_sees(world, chat, message):
        return
    world.store.run(
        "UPDATE messages SET seen_by_bot = 1 WHERE chat_id = ? AND message_id = ?", chat["id"], message["message_id"]
    )
    kind = "channel_post" if chat["type"] == "channel" else "message"
    updates.enqueue(world, kind, message, f"chat {chat['id']}")


def find(world: World, chat_id: int, message_id: int) -> Obj | None:
    """Return a kept message's own fields (without `chat` and `reply_to_message`), or None."""
    row = world.store.row(
        "SELECT body FROM messages WHERE chat_id = ? AND message_id = ? AND NOT deleted", chat_id, message_id
    )
    return None if row is None else json.loads(row["body"])


def shown(world: World, chat_id: int, message_id: int) -> Obj | None:
    """Return a message as the Bot API shows it, or None if there is none."""
    row = world.store.row(
        "SELECT body, reply_to FROM messages WHERE chat_id = ? AND message_id = ? AND NOT deleted", chat_id, message_id
    )
    return None if row is None else render(world, chat_id, json.loads(row["body"]), row["reply_to"])


def render(world: World, chat_id: int, body: Obj, reply_to: int | None = None) -> Obj:
    """Complete a kept message with its chat and, one level deep, what it answers."""
    head = {key: body[key] for key in ("message_id", "from", "sender_chat") if key in body}
    message = head | {"chat": find_chat(world, chat_id)} | {key: body[key] for key in body if key not in head}
    answered = None if reply_to is None else find(world, chat_id, reply_to)
    if answered is not None:
        message["reply_to_message"] = render(world, chat_id, answered)
    return message


def history(world: World, chat_id: int, limit: int) -> list[Obj]:
    """Return a chat's last messages, oldest first, edits applied, deleted ones absent."""
    rows = world.store.rows(
        "SELECT body, reply_to FROM messages WHERE chat_id = ? AND NOT deleted ORDER BY message_id DESC LIMIT ?",
        chat_id, limit,
    )  # fmt: skip
    return [render(world, chat_id, json.loads(row["body"]), row["reply_to"]) for row in reversed(rows)]


def change(world: World, chat: Obj, body: Obj, *, silent: bool = False) -> Obj:
    """Keep a message's new content, show it, and deliver a person's edit to the bot.

    Args:
        world: The emulator.
        chat: Where.
        body: All fields of the message, as `find` gave them and the caller changed them.
        silent: Whether it is no edit (a reaction, a thread mark) and gets no `edit_date`.
    """
    if not silent:
        body["edit_date"] = int(world.now())
    row = world.store.row(
        "UPDATE messages SET body = ? WHERE chat_id = ? AND message_id = ? RETURNING reply_to, author_id, seen_by_bot",
        json.dumps(body, ensure_ascii=False), chat["id"], body["message_id"],
    )  # fmt: skip
    message = render(world, chat["id"], body, None if row is None else row["reply_to"])
    for user_id in audience(world, chat["id"]):
        world.emit(user_id, {"type": "edited_message", "chat_id": chat["id"], "message": message})
    if row is not None and row["author_id"] != world.bot_id and row["seen_by_bot"] and not silent:
        kind = "edited_channel_post" if chat["type"] == "channel" else "edited_message"
        updates.enqueue(world, kind, message, f"chat {chat['id']}")
    return message


def delete(world: World, chat_id: int, message_ids: list[int]) -> None:
    """Take messages away; the bot is not told, as on Telegram."""
    for message_id in message_ids:
        world.store.run("UPDATE messages SET deleted = 1 WHERE chat_id = ? AND message_id = ?", chat_id, message_id)
    for user_id in audience(world, chat_id):
        world.emit(user_id, {"type": "deleted", "chat_id": chat_id, "message_ids": message_ids})
