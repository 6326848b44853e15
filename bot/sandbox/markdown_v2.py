"""MarkdownV2: nesting, and every reserved character escaped.

Source:
    `parse_markdown_v2` in TDLib's MessageEntity.cpp.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bot.sandbox.errors import ApiError, bad_request
from bot.sandbox.limits import utf16_len

Entity = dict[str, Any]

_RESERVED = frozenset("_*[]()~`>#+-=|{}.!\n")
_OPENINGS = (
    ("```", "pre"), ("`", "code"), ("__", "underline"), ("_", "italic"), ("*", "bold"), ("~", "strikethrough"),
    ("||", "spoiler"), ("![", "custom_emoji"), ("[", "text_link"),
)  # fmt: skip
"""Marks by which entities begin, the longer before the shorter."""

_NAMES = {
    "pre": "Pre", "code": "Code", "underline": "Underline", "italic": "Italic", "bold": "Bold", "spoiler": "Spoiler",
    "strikethrough": "Strikethrough", "custom_emoji": "CustomEmoji", "text_link": "TextUrl", "blockquote": "BlockQuote",
}  # fmt: skip
_CLOSINGS = {"text_link": "]", "custom_emoji": "]"} | {kind: mark for mark, kind in _OPENINGS[:7]}
_LANGUAGE = re.compile(r"([^\s`]+)(?=\s)")
_NEW_LINE = re.compile(r"\n\r|\r\n|\n|\r")


def parse_markdown_v2(source: str) -> tuple[str, list[Entity]]:
    """Turn MarkdownV2 into a text and its entities, offsets in UTF-16 units.

    Raises:
        ApiError: "Bad Request: can't parse entities: ...", with TDLib's reason.
    """
    return _Parser(source).parse()


def _refuse(reason: str) -> ApiError:
    return bad_request(f"can't parse entities: {reason}")


@dataclass
class _Open:
    kind: str
    offset: int
    place: int
    language: str = ""


class _Parser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.text = ""
        self.open: list[_Open] = []
        self.entities: list[Entity] = []
        self.line_starts = True

    def parse(self) -> tuple[str, list[Entity]]:
        while self.at < len(self.source):
            self._step()
        if self._in_quote():
            self._end_quote()
        if self.open:
            raise self._no_end(self.open[-1])
        return self.text, self.entities

    def _step(self) -> None:
        char = self.source[self.at]
        following = self.source[self.at + 1 : self.at + 2]
        if char == "\\" and following and "\0" < following <= "~":
            self._take(following, 2)
        elif char not in ("`" if self._in_code() else _RESERVED):
            self._take(char, 1)
        elif char == "\n" and self._in_quote() and following != ">":
            self._end_quote()
            self._take(char, 1)
        elif not self._close():
            self._begin(char)

    def _take(self, char: str, width: int) -> None:
        self.text += char
        self.at += width
        if char != "\r":
            self.line_starts = char == "\n"

    def _in_code(self) -> bool:
        return bool(self.open) and self.open[-1].kind in {"code", "pre"}

    def _in_quote(self) -> bool:
        return any(opened.kind == "blockquote" for opened in self.open)

    def _no_end(self, opened: _Open) -> ApiError:
        place = len(self.source[: opened.place].encode())
        return _refuse(f"Can't find end of {_NAMES[opened.kind]} entity at byte offset {place}")

    def _reserved(self, char: str) -> ApiError:
        return _refuse(f"Character '{char}' is reserved and must be escaped with the preceding '\\'")

    def _begin(self, char: str) -> None:
        if char == "\n":
            self._take(char, 1)
            return
        if char == ">":
            self._begin_quote()
            return
        mark, kind = next(((m, k) for m, k in _OPENINGS if self.source.startswith(m, self.at)), ("", ""))
        if not kind:
            raise self._reserved(char)
        opened = _Open(kind, utf16_len(self.text), self.at)
        self.at += len(mark)
        if kind == "pre":
            self._language(opened)
        self.open.append(opened)

    def _language(self, opened: _Open) -> None:
        if language := _LANGUAGE.match(self.source, self.at):
            opened.language, self.at = language[1], language.end()
        if line := _NEW_LINE.match(self.source, self.at):
            self.at = line.end()

    def _begin_quote(self) -> None:
        if not self.line_starts:
            raise self._reserved(">")
        if not self._in_quote():
            self.open.append(_Open("blockquote", utf16_len(self.text), self.at))
        self.at += 1

    def _end_quote(self) -> None:
        """End a block quotation at its last line; an empty spoiler before its end makes it expandable."""
        kind = "blockquote"
        last = self.open[-1]
        if last.kind == "spoiler" and last.place == self.at - 2:
            self.open.pop()
            kind = "expandable_blockquote"
        last = self.open[-1] if self.open else last
        if last.kind != "blockquote":
            raise self._no_end(last)
        self.open.pop()
        self._add(last, {"type": kind})

    def _close(self) -> bool:
        """End the innermost entity if its mark stands here; False if none does."""
        if not self.open or self.open[-1].kind == "blockquote":
            return False
        opened = self.open[-1]
        mark = _CLOSINGS[opened.kind]
        is_longer = opened.kind == "italic" and self.source.startswith("__", self.at)
        if is_longer or not self.source.startswith(mark, self.at):
            return False
        self.at += len(mark)
        self._add(self.open.pop(), self._fields(opened))
        return True

    def _add(self, opened: _Open, fields: Entity) -> None:
        length = utf16_len(self.text) - opened.offset
        if length:
            self.entities.append({**fields, "offset": opened.offset, "length": length})

    def _fields(self, opened: _Open) -> Entity:
        fields: Entity = {"type": opened.kind}
        if opened.kind == "text_link":
            inner = self.text.encode("utf-16-le")[opened.offset * 2 :].decode("utf-16-le")
            fields["url"] = self._url("a URL") if self.source.startswith("(", self.at) else inner
        elif opened.kind == "custom_emoji":
            fields["custom_emoji_id"] = self._emoji()
        elif opened.language:
            fields["language"] = opened.language
        return fields

    def _emoji(self) -> str:
        if not self.source.startswith("(", self.at):
            raise _refuse("Custom emoji entity must contain a tg://emoji URL")
        found = re.fullmatch(r"tg://emoji\?id=(\d+)", self._url("a custom emoji URL"))
        if found is None or not 0 < int(found[1]) < 2**63:
            raise _refuse("Invalid custom emoji identifier specified")
        return found[1]

    def _url(self, what: str) -> str:
        begin = self.at + 1
        found = re.compile(r"(?:\\[\x01-~]|[^)\\]|\\)*").match(self.source, begin)
        end = begin if found is None else found.end()
        if self.source[end : end + 1] != ")":
            raise _refuse(f"Can't find end of {what} at byte offset {len(self.source[:begin].encode())}")
        self.at = end + 1
        return re.sub(r"\\([\x01-~])", r"\1", self.source[begin:end])
