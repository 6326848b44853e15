"""Everything the emulator knows while it runs, in one place."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.sandbox.events import Bus
from bot.sandbox.faults import Faults
from bot.sandbox.store import Store

Obj = dict[str, Any]
"""A JSON object of the Bot API."""


@dataclass
class Draft:
    """A streaming preview in a private chat; it lives in memory only, as it is never history."""

    draft_id: int
    expires_at: float
    can_stop: bool
    keep_on_stop: bool
    thread_id: int | None
    stopped: bool = False


@dataclass
class World:
    """The store and what need not outlive the process.

    Attributes:
        token: The bot's token; its number is the bot's user id.
        data: Directory of the store and of the files.
        wakers: Called whenever an update was added: the poll and the webhook's courier.
        waiting: Callback query ids whose person waits for the answer.
        drafts: User id to the draft shown to them.
        closed: Whether the store is closed and timers must do nothing.
        local: Whether it plays a Bot API server in local mode: files of any size, named by a path on its disk.
        local_as: Directory in which such paths are said to be, for a bot on another machine; "": where they are.
    """

    token: str
    data: Path
    store: Store
    bus: Bus = field(default_factory=Bus)
    faults: Faults = field(default_factory=Faults)
    wakers: set[Callable[[], None]] = field(default_factory=set)
    waiting: dict[str, asyncio.Future[Obj]] = field(default_factory=dict)
    drafts: dict[int, Draft] = field(default_factory=dict)
    closed: bool = False
    local: bool = False
    local_as: str = ""

    @property
    def bot_id(self) -> int:
        """The bot's user id."""
        return int(self.token.partition(":")[0])

    def bot_user(self) -> Obj:
        """Return the bot as a `User`."""
        name = self.store.get("bot name", "Sandbox")
        return {"id": self.bot_id, "is_bot": True, "first_name": name, "username": self.store.get("bot username")}

    @property
    def privacy(self) -> bool:
        """Whether the bot sees only its own business in groups."""
        return bool(self.store.get("privacy", True))

    def now(self) -> float:
        """Return the sandbox's time, Unix seconds: the real time and what the clock was advanced by."""
        return time.time() + float(self.store.get("clock advance", 0.0))

    def advance(self, seconds: float) -> None:
        """Move the sandbox's clock forward."""
        self.store.put("clock advance", self.store.get("clock advance", 0.0) + seconds)

    def wake(self) -> None:
        """Tell whoever delivers updates that there are new ones."""
        for waker in list(self.wakers):
            waker()

    def emit(self, user_id: int, event: Obj) -> None:
        """Show an event to a person once the present transaction is committed."""
        self.store.after_commit(lambda: self.bus.publish(user_id, event))


def open_world(data: Path, token: str) -> World:
    """Open or create the state in a directory."""
    (data / "files").mkdir(parents=True, exist_ok=True)
    (data / "uploads").mkdir(exist_ok=True)
    for leftover in (data / "uploads").iterdir():
        leftover.unlink()
    world = World(token, data, Store(data / "sandbox.sqlite"))
    if world.store.get("bot username") is None:
        world.store.put("bot username", "konspekt_sandbox_bot")
    return world
