"""A chat model behind any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import openai
from openai import AsyncStream
from openai.types.chat import ChatCompletionChunk

from core.adapters.llm.request_shape import RequestShape
from core.adapters.llm.stream_filter import HELD_CHARS, StreamFilter, clean
from core.adapters.llm.tool_calls import REFUSE, REFUSE_TOOL, SEARCH, SEARCH_TOOL, ToolCall
from core.adapters.llm.turn import StreamedTurn
from core.adapters.openai_client import CONNECT_S, open_client
from core.adapters.openai_errors import translate, translated_errors
from core.ports.models import ChatMessage, ModelReply, SearchTool

JITTER = (0.5, 1.5)
"""Factors of the pause before the one retry; random, so that workers do not come back together."""
WINDING_UP = 2
"""Turns after the last search: one to answer or refuse, one without tools for a model that keeps calling them."""

_NO_MORE = "No more searches. Answer from the passages you have, or call not_in_sources."
_NO_QUERY = 'The arguments must be {"query": "..."}.'
_NO_TOOL = f"There is no such tool. There are {SEARCH} and {REFUSE}."


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Where a chat model is and how to ask it.

    Attributes:
        base_url: With its `/v1`.
        api_key: "" for local servers that want none.
        window_tokens: The model's window.
        answer_tokens: Longest answer.
        temperature: Low: answers stay close to their passages.
        silence_s: Longest silence between streamed chunks, and before the first.
        connect_s: Longest wait for a connection.
        pause_s: Mean pause before the one retry.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    window_tokens: int = 32_000
    answer_tokens: int = 2_000
    temperature: float = 0.2
    silence_s: float = 30.0
    connect_s: float = CONNECT_S
    pause_s: float = 0.5


class OpenAICompatible:
    """The port `LanguageModel` over the openai client."""

    def __init__(self, endpoint: ChatEndpoint) -> None:
        self.name = endpoint.model
        self.window_tokens = endpoint.window_tokens
        self._endpoint = endpoint
        self._shape = RequestShape(endpoint.model, endpoint.temperature)
        self._client = open_client(
            endpoint.base_url, endpoint.api_key, silence_s=endpoint.silence_s, connect_s=endpoint.connect_s
        )

    async def answer(
        self, messages: Sequence[ChatMessage], search_sources: SearchTool, *, max_searches: int
    ) -> AsyncIterator[ModelReply]:
        """Stream an answer, see the port."""
        talk: list[dict[str, Any]] = [_as_dict(message) for message in messages]
        left = max_searches
        for winding_up in range(max_searches + WINDING_UP + 1):
            last = winding_up == max_searches + WINDING_UP
            turn = StreamedTurn(StreamFilter(HELD_CHARS if self._shape.tools and not last else 0))
            async with aclosing(self._stream(talk, turn, _tools(left, last))) as texts:
                async for text in texts:
                    yield ModelReply(text)
            if turn.refused:
                yield ModelReply(finish="refused")
                return
            if not turn.calls.calls or last:
                for reply in turn.ending():
                    yield reply
                return
            left = await _use_tools(turn, talk, search_sources, left)

    async def complete(self, messages: Sequence[ChatMessage], *, max_tokens: int) -> str:
        """Answer at once, see the port; thoughts are dropped, an empty answer is a TransientError."""
        talk = [_as_dict(message) for message in messages]
        turn = StreamedTurn(StreamFilter(may_refuse=False))
        async for _ in self._stream(talk, turn, {}, max_tokens=max_tokens):
            pass
        turn.end()
        return turn.shown

    async def close(self) -> None:
        """Free the connections."""
        await self._client.close()

    async def _stream(
        self, talk: list[dict[str, Any]], turn: StreamedTurn, tools: dict[str, Any], *, max_tokens: int | None = None
    ) -> AsyncGenerator[str, None]:
        """Give one turn's visible text and fill `turn`."""
        stream = await self._open(talk, tools, max_tokens or self._endpoint.answer_tokens)
        try:
            with translated_errors("llm", streaming=True):
                while (chunk := await self._next(stream)) is not None:
                    if shown := turn.take(chunk):
                        yield shown
        finally:
            await stream.close()

    async def _next(self, stream: AsyncStream[ChatCompletionChunk]) -> ChatCompletionChunk | None:
        """The next chunk, None at the end; keep-alive comments do not count as a sign of life."""
        async with asyncio.timeout(self._endpoint.silence_s):
            return await anext(stream, None)

    async def _open(
        self, talk: list[dict[str, Any]], tools: dict[str, Any], max_tokens: int
    ) -> AsyncStream[ChatCompletionChunk]:
        """Open a stream; what the endpoint does not know is left out, a failure to connect is tried once more."""
        tries = 0
        while True:
            request = self._shape.request(talk, tools, max_tokens)
            try:
                async with asyncio.timeout(self._endpoint.silence_s + self._endpoint.connect_s):
                    stream: AsyncStream[ChatCompletionChunk]
                    stream = await self._client.chat.completions.create(**request, stream=True)
                    return stream
            except openai.APIStatusError as error:
                if self._shape.learn(error, request):
                    continue
                if error.status_code < 500 or tries:
                    raise translate(error, "llm") from error
            except (openai.OpenAIError, TimeoutError, json.JSONDecodeError) as error:
                if tries or not _is_connection(error):
                    raise translate(error, "llm") from error
            tries += 1
            await asyncio.sleep(self._endpoint.pause_s * random.uniform(*JITTER))


def _is_connection(error: Exception) -> bool:
    return isinstance(error, openai.APIConnectionError) and not isinstance(error, openai.APITimeoutError)


def _as_dict(message: ChatMessage) -> dict[str, Any]:
    return {"role": message.role, "content": clean(message.content)}


def _tools(left: int, last: bool) -> dict[str, Any]:
    """The tools of a turn: no search when none is left, and none to be used in the last turn of all."""
    tools = [SEARCH_TOOL, REFUSE_TOOL] if left > 0 else [REFUSE_TOOL]
    return {"tools": tools, "tool_choice": "none" if last else "auto"}


async def _use_tools(turn: StreamedTurn, talk: list[dict[str, Any]], search: SearchTool, left: int) -> int:
    """Run the turn's calls and put them with their results into the conversation; gives the searches left."""
    calls = turn.calls.calls
    talk.append({"role": "assistant", "content": None, "tool_calls": [call.as_message() for call in calls]})
    for call in calls:
        result, left = await _result(call, search, left)
        talk.append({"role": "tool", "tool_call_id": call.id, "content": clean(result)})
    return left


async def _result(call: ToolCall, search: SearchTool, left: int) -> tuple[str, int]:
    if call.name != SEARCH:
        return _NO_TOOL, left
    if left <= 0:
        return _NO_MORE, left
    return (await search(call.query) if call.query else _NO_QUERY), left - 1
