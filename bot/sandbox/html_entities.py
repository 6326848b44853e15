"""Telegram's HTML, parsed as TDLib parses it, with its errors at byte offsets.

Source:
    `parse_html` in TDLib's MessageEntity.cpp.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bot.sandbox.errors import ApiError, bad_request
from bot.sandbox.html_tags import KINDS, argument, details

Entity = dict[str, Any]

_SPACES = b" \t\r\n\0\v"
_CHARACTER = re.compile(rb"&(?:#x([0-9a-fA-F]*)|#([0-9]*)|([a-zA-Z]*));?")
_NAMED = {b"lt": ord("<"), b"gt": ord(">"), b"amp": ord("&"), b"quot": ord('"')}
_NAME_TOKEN = re.compile(rb"[a-zA-Z0-9.-]*")


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


def _refuse(reason: str) -> ApiError:
    return bad_request(f"can't parse entities: {reason}")


class _HtmlParser:
    def __init__(self, source: bytes) -> None:
        self.source = source + b"\0"  # TDLib reads a C string and takes its end for a space
        self.at = 0
        self.out = bytearray()
        self.offset = 0
        self.open: list[_Open] = []
        self.entities: list[Entity] = []

    def parse(self) -> tuple[str, list[Entity]]:
        end = len(self.source) - 1
        while self.at < end:
            byte = self.source[self.at : self.at + 1]
            if byte == b"<":
                self._tag()
            elif byte == b"&" and (code := self._character()):
                self._emit(chr(code).encode("utf-8", "surrogatepass"))
            else:
                self._emit(byte)
                self.at += 1
        if self.open:
            raise _refuse(f'Can\'t find end tag corresponding to start tag "{self.open[-1].tag}"')
        return self._text(), [_strip_private(entity) for entity in self.entities]

    def _text(self) -> str:
        try:
            return self.out.decode()
        except UnicodeDecodeError as error:
            reason = "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched "
            raise _refuse(reason + "surrogate code units") from error

    def _emit(self, raw: bytes) -> None:
        self.out += raw
        if raw[0] & 0xC0 != 0x80:
            self.offset += 1 + (raw[0] >= 0xF0)

    def _character(self) -> int:
        """Decode a character reference and step over it; 0 if it is none and stands for itself."""
        found = _CHARACTER.match(self.source, self.at)
        if found is None:
            return 0
        hexadecimal, decimal, name = found.groups()
        if name is not None:
            code = _NAMED.get(name, 0)
        else:
            code = int(hexadecimal or b"0", 16) if decimal is None else int(decimal or b"0")
            length = len(found[0].removesuffix(b";"))
            code = code if code < 0x10FFFF and length < 10 else 0
        self.at = found.end() if code else self.at
        return code

    def _tag(self) -> None:
        begin = self.at
        self.at += 1
        if self.source[self.at : self.at + 1] == b"/":
            self._end_tag(begin)
        else:
            self._start_tag(begin)

    def _byte(self) -> bytes:
        return self.source[self.at : self.at + 1]

    def _is_end(self) -> bool:
        return self.at >= len(self.source) - 1

    def _skip_until(self, stops: bytes) -> bytes:
        begin = self.at
        while not self._is_end() and self._byte() not in stops and self._byte() not in _SPACES:
            self.at += 1
        return self.source[begin : self.at]

    def _skip_spaces(self) -> None:
        while not self._is_end() and self._byte() in _SPACES:
            self.at += 1

    def _start_tag(self, begin: int) -> None:
        tag = _lower(self._skip_until(b">"))
        if self._is_end():
            raise _refuse(f"Unclosed start tag at byte offset {begin}")
        if tag not in KINDS:
            raise _refuse(f'Unsupported start tag "{tag}" at byte offset {begin}')
        said = ""
        while self._byte() != b">":
            self._skip_spaces()
            if self._byte() == b">":
                break
            said = self._attribute(tag, begin) or said
        self.at += 1
        if tag == "span" and said != "spoiler":
            raise _refuse(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self.open.append(_Open(tag, said, self.offset, len(self.out)))

    def _attribute(self, tag: str, begin: int) -> str:
        """Read one attribute and return what it says about the tag, if anything."""
        name = self._skip_until(b"=>/\"'").decode()
        if not name:
            raise _refuse(f'Empty attribute name in the tag "{tag}" at byte offset {begin}')
        self._skip_spaces()
        if self._byte() != b"=":
            if self._is_end():
                raise _refuse(f'Unclosed start tag "{tag}" at byte offset {begin}')
            return "1" if tag == "blockquote" and name == "expandable" else ""
        self.at += 1
        self._skip_spaces()
        if self._is_end():
            raise _refuse(f'Unclosed start tag "{tag}" at byte offset {begin}')
        value = self._literal(self._byte()) if self._byte() in b"'\"" else self._token()
        if self._is_end():
            raise _refuse(f"Unclosed start tag at byte offset {begin}")
        return argument(tag, name, value)

    def _token(self) -> str:
        begin = self.at
        found = _NAME_TOKEN.match(self.source, begin)
        self.at = begin if found is None else found.end()
        if not self._is_end() and self._byte() not in _SPACES and self._byte() != b">":
            raise _refuse(f"Unexpected end of name token at byte offset {begin}")
        return _lower(self.source[begin : self.at])

    def _literal(self, quote: bytes) -> str:
        self.at += 1
        value = bytearray()
        while not self._is_end() and self._byte() != quote:
            if self._byte() == b"&" and (code := self._character()):
                value += chr(code).encode("utf-8", "surrogatepass")
            else:
                value += self._byte()
                self.at += 1
        if not self._is_end():
            self.at += 1
        return value.decode("utf-8", "replace")

    def _end_tag(self, begin: int) -> None:
        if not self.open:
            raise _refuse(f"Unexpected end tag at byte offset {begin}")
        self.at += 1
        name = _lower(self._skip_until(b">"))
        self._skip_spaces()
        if self._byte() != b">":
            raise _refuse(f"Unclosed end tag at byte offset {begin}")
        self.at += 1
        tag = self.open[-1].tag
        if name not in {"", tag}:
            raise _refuse(f'Unmatched end tag at byte offset {begin}, expected "</{tag}>", found "</{name}>"')
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


def _lower(raw: bytes) -> str:
    return raw.lower().decode("utf-8", "replace")
