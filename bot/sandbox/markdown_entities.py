"""Telegram's two Markdown dialects, as far as a bot under test needs them."""

from __future__ import annotations

from typing import Any

Entity = dict[str, Any]


def parse_markdown(source: str, *, is_v2: bool) -> tuple[str, list[Entity]]:
    """Turn MarkdownV2 or the legacy Markdown into a text and its entities."""
    raise NotImplementedError
