"""How entities may lie in a text: sorted, nested and split as TDLib does it.

Source:
    `fix_entities`, `split_entities` and `merge_new_entities` in TDLib's MessageEntity.cpp.
"""

from __future__ import annotations

from typing import Any

Entity = dict[str, Any]

SPLITTABLE = ("bold", "italic", "underline", "strikethrough", "spoiler")
"""Kinds that are cut where other entities begin and end, in the order in which they are written."""

BLOCKS = frozenset({"blockquote", "expandable_blockquote"})
CODE = frozenset({"pre", "code"})

_PRIORITY = {
    "blockquote": 0, "expandable_blockquote": 0, "pre": 11, "code": 20, "text_link": 49, "text_mention": 49, "bold": 90,
    "italic": 91, "underline": 92, "strikethrough": 93, "spoiler": 94, "custom_emoji": 99,
}  # fmt: skip
"""Which of two entities over the same characters comes first; 50 for those Telegram finds itself."""


def end_of(entity: Entity) -> int:
    """Return where an entity ends, in UTF-16 units."""
    return int(entity["offset"] + entity["length"])


def order(entity: Entity) -> tuple[int, int, int]:
    """Return the key by which entities are sorted: place, the longer first, kind."""
    priority = 10 if entity.get("language") else _PRIORITY.get(entity["type"], 50)
    return entity["offset"], -entity["length"], priority


def drop_intersecting(entities: list[Entity]) -> list[Entity]:
    """Keep of sorted entities those that do not touch an earlier kept one, not even inside it."""
    kept: list[Entity] = []
    for entity in entities:
        if not kept or entity["offset"] >= end_of(kept[-1]):
            kept.append(entity)
    return kept


def _drop_crossing_blocks(entities: list[Entity], blocks: list[Entity]) -> list[Entity]:
    """Keep entities that are outside every block quotation or wholly inside one."""
    return [entity for entity in entities if not any(_crosses(entity, block) for block in blocks)]


def _crosses(entity: Entity, block: Entity) -> bool:
    if end_of(entity) <= block["offset"] or end_of(block) <= entity["offset"]:
        return False
    return bool(entity["offset"] < block["offset"] or end_of(entity) > end_of(block))


def sort_out(entities: list[Entity], found: list[Entity] | None = None) -> list[Entity]:
    """Make entities consistent.

    Links, code and mentions never overlap; block quotations hold them whole; styles are joined where they touch
    and cut where anything else begins or ends; in code there are none.

    Args:
        entities: In any order, any overlap.
        found: What Telegram found in the text; it gives way to links and code.
    """
    entities = sorted(entities, key=order)
    styles = [entity for entity in entities if entity["type"] in SPLITTABLE]
    blocks = drop_intersecting([entity for entity in entities if entity["type"] in BLOCKS])
    rest = [entity for entity in entities if entity["type"] not in BLOCKS and entity["type"] not in SPLITTABLE]
    rest = _drop_crossing_blocks(drop_intersecting(rest), blocks)
    for entity in _drop_crossing_blocks(found or [], blocks):
        if all(end_of(entity) <= other["offset"] or end_of(other) <= entity["offset"] for other in rest):
            rest.append(entity)
    others = sorted(rest + blocks, key=order)
    return sorted(others + split_styles(styles, others), key=order)


def split_styles(styles: list[Entity], others: list[Entity]) -> list[Entity]:
    """Join touching styles of one kind, cut them at other entities' borders, and take them out of code."""
    joined = [piece for kind in SPLITTABLE for piece in _join([s for s in styles if s["type"] == kind])]
    borders = {border for other in others for border in (other["offset"], end_of(other))}
    borders |= {piece["offset"] for piece in joined}
    code = [other for other in others if other["type"] in CODE]
    pieces = [part for piece in joined for part in _cut(piece, sorted(borders))]
    return [piece for piece in pieces if not any(_is_inside(piece, outer) for outer in code)]


def _join(styles: list[Entity]) -> list[Entity]:
    joined: list[Entity] = []
    for style in styles:
        if joined and style["offset"] <= end_of(joined[-1]):
            joined[-1]["length"] = max(end_of(joined[-1]), end_of(style)) - joined[-1]["offset"]
        else:
            joined.append(dict(style))
    return joined


def _cut(style: Entity, borders: list[int]) -> list[Entity]:
    inner = [border for border in borders if style["offset"] < border < end_of(style)]
    starts, ends = [style["offset"], *inner], [*inner, end_of(style)]
    return [style | {"offset": start, "length": end - start} for start, end in zip(starts, ends, strict=True)]


def _is_inside(piece: Entity, outer: Entity) -> bool:
    return bool(outer["offset"] <= piece["offset"] and end_of(piece) <= end_of(outer))


def keep_at_most(entities: list[Entity], limit: int) -> list[Entity]:
    """Drop what the server drops: links and code beyond the limit, then styles."""
    others = [entity for entity in entities if entity["type"] not in SPLITTABLE]
    counted = [entity for entity in others if entity["type"] != "custom_emoji"][:limit]
    emoji = [entity for entity in others if entity["type"] == "custom_emoji"]
    styles = sorted((s for s in entities if s["type"] in SPLITTABLE), key=order)
    pieces = sorted(split_styles(styles, []), key=order)
    return counted + emoji + pieces[: max(limit - len(counted), 0)]
