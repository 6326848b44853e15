"""Telegram's HTML, parsed as TDLib parses it, with its errors at byte offsets.

Source:
    `parse_html` in TDLib's MessageEntity.cpp.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.sandbox.html_scanner import HtmlScanner, lower, refuse
from bot.sandbox.html_tags import KINDS, argument, details

Entity = dict[str, Any]


def parse_html(source: str) -> tuple[str, list[Entity]]:
    """Turn HTML into a text and its entities, offsets and lengths in UTF-16 units.

    Nothing is trimmed here and links are not checked; `clean` in entities.py does that.

    Raises:
        ApiError: "Bad Request: can't parse entities: ...", with TDLib's reason.
    """
    return _HtmlParser(source.encode("utf-8", "surrogatepass")).parse()


@dataclass
class _Open:
    tag: str
    argument: str
    offset: int
    start: int


class _HtmlParser(HtmlScanner):
    def __init__(self, source: bytes) -> None:
        super().__init__(source)
        self.out = bytearray()
        self.offset = 0
        self.open: list[_Open] = []
        self.entities: list[Entity] = []

    def parse(self) -> tuple[str, list[Entity]]:
        while not self.is_end():
            byte = self.byte()
            if byte == b"<":
                self._tag()
            elif byte == b"&" and (code := self.character()):
                self._emit(chr(code).encode("utf-8", "surrogatepass"))
            else:
                self._emit(byte)
                self.at += 1
        if self.open:
            raise refuse(f'Can\'t find end tag corresponding to start tag "{self.open[-1].tag}"')
        return self._text(), [_strip_private(entity) for entity in self.entities]

    def _text(self) -> str:
        try:
            return self.out.decode()
        except UnicodeDecodeError as error:
            reason = "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched "
            raise refuse(reason + "surrogate code units") from error

    def _emit(self, raw: bytes) -> None:
        self.out += raw
        if raw[0] & 0xC0 != 0x80:
            self.offset += 1 + (raw[0] >= 0xF0)

    def _tag(self) -> None:
        begin = self.at
        self.at += 1
        if self.source[self.at : self.at + 1] == b"/":
            self._end_tag(begin)
        else:
            self._start_tag(begin)

    def _start_tag(self, begin: int) -> None:
        tag = lower(self.skip_until(b">"))
        if self.is_end():
            raise refuse(f"Unclosed start tag at byte offset {begin}")
        if tag not in KINDS:
            raise refuse(f'Unsupported start tag "{tag}" at byte offset {begin}')
        said = ""
        while self.byte() != b">":
            self.skip_spaces()
            if self.byte() == b">":
                break
            said = self._attribute(tag, begin) or said
        self.at += 1
        if tag == "span" and said != "spoiler":
            raise refuse(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self.open.append(_Open(tag, said, self.offset, len(self.out)))

    def _attribute(self, tag: str, begin: int) -> str:
        """Read one attribute and return what it says about the tag, if anything."""
        name = self.skip_until(b"=>/\"'").decode()
        if not name:
            raise refuse(f'Empty attribute name in the tag "{tag}" at byte offset {begin}')
        self.skip_spaces()
        if self.byte() != b"=":
            if self.is_end():
                raise refuse(f'Unclosed start tag "{tag}" at byte offset {begin}')
            return "1" if tag == "blockquote" and name == "expandable" else ""
        self.at += 1
        self.skip_spaces()
        if self.is_end():
            raise refuse(f'Unclosed start tag "{tag}" at byte offset {begin}')
        value = self.value()
        if self.is_end():
            raise refuse(f"Unclosed start tag at byte offset {begin}")
        return argument(tag, name, value)

    def _end_tag(self, begin: int) -> None:
        if not self.open:
            raise refuse(f"Unexpected end tag at byte offset {begin}")
        self.at += 1
        name = lower(self.skip_until(b">"))
        self.skip_spaces()
        if self.byte() != b">":
            raise refuse(f"Unclosed end tag at byte offset {begin}")
        self.at += 1
        tag = self.open[-1].tag
        if name not in {"", tag}:
            raise refuse(f'Unmatched end tag at byte offset {begin}, expected "</{tag}>", found "</{name}>"')
        self._close(self.open.pop())

    def _close(self, opened: _Open) -> None:
        if self.offset == opened.offset:
            return
        inner = self.out[opened.start :].decode("utf-8", "replace")
        entity = {"type": KINDS[opened.tag], "offset": opened.offset, "length": self.offset - opened.offset}
        if not self._merge_code(opened, entity):
            self.entities.append(entity | details(opened.tag, opened.argument, inner))

    def _merge_code(self, opened: _Open, entity: Entity) -> bool:
        """Make one `pre` with a language of a `code` that fills a `pre`, whichever is outside."""
        last = self.entities[-1] if self.entities else {}
        if any(last.get(key) != entity[key] for key in ("offset", "length")):
            return False
        if opened.tag == "pre" and last["type"] == "code" and last.get("_language"):
            last.update(type="pre", language=last["_language"])
            return True
        if opened.tag == "code" and last["type"] == "pre" and "language" not in last and opened.argument:
            last["language"] = opened.argument
            return True
        return False


def _strip_private(entity: Entity) -> Entity:
    return {key: value for key, value in entity.items() if not key.startswith("_")}
