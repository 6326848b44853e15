"""An OpenAI-compatible server over a real socket, scripted by behaviours.

    async with FakeOpenAI() as server:
        server.script(rate_limited(2), streamed("Answer. [1]"))
        ... a client with base_url=server.url ...
        server.requests[-1]["messages"]

Without a script it behaves like a good model: it searches with the question, then writes two sentences taken from the
passages it was given and cites them, or refuses when none has a word of the question. `python -m
tests.fakes.openai_server --port 8099` serves it for trying the product by hand.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.fakes.openai_model import FakeModel, embed, encode_embedding, tool_call_deltas

Body = dict[str, Any]
Behaviour = Callable[["FakeOpenAI", web.Request, Body], Awaitable[web.StreamResponse]]
"""Answers one request."""

TOKEN_CHARS = 4
KEEP_ALIVE_S = 0.05


class FakeOpenAI:
    """The server: `url` to give to a client, `requests` that came in (bodies), scripted behaviours.

    Args:
        dimensions: Of its embeddings.
        models: Names it lists.
        token_pause_s: Pause between streamed tokens, to watch streaming by hand.
    """

    def __init__(
        self, *, dimensions: int = 64, models: tuple[str, ...] = ("fake-model",), token_pause_s: float = 0
    ) -> None:
        self.dimensions = dimensions
        self.models = models
        self.token_pause_s = token_pause_s
        self.requests: list[Body] = []
        self.embedding_requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.disconnected = asyncio.Event()
        self.stopping = asyncio.Event()
        self._scripts: dict[str, deque[Behaviour]] = {"chat": deque(), "embeddings": deque()}
        self._rules: list[tuple[Callable[[Body], bool], Behaviour]] = []
        self._runner: web.AppRunner | None = None
        self.url = ""

    def script(self, *behaviours: Behaviour) -> None:
        """Answer the next chat requests like this, one behaviour each, then as usual."""
        self._scripts["chat"].extend(behaviours)

    def script_embeddings(self, *behaviours: Behaviour) -> None:
        """Answer the next embedding requests like this."""
        self._scripts["embeddings"].extend(behaviours)

    def when(self, matches: Callable[[Body], bool], behaviour: Behaviour) -> None:
        """Answer every chat request that matches like this, unless something is scripted."""
        self._rules.append((matches, behaviour))

    def reset(self) -> None:
        """Forget scripts, rules and requests."""
        for script in self._scripts.values():
            script.clear()
        self._rules.clear()
        self.requests.clear()
        self.embedding_requests.clear()
        self.disconnected.clear()

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> None:
        """Begin to serve; port 0 takes a free one."""
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_get("/v1/models", self._list_models)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        self.url = f"http://{host}:{self._runner.addresses[0][1]}/v1"

    async def stop(self) -> None:
        """End, with silent requests let go first."""
        self.stopping.set()
        if self._runner is not None:
            await self._runner.cleanup()

    def wait_for_stop(self) -> asyncio.Task[bool]:
        """A task that ends when the server is told to stop."""
        return asyncio.get_running_loop().create_task(self.stopping.wait())

    async def __aenter__(self) -> FakeOpenAI:
        await self.start()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.stop()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append(dict(request.headers))
        script = self._scripts["chat"]
        if script:
            return await script.popleft()(self, request, body)
        for matches, behaviour in self._rules:
            if matches(body):
                return await behaviour(self, request, body)
        return await good_model(self, request, body)

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.embedding_requests.append(body)
        script = self._scripts["embeddings"]
        return await (script.popleft() if script else good_embeddings)(self, request, body)

    async def _list_models(self, _: web.Request) -> web.Response:
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "fake"} for name in self.models]
        return web.json_response({"object": "list", "data": data})


# --- how a reply is written ---------------------------------------------------------------------------------------


def chunk(delta: Body, finish: str | None = None) -> Body:
    """One streamed chunk."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "fake-model", "choices": [choice]}


async def send_event(response: web.StreamResponse, payload: Body | str) -> None:
    """Write one server-sent event."""
    data = payload if isinstance(payload, str) else json.dumps(payload)
    await response.write(f"data: {data}\n\n".encode())


async def open_stream(request: web.Request) -> web.StreamResponse:
    """Begin an event stream."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response


async def send_text(server: FakeOpenAI, response: web.StreamResponse, text: str) -> None:
    """Stream text in pieces of a few characters."""
    for at in range(0, len(text), TOKEN_CHARS):
        await send_event(response, chunk({"content": text[at : at + TOKEN_CHARS]}))
        if server.token_pause_s:
            await asyncio.sleep(server.token_pause_s)


async def finish_stream(response: web.StreamResponse, finish: str | None = "stop") -> web.StreamResponse:
    """End an event stream properly."""
    if finish:
        await send_event(response, chunk({}, finish))
    await send_event(response, "[DONE]")
    await response.write_eof()
    return response


async def reply_text(
    server: FakeOpenAI, request: web.Request, body: Body, text: str, finish: str = "stop"
) -> web.StreamResponse:
    """Answer with text, streamed if the client wants it so."""
    if not body.get("stream"):
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        whole = {"id": "c1", "object": "chat.completion", "created": 0, "model": "fake-model", "usage": usage}
        return web.json_response({**whole, "choices": [choice]})
    response = await open_stream(request)
    await send_event(response, chunk({"role": "assistant", "content": None}))
    await send_text(server, response, text)
    return await finish_stream(response, finish)


async def reply_calls(request: web.Request, calls: list[tuple[str, str]]) -> web.StreamResponse:
    """Answer with tool calls (name, arguments as they are), streamed in pieces."""
    response = await open_stream(request)
    for delta in tool_call_deltas(calls):
        await send_event(response, chunk(delta))
    return await finish_stream(response, "tool_calls")


# --- behaviours ---------------------------------------------------------------------------------------------------


async def good_model(server: FakeOpenAI, request: web.Request, body: Body) -> web.StreamResponse:
    """Search, then quote and cite, or refuse."""
    said = FakeModel(body).decide()
    if said.calls:
        return await reply_calls(request, said.calls)
    return await reply_text(server, request, body, said.text)


async def good_embeddings(server: FakeOpenAI, _: web.Request, body: Body) -> web.StreamResponse:
    """Hash the words of each input into a unit vector."""
    inputs = body["input"] if isinstance(body["input"], list) else [body["input"]]
    dimensions = body.get("dimensions") or server.dimensions
    as_base64 = body.get("encoding_format") == "base64"
    data = [
        {"object": "embedding", "index": at, "embedding": encode_embedding(embed(text, dimensions), as_base64)}
        for at, text in enumerate(inputs)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return web.json_response({"object": "list", "model": body["model"], "data": data, "usage": usage})


def streamed(text: str, finish: str = "stop") -> Behaviour:
    """Write this text."""

    async def behave(server: FakeOpenAI, request: web.Request, body: Body) -> web.StreamResponse:
        return await reply_text(server, request, body, text, finish)

    return behave


def events(*payloads: Body | str, done: bool = True) -> Behaviour:
    """Send these events as they are: chunks, or raw data."""

    async def behave(_: FakeOpenAI, request: web.Request, __: Body) -> web.StreamResponse:
        response = await open_stream(request)
        for payload in payloads:
            await send_event(response, payload)
        if done:
            await send_event(response, "[DONE]")
        await response.write_eof()
        return response

    return behave


def tool_calls(*calls: tuple[str, str]) -> Behaviour:
    """Call tools: (name, arguments); broken arguments are sent as they are."""

    async def behave(_: FakeOpenAI, request: web.Request, __: Body) -> web.StreamResponse:
        return await reply_calls(request, list(calls))

    return behave


def search(query: str) -> Behaviour:
    """Call search_sources."""
    return tool_calls(("search_sources", json.dumps({"query": query})))


def refusal(reason: str = "not there") -> Behaviour:
    """Call not_in_sources."""
    return tool_calls(("not_in_sources", json.dumps({"reason": reason})))


def wrong_citations(text: str = "Выдумка. [7] И ещё одна. [99]") -> Behaviour:
    """Cite passages that nobody gave."""
    return streamed(text)


def dropped(text: str = "Начало ответа") -> Behaviour:
    """Break the connection after this much text."""

    async def behave(server: FakeOpenAI, request: web.Request, _: Body) -> web.StreamResponse:
        response = await open_stream(request)
        await send_text(server, response, text)
        assert request.transport is not None
        request.transport.abort()
        return response

    return behave


def refused_connection() -> Behaviour:
    """Break the connection before any answer."""

    async def behave(_: FakeOpenAI, request: web.Request, __: Body) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    return behave


def silent(seconds: float, text: str = "", *, keep_alive: bool = False) -> Behaviour:
    """Write this much, then nothing for so long (or only keep-alive comments), then end."""

    async def behave(server: FakeOpenAI, request: web.Request, _: Body) -> web.StreamResponse:
        response = await open_stream(request)
        await send_text(server, response, text)
        until = asyncio.get_running_loop().time() + seconds
        try:
            while (left := until - asyncio.get_running_loop().time()) > 0 and not server.stopping.is_set():
                await asyncio.wait([stopping := server.wait_for_stop()], timeout=min(left, KEEP_ALIVE_S))
                stopping.cancel()
                if keep_alive:
                    await response.write(b": keep-alive\n\n")
            return await finish_stream(response)
        except (ConnectionError, asyncio.CancelledError):
            server.disconnected.set()
            return response

    return behave


def status(code: int, payload: Body | str, headers: dict[str, str] | None = None) -> Behaviour:
    """Answer with a status; a string is sent as HTML."""

    async def behave(_: FakeOpenAI, __: web.Request, ___: Body) -> web.StreamResponse:
        if isinstance(payload, str):
            return web.Response(status=code, text=payload, content_type="text/html", headers=headers)
        return web.json_response(payload, status=code, headers=headers)

    return behave


def error(
    code: int, message: str, kind: str = "invalid_request_error", headers: dict[str, str] | None = None
) -> Behaviour:
    """Answer with an error in OpenAI's shape."""
    return status(code, {"error": {"message": message, "type": kind, "code": kind, "param": None}}, headers)


def rate_limited(retry_after: float | str) -> Behaviour:
    """429 with its wait."""
    return error(429, "Rate limit reached", "rate_limit_exceeded", {"Retry-After": str(retry_after)})


def broken(code: int = 500) -> Behaviour:
    """A gateway's HTML page."""
    return status(code, "<html><body><h1>Bad Gateway</h1></body></html>")


def malformed() -> Behaviour:
    """An event stream whose data is not JSON."""
    return events(chunk({"content": "Нача"}), '{"choices": [{"delta": {"con')


def vectors(*embeddings: list[float]) -> Behaviour:
    """Answer an embedding request with these vectors."""
    data = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(embeddings)]
    return status(200, {"object": "list", "model": "fake-model", "data": data})


def no_tools() -> Behaviour:
    """400 whenever tools are sent, else as usual: give it to `when(wants_tools, ...)`."""
    return error(400, "registry/fake-model does not support tools")


def wants_tools(body: Body) -> bool:
    """Whether the request offers tools."""
    return bool(body.get("tools"))


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(description="A fake OpenAI-compatible server.")
    parser.add_argument("--port", type=int, default=8099)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--pause", type=float, default=0.02, help="seconds between tokens")
    arguments = parser.parse_args()
    asyncio.run(_serve(arguments.port, arguments.dimensions, arguments.pause))


async def _serve(port: int, dimensions: int, pause_s: float) -> None:
    server = FakeOpenAI(dimensions=dimensions, token_pause_s=pause_s)
    await server.start(port)
    print(f"OPENAI_BASE_URL={server.url}", flush=True)
    try:
        await server.stopping.wait()
    finally:
        await server.stop()


if __name__ == "__main__":
    main()
