"""What the fake OpenAI server "thinks": it quotes the passages it was really given, and hashes words to vectors."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import struct
from dataclasses import dataclass, field
from typing import Any

PASSAGE = re.compile(r'<passage n="(\d+)"[^>]*>\n(.*?)\n</passage>', re.DOTALL)
QUESTION = re.compile(r"<question>\n(.*?)\n</question>", re.DOTALL)
SENTENCE = re.compile(r"[^.!?\n]{15,400}[.!?]")
ROOT_CHARS = 5
"""Words are compared by so many first letters: a poor man's stem."""


@dataclass
class Said:
    """What the model says: text, or calls of tools (name, arguments)."""

    text: str = ""
    calls: list[tuple[str, str]] = field(default_factory=list)


class FakeModel:
    """A model that only quotes."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.messages: list[dict[str, Any]] = body["messages"]
        tools = {tool["function"]["name"] for tool in body.get("tools") or ()}
        self.tools = set() if body.get("tool_choice") == "none" else tools
        self.question = self._question()

    def decide(self) -> Said:
        """Search once if it may, then answer with what it was given, or refuse."""
        searched = any(message["role"] == "tool" for message in self.messages)
        if "search_sources" in self.tools and not searched:
            return Said(calls=[("search_sources", json.dumps({"query": self.question}))])
        passages = self._passages()
        if not passages:
            return self._without_passages()
        sentences = self._best_sentences(passages)
        if sentences:
            return Said(" ".join(f"{text} [{n}]" for n, text in sentences))
        if "not_in_sources" in self.tools:
            return Said(calls=[("not_in_sources", json.dumps({"reason": "nothing about it"}))])
        return Said("[[NOT_FOUND]]")

    def _without_passages(self) -> Said:
        """Asked about sources it refuses; asked for anything else it repeats the beginning of what it got."""
        if "not_in_sources" in self.tools:
            return Said(calls=[("not_in_sources", json.dumps({"reason": "no passages"}))])
        if any("[[NOT_FOUND]]" in content(message) for message in self.messages):
            return Said("[[NOT_FOUND]]")
        return Said(" ".join(content(self.messages[-1]).split())[:200])

    def _question(self) -> str:
        asked = [content(message) for message in self.messages if message["role"] == "user"]
        last = asked[-1] if asked else ""
        found = QUESTION.search(last)
        return (found.group(1) if found else last).strip()[:300]

    def _passages(self) -> dict[int, str]:
        given = "\n".join(content(m) for m in self.messages if m["role"] in ("user", "tool"))
        return {int(n): text for n, text in PASSAGE.findall(given)}

    def _best_sentences(self, passages: dict[int, str]) -> list[tuple[int, str]]:
        """The best sentence of each of the two best passages, with their numbers."""
        wanted = roots(self.question)
        scored = []
        for n, text in passages.items():
            sentences = SENTENCE.findall(text) or [text[:300]]
            best = max(sentences, key=lambda sentence: len(wanted & roots(sentence)))
            scored.append((len(wanted & roots(best)), -n, " ".join(best.split())))
        scored.sort(reverse=True)
        return [(-negative, text) for score, negative, text in scored[:2] if score]


def content(message: dict[str, Any]) -> str:
    """The text of a message, of its text parts if it has several."""
    value = message.get("content") or ""
    if isinstance(value, list):
        return "\n".join(part.get("text", "") for part in value if part.get("type") == "text")
    return str(value)


def roots(text: str) -> set[str]:
    """The beginnings of the longer words."""
    return {word[:ROOT_CHARS] for word in re.findall(r"\w{4,}", text.lower().replace("ё", "е"))}


def embed(text: str, dimensions: int) -> list[float]:
    """Hash the beginnings of words into a unit vector: equal words, near vectors; the same in every process."""
    vector = [0.0] * dimensions
    words = re.findall(r"\w+", text.lower().replace("ё", "е")) or [""]
    for word in words:
        digest = hashlib.sha256(word[:ROOT_CHARS].encode("utf-8", "replace")).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] % 2 else -1.0
        vector[int.from_bytes(digest[5:9], "big") % dimensions] += 0.5
    length = math.sqrt(sum(x * x for x in vector)) or 1.0
    return [x / length for x in vector]


def describe(body: dict[str, Any]) -> dict[str, Any]:
    """Describe a document that was given: its first sentences, and questions that quote them."""
    given = next(content(message) for message in body["messages"] if "<document>" in content(message)[:20])
    said = [" ".join(sentence.split()) for sentence in SENTENCE.findall(given)]
    asked = [{"question": f"Что сказано о том, что {one[:60].rstrip('. ')}?", "quote": one[:120]} for one in said[:3]]
    return {"title": "", "summary": said[:3], "key_points": said[:2], "questions": asked}


def encode_embedding(vector: list[float], as_base64: bool) -> list[float] | str:
    """Write a vector as the client asked for it."""
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode() if as_base64 else vector


def tool_call_deltas(calls: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Tear calls into the pieces in which they are streamed: name first, then halves of the arguments."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": None}]
    for index, (name, arguments) in enumerate(calls):
        half = len(arguments) // 2
        head = {"index": index, "id": f"call_{index}_{name}", "type": "function"}
        deltas.append({"tool_calls": [{**head, "function": {"name": name, "arguments": ""}}]})
        for part in (arguments[:half], arguments[half:]):
            deltas.append({"tool_calls": [{"index": index, "function": {"arguments": part}}]})
    return deltas
