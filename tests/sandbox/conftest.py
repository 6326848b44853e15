"""A sandbox of one's own for each test, and a hand to play it with."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import pytest

from bot.sandbox import Sandbox, start_sandbox

TOKEN = "42:SANDBOX"
MEMORY = "/dev/shm"
Obj = dict[str, Any]


class Play:
    """Calls the Bot API as a bot and the sandbox API as people."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self.session = session
        self.url = url

    async def call(self, method: str, **params: Any) -> Obj:
        """Call a Bot API method with JSON and return the whole answer."""
        async with self.session.post(f"{self.url}/bot{TOKEN}/{method}", json=params) as response:
            answer: Obj = await response.json()
            assert response.status == answer.get("error_code", 200)
            return answer

    async def ok(self, method: str, **params: Any) -> Any:
        """Call a method that must succeed and return its result."""
        answer = await self.call(method, **params)
        assert answer["ok"], answer
        return answer["result"]

    async def refusal(self, method: str, **params: Any) -> str:
        """Call a method that must be refused and return the description."""
        answer = await self.call(method, **params)
        assert not answer["ok"], answer
        return str(answer["description"])

    async def people(self, verb: str, path: str, status: int = 200, **options: Any) -> Any:
        """Call the sandbox API and return the JSON."""
        async with self.session.request(verb, f"{self.url}/sandbox{path}", **options) as response:
            body = await response.json()
            assert response.status == status, body
            return body

    async def user(self, name: str = "Ada", **more: Any) -> Obj:
        """Add a person."""
        return await self.people("POST", "/users", json={"first_name": name, **more})

    async def friend(self, name: str = "Ada", **more: Any) -> Obj:
        """Add a person who has pressed Start, and take that update away."""
        user = await self.user(name, **more)
        await self.say(user, "/start")
        await self.updates()
        return user

    async def group(self, *users: Obj, kind: str = "supergroup", **more: Any) -> Obj:
        """Add a group with the bot in it, and take the updates of that away."""
        ids = [user["id"] for user in users]
        chat = await self.people("POST", "/chats", json={"title": "Club", "type": kind, "member_ids": ids, **more})
        await self.updates()
        return chat

    async def say(self, user: Obj, text: str, chat: Obj | None = None, **more: Any) -> Obj:
        """Write as a person, in the private chat if no other is named."""
        place = user["id"] if chat is None else chat["id"]
        path = f"/users/{user['id']}/chats/{place}/messages"
        return (await self.people("POST", path, json={"text": text, **more}))[0]

    async def upload(self, user: Obj, *files: tuple[str, Any], chat: Obj | None = None, **fields: str) -> list[Obj]:
        """Send files as a person."""
        form = aiohttp.FormData(quote_fields=False)
        for name, value in fields.items():
            form.add_field(name, value)
        for name, content in files:
            form.add_field("file", content, filename=name)
        place = user["id"] if chat is None else chat["id"]
        return await self.people("POST", f"/users/{user['id']}/chats/{place}/messages", data=form)

    async def updates(self, **params: Any) -> list[Obj]:
        """Take all waiting updates and confirm them."""
        found: list[Obj] = await self.ok("getUpdates", **params)
        if found:
            await self.ok("getUpdates", offset=max(update["update_id"] for update in found) + 1, limit=1)
        return found

    async def history(self, user: Obj, chat: Obj | None = None) -> list[Obj]:
        """Read a chat as a person."""
        place = user["id"] if chat is None else chat["id"]
        return await self.people("GET", f"/users/{user['id']}/chats/{place}/messages")

    async def press(self, user: Obj, message: Obj, data: str) -> Obj:
        """Press a button and wait for the answer."""
        order = {"chat_id": message["chat"]["id"], "message_id": message["message_id"], "data": data}
        return await self.people("POST", f"/users/{user['id']}/callbacks", json=order)

    async def until(self, ready: Callable[[], Any], seconds: float = 10) -> Any:
        """Ask a question over HTTP again and again until its answer is true."""
        async with asyncio.timeout(seconds):
            while not (answer := await ready()):
                pass
            return answer

    async def events(self, user: Obj) -> aiohttp.ClientWebSocketResponse:
        """Open a person's event stream."""
        return await self.session.ws_connect(f"{self.url}/sandbox/users/{user['id']}/events")


async def next_event(socket: aiohttp.ClientWebSocketResponse, kind: str) -> Obj:
    """Return the next event of a kind."""
    async with asyncio.timeout(5):
        while True:
            event: Obj = json.loads((await socket.receive()).data)
            if event["type"] == kind:
                return event


@pytest.fixture
def await_event() -> Callable[..., Any]:
    """The function that waits for an event of a kind."""
    return next_event


@contextmanager
def memory_dir() -> Iterator[Path]:
    """A directory in memory where there is one: hundreds of new stores need not wait for a disk."""
    with TemporaryDirectory(prefix="sandbox-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as path:
        yield Path(path)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """The directory of this test's sandbox."""
    with memory_dir() as path:
        yield path


@pytest.fixture
async def sandbox(data_dir: Path) -> AsyncIterator[Sandbox]:
    """A running sandbox with an empty state; a webhook is tried again after 10 ms."""
    running = await start_sandbox(data_dir, TOKEN, webhook_pause_s=0.01)
    yield running
    await running.close()


@pytest.fixture
async def play(sandbox: Sandbox) -> AsyncIterator[Play]:
    """A hand on the running sandbox."""
    async with aiohttp.ClientSession() as session:
        yield Play(session, sandbox.url)


@pytest.fixture(scope="module")
async def shared_play() -> AsyncIterator[Play]:
    """A hand on a sandbox that the tests of a module share: for tables of calls that change nothing."""
    with memory_dir() as path:
        running = await start_sandbox(path, TOKEN)
        async with aiohttp.ClientSession() as session:
            yield Play(session, running.url)
        await running.close()


@pytest.fixture
async def hand_on() -> AsyncIterator[Callable[[str], Play]]:
    """Makes a hand on any sandbox by its URL."""
    async with aiohttp.ClientSession() as session:
        yield lambda url: Play(session, url)
