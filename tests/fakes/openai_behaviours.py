"""What the fake OpenAI server can be told to do: good answers, and every known way to misbehave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fakes.openai_model import FakeModel, describe, embed, encode_embedding, tool_call_deltas

if TYPE_CHECKING:
    from tests.fakes.openai_server import FakeOpenAI

Body = dict[str, Any]
Behaviour = Callable[["FakeOpenAI", web.Request, Body], Awaitable[web.StreamResponse]]
"""Answers one request."""

TOKEN_CHARS = 4
KEEP_ALIVE_S = 0.05


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


async def good_insights(server: FakeOpenAI, request: web.Request, body: Body) -> web.StreamResponse:
    """Describe the document that was given, in its own words, at once: nobody watches it being written."""
    text = json.dumps(describe(body), ensure_ascii=False)
    if not body.get("stream"):
        return await reply_text(server, request, body, text)
    response = await open_stream(request)
    await send_event(response, chunk({"role": "assistant", "content": text}))
    return await finish_stream(response)


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


def wants_insights(body: Body) -> bool:
    """Whether the request gives a document to describe."""
    return any(str(message.get("content")).startswith("<document>") for message in body["messages"])
