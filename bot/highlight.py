"""A passage of a source's Markdown in its surroundings, shown as Telegram shows it, with the passage in bold."""

from __future__ import annotations

import re

from bot.rich_text import clean, render
from bot.rich_value import Entity, RichText, utf16_len

_OPEN, _CLOSE = "\ue000", "\ue001"
# Private characters that mark the passage while its Markdown is rendered; none is left in the result.
_MARKS = re.compile(f"[{_OPEN}{_CLOSE}]")
_LINE_START = re.compile(
    r"[ \t]*(?:>[ \t]*)*(?:#{1,6}[ \t]+|[-*+][ \t]+|\d{1,9}[.)][ \t]+|\|[ \t]*|(?:```|~~~)[^\n]*\n)?"
)
_LINE_END = re.compile(r"[ \t|]*\s*\Z")
_EXCLUSIVE = frozenset({"code", "pre"})


def highlight(before: str, quote: str, after: str) -> RichText:
    """Render three adjoining pieces of Markdown as one text in which `quote` is bold.

    Where the passage cannot be followed through the rendering (it begins inside the target of a link, or it is the
    head of a table), the three are shown as they are written.
    """
    before, quote, after = (_MARKS.sub("", clean(piece)) for piece in (before, quote, after))
    rich = render(before + _marked(before, quote) + after, aligned=False)
    if rich.text.count(_OPEN) == rich.text.count(_CLOSE) == 1 and rich.text.index(_OPEN) < rich.text.index(_CLOSE):
        return _in_bold(rich)
    start = utf16_len(before.lstrip())
    whole = before.lstrip() + quote + after.rstrip()
    return RichText(whole, ({"type": "bold", "offset": start, "length": utf16_len(quote)},) if quote else ())


def _marked(before: str, quote: str) -> str:
    """Set the marks where they hide no structure: behind the sign of a heading or an item, before the end of a row."""
    begins_line = not before or before.endswith("\n")
    lead = _LINE_START.match(quote) if begins_line else None
    first = lead.end() if lead else len(quote) - len(quote.lstrip())
    trail = _LINE_END.search(quote, first)
    last = trail.start() if trail else len(quote)
    return f"{quote[:first]}{_OPEN}{quote[first:last]}{_CLOSE}{quote[last:]}"


def _in_bold(rich: RichText) -> RichText:
    """Take the marks out and cover what was between them."""
    first = utf16_len(rich.text[: rich.text.index(_OPEN)])
    last = utf16_len(rich.text[: rich.text.index(_CLOSE)])
    kept = [_without_marks(entity, first, last) for entity in rich.entities]
    bold: Entity = {"type": "bold", "offset": first, "length": last - first - 1}
    entities = [entity for entity in kept if entity["length"] > 0 and _fits(entity, bold)]
    if bold["length"] > 0:
        entities.append(bold)
    ordered = sorted(entities, key=lambda entity: (entity["offset"], -entity["length"]))
    return RichText(_MARKS.sub("", rich.text), tuple(ordered))


def _without_marks(entity: Entity, first: int, last: int) -> Entity:
    """Move an entity's ends by the marks that stood before them."""
    start = entity["offset"]
    end = start + entity["length"]
    new_start, new_end = (unit - (unit > first) - (unit > last) for unit in (start, end))
    return {**entity, "offset": new_start, "length": new_end - new_start}


def _fits(entity: Entity, bold: Entity) -> bool:
    """Leave out bold and code where the passage is bold, and all quotations, since it is shown in one."""
    if entity["type"] == "blockquote":
        return False
    if entity["type"] != "bold" and entity["type"] not in _EXCLUSIVE:
        return True
    end = entity["offset"] + entity["length"]
    return bool(end <= bold["offset"] or entity["offset"] >= bold["offset"] + bold["length"])
