"""What core's opaque `ReplyTo` means to the bot: a place in a chat, a message there, a language."""

import json
from dataclasses import asdict, dataclass

from core.model.ids import ChatId, ReplyTo


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer belongs.

    Attributes:
        chat_id: Our id of the chat: it outlives a migration of the group.
        thread_id: Forum topic, 0 for none.
        message_id: Telegram's id of the message that is answered, 0 for none.
        locale: Language of the answer's frame.
        reply: Answer as a reply (in groups, where others speak meanwhile).
    """

    chat_id: ChatId
    thread_id: int
    message_id: int
    locale: str
    reply: bool = False

    def pack(self) -> ReplyTo:
        """Write it for a row or a job."""
        return ReplyTo(json.dumps(asdict(self)))

    @classmethod
    def unpack(cls, value: str) -> "Place":
        """Read what `pack` wrote."""
        fields = json.loads(value)
        return cls(ChatId(fields.pop("chat_id")), **fields)
