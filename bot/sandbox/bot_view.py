"""What a bot never gets to see of what is kept."""

from __future__ import annotations

from typing import Any


def for_bot(value: Any) -> Any:
    """Return a copy without the markups that are no inline keyboards, at any depth.

    Reply keyboards and forced replies are the state of people's clients: Telegram never gives them back to the bot.
    """
    if isinstance(value, dict):
        return {key: for_bot(inner) for key, inner in value.items() if key != "reply_markup" or _is_inline(inner)}
    if isinstance(value, list):
        return [for_bot(inner) for inner in value]
    return value


def _is_inline(markup: Any) -> bool:
    return isinstance(markup, dict) and "inline_keyboard" in markup
