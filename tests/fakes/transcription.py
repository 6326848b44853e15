"""An OpenAI-compatible transcription server over a real socket that really listens.

It decodes what is posted and hears tones: each of `WORDS` has a frequency of its own (`tests.fakes.tones` plays them),
so that order, times and cuts can be told. It can be told to misbehave:

    async with FakeTranscription() as server:
        server.script(refusal(429, "Rate limit reached", {"Retry-After": "0.01"}), crash())
        server.when(lambda heard: "берег" in heard.words, crash())
        server.formats = {"json"}
        ... a client with base_url=server.url ...
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fakes.tones import Heard, listen

Body = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request: its fields, its file as it came, and what is in it."""

    fields: dict[str, str]
    headers: dict[str, str]
    file_name: str
    media_type: str
    sound: bytes
    heard: tuple[Heard, ...]
    seconds: float

    @property
    def words(self) -> list[str]:
        return [one.word for one in self.heard]


Behaviour = Callable[["FakeTranscription", web.Request, Asked], Awaitable[web.StreamResponse]]


class FakeTranscription:
    """The server.

    Attributes:
        url: To give to a client.
        requests: What came in.
        formats: Response formats that it gives; others are refused as OpenAI refuses them.
        max_bytes: Above it a file is refused with 413.
        most_at_once: Requests that were in work at the same time, at most.
    """

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Asked] = []
        self.formats = {"verbose_json", "json", "text"}
        self.max_bytes = 25_000_000
        self.most_at_once = 0
        self.hanging = asyncio.Event()
        self.stopping = asyncio.Event()
        self._at_once = 0
        self._script: deque[Behaviour] = deque()
        self._rules: list[tuple[Callable[[Asked], bool], Behaviour]] = []
        self._runner: web.AppRunner | None = None

    def script(self, *behaviours: Behaviour) -> None:
        """Answer the next requests like this, then as usual."""
        self._script.extend(behaviours)

    def when(self, matches: Callable[[Asked], bool], behaviour: Behaviour) -> None:
        """Answer every request that matches like this, unless something is scripted."""
        self._rules.append((matches, behaviour))

    async def __aenter__(self) -> FakeTranscription:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/audio/transcriptions", self._transcribe)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.stopping.set()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _transcribe(self, request: web.Request) -> web.StreamResponse:
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            return await self._answer(request)
        finally:
            self._at_once -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        asked = await _read(request)
        self.requests.append(asked)
        if self._script:
            return await self._script.popleft()(self, request, asked)
        for matches, behaviour in self._rules:
            if matches(asked):
                return await behaviour(self, request, asked)
        return await good(self, request, asked)


async def _read(request: web.Request) -> Asked:
    form = await request.post()
    file = form["file"]
    assert isinstance(file, web.FileField)
    sound = file.file.read()
    heard, seconds = await asyncio.to_thread(listen, sound)
    fields = {name: str(value) for name, value in form.items() if name != "file"}
    return Asked(fields, dict(request.headers), file.filename, file.content_type, sound, heard, seconds)


# --- behaviours ---------------------------------------------------------------------------------------------------


async def good(server: FakeTranscription, request: web.Request, asked: Asked) -> web.StreamResponse:
    """Write down the tones, one segment each, in the format that was asked for, as far as it gives it."""
    wanted = asked.fields.get("response_format", "json")
    if len(asked.sound) > server.max_bytes:
        return _error(413, "Maximum content size limit exceeded", {})
    if wanted not in server.formats:
        return _error(400, f"response_format '{wanted}' is not compatible with model '{asked.fields['model']}'", {})
    text = " ".join(f"{word}." for word in asked.words)
    return _spoken(wanted, text, [segment(one.start_s, one.end_s, f" {one.word}.") for one in asked.heard], asked)


def segment(start: float, end: float, text: str, **more: float) -> Body:
    """A segment as Whisper gives it."""
    numbers = {"no_speech_prob": 0.01, "avg_logprob": -0.2, "compression_ratio": 1.1, "temperature": 0.0, **more}
    return {"id": 0, "seek": 0, "start": start, "end": end, "text": text, "tokens": [], **numbers}


def says(*segments: Body) -> Behaviour:
    """Answer with these segments."""

    async def behave(_: FakeTranscription, __: web.Request, asked: Asked) -> web.StreamResponse:
        text = "".join(one["text"] for one in segments)
        return _spoken(asked.fields.get("response_format", "json"), text, list(segments), asked)

    return behave


def refusal(status: int, message: str = "no", headers: dict[str, str] | None = None, code: str = "") -> Behaviour:
    """Answer with an error in OpenAI's shape."""

    async def behave(_: FakeTranscription, __: web.Request, ___: Asked) -> web.StreamResponse:
        return _error(status, message, headers or {}, code)

    return behave


def crash() -> Behaviour:
    """A gateway's page with status 500."""
    return page(500)


def page(status: int = 200) -> Behaviour:
    """An HTML page."""

    async def behave(_: FakeTranscription, __: web.Request, ___: Asked) -> web.StreamResponse:
        return web.Response(status=status, text="<html><body>Bad Gateway</body></html>", content_type="text/html")

    return behave


def raw(text: str, content_type: str = "application/json") -> Behaviour:
    """This body, whatever was asked for."""

    async def behave(_: FakeTranscription, __: web.Request, ___: Asked) -> web.StreamResponse:
        return web.Response(text=text, content_type=content_type)

    return behave


def dropped() -> Behaviour:
    """Break the connection."""

    async def behave(_: FakeTranscription, request: web.Request, __: Asked) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    return behave


def hang() -> Behaviour:
    """Never answer."""

    async def behave(server: FakeTranscription, _: web.Request, __: Asked) -> web.StreamResponse:
        server.hanging.set()
        with contextlib.suppress(asyncio.CancelledError):
            await server.stopping.wait()
        return web.Response()

    return behave


def _spoken(wanted: str, text: str, segments: list[Body], asked: Asked) -> web.Response:
    if wanted == "text":
        return web.Response(text=text + "\n", content_type="text/plain")
    body: Body = {"text": text}
    if wanted == "verbose_json":
        body |= {"task": "transcribe", "language": "russian", "duration": asked.seconds, "segments": segments}
    return web.json_response(body)


def _error(status: int, message: str, headers: dict[str, str], code: str = "") -> web.Response:
    kind = code or "invalid_request_error"
    body = {"error": {"message": message, "type": kind, "code": code or None, "param": None}}
    return web.json_response(body, status=status, headers=headers)
