"""The methods of the Bot API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.sandbox.bot_api import (
    account,
    callbacks,
    chat_info,
    drafts,
    editing,
    forwarding,
    get_file,
    media,
    messages,
    moderation,
    payments,
    polls,
    rich_messages,
)
from bot.sandbox.params import Params
from bot.sandbox.world import World

Method = Callable[[World, Params], Any]
"""A method reads the call's parameters, changes the world and returns the `result`."""

MODULES = (
    account, callbacks, chat_info, drafts, editing, forwarding, get_file, media, messages, moderation, payments, polls,
    rich_messages,
)  # fmt: skip
"""Each has a table METHODS: the name of a method to the function."""

METHODS: dict[str, Method] = {name.lower(): method for module in MODULES for name, method in module.METHODS.items()}
"""Every method but getUpdates and those of the webhook, by its name in small letters."""
