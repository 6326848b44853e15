"""Reading HTML byte by byte, with TDLib's idea of spaces, names and character references."""

from __future__ import annotations

import re

from bot.sandbox.errors import ApiError, bad_request

SPACES = b" \t\r\n\0\v"
"""TDLib reads a C string and takes its end for a space."""

_CHARACTER = re.compile(rb"&(?:#x([0-9a-fA-F]*)|#([0-9]*)|([a-zA-Z]*));?")
_NAMED = {b"lt": ord("<"), b"gt": ord(">"), b"amp": ord("&"), b"quot": ord('"')}
_TOKEN = re.compile(rb"[a-zA-Z0-9.-]*")


def refuse(reason: str) -> ApiError:
    """Build the refusal of a markup."""
    return bad_request(f"can't parse entities: {reason}")


def lower(raw: bytes) -> str:
    """Return a name in small letters."""
    return raw.lower().decode("utf-8", "replace")


class HtmlScanner:
    """A place in a source that moves forward.

    Attributes:
        source: The bytes, with one zero byte at their end.
        at: The offset of the present byte.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source + b"\0"
        self.at = 0

    def byte(self) -> bytes:
        """Return the present byte."""
        return self.source[self.at : self.at + 1]

    def is_end(self) -> bool:
        """Tell whether all was read."""
        return self.at >= len(self.source) - 1

    def skip_until(self, stops: bytes) -> bytes:
        """Step to the next of some bytes or to a space, and return what was stepped over."""
        begin = self.at
        while not self.is_end() and self.byte() not in stops and self.byte() not in SPACES:
            self.at += 1
        return self.source[begin : self.at]

    def skip_spaces(self) -> None:
        """Step over spaces."""
        while not self.is_end() and self.byte() in SPACES:
            self.at += 1

    def character(self) -> int:
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

    def value(self) -> str:
        """Read an attribute's value: in quotes, or a bare name.

        Raises:
            ApiError: A bare name ends with something else than a space or the tag's end.
        """
        return self._quoted(self.byte()) if self.byte() in b"'\"" else self._token()

    def _token(self) -> str:
        begin = self.at
        found = _TOKEN.match(self.source, begin)
        self.at = begin if found is None else found.end()
        if not self.is_end() and self.byte() not in SPACES and self.byte() != b">":
            raise refuse(f"Unexpected end of name token at byte offset {begin}")
        return lower(self.source[begin : self.at])

    def _quoted(self, quote: bytes) -> str:
        self.at += 1
        value = bytearray()
        while not self.is_end() and self.byte() != quote:
            if self.byte() == b"&" and (code := self.character()):
                value += chr(code).encode("utf-8", "surrogatepass")
            else:
                value += self.byte()
                self.at += 1
        if not self.is_end():
            self.at += 1
        return value.decode("utf-8", "replace")
