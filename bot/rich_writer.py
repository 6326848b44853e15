"""A text with entities while it is being written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bot.rich_value import Entity, utf16_len


@dataclass(slots=True)
class Writer:
    """The text so far, with the entities that are open."""

    pieces: list[str] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    at: int = 0
    indent: str = ""
    aligned: bool = True
    open: list[tuple[Entity, int]] = field(default_factory=list)

    def write(self, text: str) -> None:
        """Append text; its further lines get the present indent."""
        shown = text.replace("\n", "\n" + self.indent) if self.indent else text
        self.pieces.append(shown)
        self.at += utf16_len(shown)

    @contextmanager
    def entity(self, kind: str, **more: str) -> Iterator[None]:
        """Cover what is written meanwhile; nothing of the same kind is nested."""
        if any(entity["type"] == kind for entity, _ in self.open):
            yield
            return
        self.open.append(({"type": kind, **more}, self.at))
        yield
        self._close(*self.open.pop())

    def code(self, text: str, kind: str = "code", **more: str) -> None:
        """Write code: no style reaches over it, since Telegram lets code lie only in a quotation."""
        outside = self.open
        paused = [(entity, start) for entity, start in outside if entity["type"] != "blockquote"]
        for entity, start in paused:
            self._close(entity, start)
        self.open = [item for item in outside if item not in paused]
        with self.entity(kind, **more):
            self.write(text)
        self.open = [(entity, self.at if entity["type"] != "blockquote" else start) for entity, start in outside]

    def unindent(self) -> str:
        """Go back to the edge, for code in a list; returns the indent left."""
        outer, self.indent = self.indent, ""
        begun_here = any(start == self.at for _, start in self.open)
        if outer and not begun_here and self.pieces[-1].endswith("\n" + outer):
            self.pieces[-1] = self.pieces[-1].removesuffix(outer)
            self.at -= len(outer)
        return outer

    def _close(self, entity: Entity, start: int) -> None:
        if self.at > start:
            self.entities.append({**entity, "offset": start, "length": self.at - start})
