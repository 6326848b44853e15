"""What a view returns: a message's content, free of any way to send it."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Button:
    """An inline button: exactly one of `data` (a packed callback) and `url` is set."""

    text: str
    data: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """One message.

    Attributes:
        text: Plain text with `entities`, or Telegram's HTML when `html` is true.
        entities: Telegram's own entity objects (UTF-16 offsets).
        keyboard: Rows of inline buttons.
        silent: No sound.
        quote: Words of the message replied to that the reply points at.
    """

    text: str
    html: bool = True
    entities: tuple[dict[str, Any], ...] = ()
    keyboard: tuple[tuple[Button, ...], ...] = field(default=())
    silent: bool = False
    quote: str = ""
