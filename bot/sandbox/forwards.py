"""What a forwarded message keeps of the original."""

from __future__ import annotations

from bot.sandbox.replies import origin_of
from bot.sandbox.world import Obj, World

LEFT_BEHIND = frozenset({
    "message_id", "from", "sender_chat", "date", "edit_date", "message_thread_id", "is_topic_message", "quote",
    "external_reply", "is_automatic_forward", "reply_markup", "author_signature", "media_group_id",
})  # fmt: skip
"""Fields that belong to the place a message came from."""


def forwarded(world: World, chat_id: int, message: Obj) -> Obj:
    """Return the content of a forward of a kept message."""
    content = {key: value for key, value in message.items() if key not in LEFT_BEHIND}
    return {"forward_origin": origin_of(world, chat_id, message), **content}
