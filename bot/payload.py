"""What the outbox keeps of a message: its view and where in the chat it goes."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.views.view import Button, View


@dataclass(frozen=True, slots=True)
class Payload:
    """One message as stored.

    Attributes:
        thread_id: Forum topic, 0 for none.
        reply_to: Message answered, 0 for none; a missing one is no error.
        edits: Telegram's id of a message that shall get this content (one that this row did not send), 0 for a new one.
        locale: Language of what has to be said instead.
    """

    view: View
    thread_id: int = 0
    reply_to: int = 0
    edits: int = 0
    locale: str = ""

    def pack(self) -> str:
        """Write it as JSON."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def unpack(cls, value: str) -> "Payload":
        """Read what `pack` wrote."""
        fields: dict[str, Any] = json.loads(value)
        view = fields.pop("view")
        rows = tuple(tuple(Button(**button) for button in row) for row in view.pop("keyboard"))
        entities = tuple(view.pop("entities"))
        return cls(View(**view, keyboard=rows, entities=entities), **fields)

    def without_reply(self) -> "Payload":
        """Drop what makes it a reply: the message answered is gone, or its quote does not stand there."""
        return replace(self, reply_to=0, view=replace(self.view, quote=""))
