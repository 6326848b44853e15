"""Topics of a forum: each begins with its own service message, whose number it bears."""

from __future__ import annotations

from bot.sandbox import messages
from bot.sandbox.world import Obj, World

ICON_COLOR = 7322096


def create(world: World, chat: Obj, actor: Obj, name: str) -> Obj:
    """Open a topic and return it as a `ForumTopic`."""
    row = world.store.row("SELECT next_message_id AS n FROM chats WHERE id = ?", chat["id"])
    thread_id = max(int(row["n"]) if row else 1, 2)  # 1 is General's number and no topic's
    world.store.run("UPDATE chats SET next_message_id = ? WHERE id = ?", thread_id, chat["id"])
    world.store.run("INSERT INTO topics VALUES (?, ?, ?)", chat["id"], thread_id, name)
    thread = {"message_thread_id": thread_id, "is_topic_message": True}
    messages.post(world, chat, actor, {**thread, "forum_topic_created": {"name": name, "icon_color": ICON_COLOR}})
    return {"message_thread_id": thread_id, "name": name, "icon_color": ICON_COLOR}
