"""People of the sandbox: what they do, and what they see happen in their chats."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

import aiohttp

Json = dict[str, Any]
Seen = TypeVar("Seen")

_forged = count(1)

PATIENCE_S = 40.0
"""How long anything may take on a machine that others use too; nobody waits this long for what has happened."""


@dataclass
class Telegram:
    """The sandbox's side that people and tests see."""

    http: aiohttp.ClientSession
    url: str

    async def call(self, verb: str, path: str, **options: Any) -> Any:
        """Call the sandbox API."""
        async with self.http.request(verb, f"{self.url}/sandbox{path}", **options) as response:
            body = await response.json()
            assert response.status == 200, body
            return body

    async def bot_calls(self, method: str, *, since: int = 0, **params: Any) -> list[Json]:
        """List the bot's calls of a method that had these parameters."""
        calls = await self.call("GET", "/calls", params={"method": method, "since": str(since)})
        return [call for call in calls if all(str(call["params"].get(key)) == str(params[key]) for key in params)]

    async def last_call(self) -> int:
        """Name the newest call, to ask later what came after it."""
        calls = await self.call("GET", "/calls")
        return calls[-1]["id"] if calls else 0

    async def bot_called(self, method: str, *, since: int = 0, times: int = 1, **params: Any) -> list[Json]:
        """Wait until the bot has called a method with these parameters so many times."""

        async def look() -> list[Json]:
            found = await self.bot_calls(method, since=since, **params)
            return found if len(found) >= times else []

        return await until(look, f"{times} × {method} with {params}")

    async def fault(self, kind: str, **order: Any) -> None:
        """Order a failure."""
        await self.call("POST", "/faults", json={"kind": kind, **order})

    async def update(self, **fields: Any) -> int:
        """Deliver a raw update."""
        return (await self.call("POST", "/updates", json=fields))["update_id"]


async def until(look: Callable[[], Awaitable[Seen]], what: str, seconds: float = PATIENCE_S) -> Seen:
    """Ask again until the answer is true: for what no event tells of."""
    try:
        async with asyncio.timeout(seconds):
            while True:
                if found := await look():
                    return found
                await asyncio.sleep(0.03)
    except TimeoutError:
        raise AssertionError(f"not within {seconds} s: {what}") from None


@dataclass
class Person:
    """One person with a phone: everything they see is kept as it was and as it is.

    Attributes:
        events: All that happened, oldest first, as the sandbox's WebSocket tells it.
        chats: Chat to its messages by id, with edits applied and deleted ones away.
    """

    telegram: Telegram
    user: Json
    events: list[Json] = field(default_factory=list)
    chats: dict[int, dict[int, Json]] = field(default_factory=dict)
    _more: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def id(self) -> int:
        """The person's id, and that of their private chat."""
        return int(self.user["id"])

    # --- what they do ---

    async def say(self, text: str, chat: int = 0, **more: Any) -> Json:
        """Write a text."""
        return (await self._post(chat, "messages", json={"text": text, **more}))[0]

    async def send_file(self, content: bytes, name: str, chat: int = 0, **fields: Any) -> Json:
        """Send one file."""
        return (await self.send_album({name: content}, chat, **fields))[0]

    async def send_album(self, files: dict[str, bytes], chat: int = 0, **fields: Any) -> list[Json]:
        """Send files as one album."""
        form = aiohttp.FormData(quote_fields=False)
        for key, value in fields.items():
            form.add_field(key, str(value))
        for name, content in files.items():
            form.add_field("file", io.BytesIO(content), filename=name)
        return await self._post(chat, "messages", data=form)

    async def forward(self, text: str, author: str = "Иван Петров", chat: int = 0, **origin: Any) -> Json:
        """Forward somebody's words."""
        where = origin or {"type": "hidden_user", "sender_user_name": author}
        return (await self._post(chat, "forward", json={"origin": where, "text": text}))[0]

    async def edit(self, message: Json, text: str) -> None:
        """Change one's own message."""
        path = f"/users/{self.id}/chats/{message['chat']['id']}/messages/{message['message_id']}"
        await self.telegram.call("PUT", path, json={"text": text})

    async def tap(self, label: str, message: Json | None = None, *, wait: bool = True) -> Json:
        """Tap the button whose label holds this text, under the newest message that has one."""
        under = message or await self.sees(lambda shown: _button(shown, label))
        under = self.now(under)
        button = _button(under, label)
        assert button, f"no button {label!r} among {labels(under)}"
        return await self.press(under, button["callback_data"], wait=wait)

    async def press(self, message: Json, data: str, *, wait: bool = True) -> Json:
        """Press the button with this data."""
        order = {"chat_id": message["chat"]["id"], "message_id": message["message_id"], "data": data, "wait": wait}
        return await self.telegram.call("POST", f"/users/{self.id}/callbacks", json=order)

    async def forge(self, message: Json, data: str) -> Json:
        """Press a button that the message does not have, and return what the bot answered."""
        query_id = str(next(_forged))
        since = await self.telegram.last_call()
        query = {"id": query_id, "from": self.user, "message": message, "chat_instance": "1", "data": data}
        await self.telegram.update(callback_query=query)
        called = await self.telegram.bot_called("answerCallbackQuery", since=since, callback_query_id=query_id)
        return dict(called[0]["params"])

    async def stop_draft(self) -> None:
        """Press the stop button of the draft that is being written."""
        await self.telegram.call("POST", f"/users/{self.id}/stop_draft")

    # --- what they see ---

    async def wait_for(self, seen: Callable[[], Seen], what: str, seconds: float = PATIENCE_S) -> Seen:
        """Wait until something can be seen, looking again at every event."""
        try:
            async with asyncio.timeout(seconds):
                while not (found := seen()):
                    self._more.clear()
                    await self._more.wait()
                return found
        except TimeoutError:
            shown = "\n".join(f"  {line(message)}" for chat in self.chats.values() for message in chat.values())
            raise AssertionError(f"{self.user['first_name']} never saw {what}; the chats show:\n{shown}") from None

    async def sees(
        self,
        what: str | Callable[[Json], Any],
        chat: int = 0,
        *,
        after: Json | None = None,
        seconds: float = PATIENCE_S,
    ) -> Json:
        """Wait for a message of the bot, in its present state, that holds a text or fits; the newest one.

        Args:
            what: A part of its text, or a question about the message.
            chat: Where; 0 means the private chat.
            after: A message that it must come after.
            seconds: How long to wait at most.
        """
        fits = (lambda message: what in text_of(message)) if isinstance(what, str) else what

        def look() -> Json | None:
            newer = [one for one in self.from_bot(chat) if not after or one["message_id"] > after["message_id"]]
            return next((one for one in reversed(newer) if fits(one)), None)

        return await self.wait_for(look, f"a message with {what!r}", seconds)

    def from_bot(self, chat: int = 0) -> list[Json]:
        """The bot's messages in a chat, oldest first."""
        held = self.chats.get(chat or self.id, {})
        return [held[key] for key in sorted(held) if held[key].get("from", {}).get("is_bot") and text_of(held[key])]

    def now(self, message: Json) -> Json:
        """A message in its present state."""
        return self.chats[message["chat"]["id"]][message["message_id"]]

    def history(self, message: Json) -> list[Json]:
        """All states of a message, oldest first."""
        key = (message["chat"]["id"], message["message_id"])
        states = [event["message"] for event in self.events if event["type"] in ("message", "edited_message")]
        return [one for one in states if (one["chat"]["id"], one["message_id"]) == key]

    def heard(self, message: Json) -> bool:
        """Whether a message came with a sound."""
        key = (message["chat"]["id"], message["message_id"])
        came = [event for event in self.events if event["type"] == "message"]
        return any(
            not event.get("silent") for event in came
            if (event["message"]["chat"]["id"], event["message"]["message_id"]) == key
        )  # fmt: skip

    def drafts(self) -> list[str]:
        """The texts of drafts so far."""
        return [event["text"] for event in self.events if event["type"] == "draft" and "text" in event]

    # --- how they see it ---

    async def watch(self, connected: asyncio.Event) -> None:
        """Follow what happens until cancelled."""
        async with self.telegram.http.ws_connect(f"{self.telegram.url}/sandbox/users/{self.id}/events") as socket:
            connected.set()
            async for frame in socket:
                self._take(json.loads(frame.data))

    def _take(self, event: Json) -> None:
        self.events.append(event)
        held = self.chats.setdefault(event["chat_id"], {})
        if event["type"] in ("message", "edited_message"):
            held[event["message"]["message_id"]] = event["message"]
        elif event["type"] == "deleted":
            for message_id in event["message_ids"]:
                held.pop(message_id, None)
        self._more.set()

    async def _post(self, chat: int, what: str, **options: Any) -> list[Json]:
        return await self.telegram.call("POST", f"/users/{self.id}/chats/{chat or self.id}/{what}", **options)


def text_of(message: Json) -> str:
    """A message's words."""
    return str(message.get("text") or message.get("caption") or "")


def buttons(message: Json) -> list[Json]:
    """A message's inline buttons."""
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    return [button for row in rows for button in row]


def labels(message: Json) -> list[str]:
    """The labels of a message's buttons."""
    return [button["text"] for button in buttons(message)]


def line(message: Json) -> str:
    """A message in one line, for a test's failure."""
    who = "bot" if message.get("from", {}).get("is_bot") else message.get("from", {}).get("first_name", "?")
    return f"{message['message_id']} {who}: {text_of(message)!r} {labels(message) or ''}"


def _button(message: Json, label: str) -> Json | None:
    return next((one for one in buttons(message) if label in one["text"] and "callback_data" in one), None)
