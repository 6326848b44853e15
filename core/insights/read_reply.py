"""Reads what a language model answered: the first JSON object in it, whatever stands around."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from core.insights.plain_sentences import plain

MOST_OBJECTS = 20
"""Opening braces that are tried: a reply that rambles is not searched for ever."""


@dataclass(frozen=True, slots=True)
class ReplyInsights:
    """What a model claims, unchecked; `questions` are pairs of a question and the words that answer it."""

    title: str = ""
    summary: tuple[str, ...] = ()
    key_points: tuple[str, ...] = ()
    questions: tuple[tuple[str, str], ...] = ()


def read_reply(reply: str) -> ReplyInsights | None:
    """Find the JSON object in a reply: fences, words before and after it, and line breaks inside strings are forgiven.

    Returns:
        What it holds, each text as one line; what has the wrong type is left out. None if there is no such object.
    """
    decoder = json.JSONDecoder(strict=False)
    at = -1
    for _ in range(MOST_OBJECTS):
        at = reply.find("{", at + 1)
        if at == -1:
            return None
        try:
            found, _end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict) and {"summary", "questions", "key_points"} & found.keys():
            return _insights(found)
    return None


def _insights(found: dict[str, Any]) -> ReplyInsights:
    return ReplyInsights(
        title=_line(found.get("title")),
        summary=_lines(found.get("summary")),
        key_points=_lines(found.get("key_points")),
        questions=tuple(_question(item) for item in _items(found.get("questions"))),
    )


def _question(item: object) -> tuple[str, str]:
    if isinstance(item, dict):
        return _line(item.get("question")), _line(item.get("quote"))
    return _line(item), ""


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []


def _lines(value: object) -> tuple[str, ...]:
    """A list's texts; a text alone stands for the list of its lines."""
    items = value.split("\n") if isinstance(value, str) else _items(value)
    return tuple(line for line in map(_line, items) if line)


def _line(value: object) -> str:
    return plain(value) if isinstance(value, str) else ""
