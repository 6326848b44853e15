"""The two tools a chat model gets, and how its streamed calls are put together."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from openai.types.chat import ChatCompletionToolParam
from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall

SEARCH = "search_sources"
REFUSE = "not_in_sources"
QUERY_CHARS = 500
"""Of a query; more is a model that went astray."""

SEARCH_TOOL: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": SEARCH,
        "description": "Search the person's sources. Gives numbered passages that you may cite by their numbers.",
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "What to look for, in the sources' language."}},
            "required": ["query"],
        },
    },
}
REFUSE_TOOL: ChatCompletionToolParam = {
    "type": "function",
    "function": {
        "name": REFUSE,
        "description": "Say that the sources do not hold the answer. Call it instead of writing an answer.",
        "parameters": {
            "type": "object",
            "properties": {"reason": {"type": "string", "description": "What is missing, in a few words."}},
            "required": ["reason"],
        },
    },
}


@dataclass(slots=True)
class ToolCall:
    """One call as far as it has been streamed."""

    id: str
    name: str = ""
    arguments: str = ""

    def as_message(self) -> dict[str, Any]:
        """The call as it goes back into the conversation; broken arguments as an empty object."""
        arguments = self.arguments if _parsed(self.arguments) is not None else "{}"
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": arguments}}

    @property
    def query(self) -> str:
        """The search query; a bare string or broken JSON counts as one too, "" if there is none."""
        parsed = _parsed(self.arguments)
        if isinstance(parsed, dict):
            value = parsed.get("query") or next((v for v in parsed.values() if isinstance(v, str)), "")
            return str(value).strip()[:QUERY_CHARS]
        if parsed is None or isinstance(parsed, str):
            return _salvaged(parsed or self.arguments)[:QUERY_CHARS]
        return ""


@dataclass(slots=True)
class ToolCalls:
    """The calls of one turn, in order."""

    calls: list[ToolCall] = field(default_factory=list)
    _by_index: dict[int, ToolCall] = field(default_factory=dict)

    def add(self, delta: ChoiceDeltaToolCall) -> None:
        """Take a piece; servers leave out ids, repeat them, or give every call the index 0."""
        index = delta.index if isinstance(delta.index, int) else len(self._by_index)
        call = self._by_index.get(index)
        if call is None or (delta.id and delta.id != call.id and call.name):
            call = ToolCall(delta.id or f"call_{len(self.calls)}")
            self.calls.append(call)
            self._by_index[index] = call
        if delta.function is not None:
            call.name = call.name or (delta.function.name or "")
            call.arguments += delta.function.arguments or ""


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return None


def _salvaged(broken: str) -> str:
    """Take the query out of JSON that was cut off or badly quoted."""
    return broken.split(":", 1)[-1].strip(" {}\"'\n\t") if broken.lstrip().startswith("{") else broken.strip()
