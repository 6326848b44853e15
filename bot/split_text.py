"""Cutting a long text with entities into messages, without breaking a character, a word or an entity."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import accumulate

from bot.rich_value import Entity, RichText

TEXT_LIMIT = 4096
"""UTF-16 units of a message. Telegram counts code points, of which there are never more."""
ENTITY_LIMIT = 100
"""Entities of a message: Telegram silently drops what is beyond."""
LEAST_SHARE = 0.5
"""A part is filled at least so far before a gentler place to cut is preferred to a fuller part."""

_BREAKS = (
    re.compile(r"\n[ \t]*\n+"),  # paragraph
    re.compile(r"\n"),  # line
    re.compile(r"[.!?…]+[»”\")\]]*\s+"),  # sentence
    re.compile(r"\s+"),  # word
)
_JOINER = "\u200d"
_LONGEST_CLUSTER = 16
# Code points that are kept together at most: the longest emoji families have ten.


def split(text: str, entities: Sequence[Entity] = (), limit: int = TEXT_LIMIT) -> list[RichText]:
    """Cut a text into parts that fit a message; joined again they are the text.

    A cut falls behind a paragraph, else a line, a sentence, a word, else before the character that does not fit.
    Entities that reach over a cut end there and go on in the next part.

    Args:
        text: Any text; "" gives one empty part.
        entities: In UTF-16 units of `text`.
        limit: UTF-16 units of a part, at least 2.

    Returns:
        The parts in order, each at most `limit` long and with at most ENTITY_LIMIT entities (unless more than that
        begin at one place).
    """
    offsets = [0, *accumulate(2 if char > "\uffff" else 1 for char in text)]
    ordered = sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))
    parts: list[RichText] = []
    start = 0
    while start < len(text) or not parts:
        end = _cut(text, start, _furthest(offsets, start, ordered, limit))
        parts.append(RichText(text[start:end], _within(ordered, offsets[start], offsets[end])))
        start = end
    return parts


def _furthest(offsets: Sequence[int], start: int, ordered: Sequence[Entity], limit: int) -> int:
    """Index of the last character boundary that still fits, by length and by number of entities."""
    units = offsets[start] + limit
    here = [entity["offset"] for entity in ordered if entity["offset"] + entity["length"] > offsets[start]]
    if len(here) > ENTITY_LIMIT and here[ENTITY_LIMIT] > offsets[start] + 1:
        units = min(units, here[ENTITY_LIMIT])
    low, high = start, len(offsets) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if offsets[middle] <= units else (low, middle - 1)
    return low


def _cut(text: str, start: int, furthest: int) -> int:
    """Choose where the part that begins at `start` ends."""
    if furthest == len(text):
        return furthest
    least = start + int((furthest - start) * LEAST_SHARE)
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, least, furthest) if match.end() > start]
        if ends:
            return ends[-1]
    words = [match.end() for match in _BREAKS[-1].finditer(text, start, furthest)]
    return words[-1] if words else _whole_cluster(text, start, furthest)


def _whole_cluster(text: str, start: int, cut: int) -> int:
    """Move a cut before the character that its combining marks or joined emoji belong to."""
    for back in range(min(_LONGEST_CLUSTER, cut - start - 1)):
        if not (_belongs_to_previous(text[cut - back]) or text[cut - back - 1] == _JOINER):
            return cut - back
    return cut


def _belongs_to_previous(char: str) -> bool:
    skin_tone = "\U0001f3fb" <= char <= "\U0001f3ff"
    return skin_tone or char == _JOINER or unicodedata.category(char) in ("Mn", "Me", "Mc")


def _within(ordered: Sequence[Entity], start: int, end: int) -> tuple[Entity, ...]:
    """Clip entities to a range of units, counted from its beginning."""
    clipped = []
    for entity in ordered:
        first = max(entity["offset"], start)
        last = min(entity["offset"] + entity["length"], end)
        if first < last:
            clipped.append({**entity, "offset": first - start, "length": last - first})
    return tuple(clipped)
