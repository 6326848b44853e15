"""The bare words of an RTF file.

Source:
    Rich Text Format Specification 1.9.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_TOKEN = re.compile(
    r"\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\(?P<symbol>[^a-zA-Z])"
    r"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)"
)
_HIDDEN = frozenset(
    {
        "fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "themedata", "listtable",
        "listoverridetable", "rsidtbl", "generator", "header", "footer", "headerl", "headerr", "headerf",
        "footerl", "footerr", "footerf", "datastore", "latentstyles", "xmlnstbl", "fldinst",
    }
)  # fmt: skip
# Groups that a reader does not see.

_WRITTEN = dict.fromkeys(("par", "cell", "row", "page", "sect"), "\n\n") | {"line": " ", "tab": " "}
_WRITTEN |= {"emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"}
_SYMBOLS = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\", "\n": "\n\n", "\r": "\n\n"}


def rtf_text(path: str) -> str:
    """Take the control words out; letters are bytes in the file's code page, or numbers of Unicode."""
    reader = _Reader()
    for token in _TOKEN.finditer(Path(path).read_bytes().decode("latin-1")):
        reader.take(token)
    reader.flush()
    return "".join(reader.out).encode("utf-16", "surrogatepass").decode("utf-16", "ignore")


@dataclass(slots=True)
class _Group:
    """What holds between two braces.

    Attributes:
        stands_in: How many bytes follow a number of Unicode, for programs that do not know it.
    """

    hidden: bool = False
    stands_in: int = 1


@dataclass(slots=True)
class _Reader:
    """Where in the file we are."""

    out: list[str] = field(default_factory=list)
    page: str = "cp1252"
    groups: list[_Group] = field(default_factory=lambda: [_Group()])
    pending: bytearray = field(default_factory=bytearray)
    skip: int = 0

    def take(self, token: re.Match[str]) -> None:
        """Read one token."""
        if token["byte"]:
            self._byte(int(token["byte"], 16))
        elif token["brace"]:
            self._brace(token["brace"])
        elif token["word"]:
            self._word(token["word"], int(token["number"] or 1))
        elif token["symbol"]:
            self._symbol(token["symbol"])
        else:
            for character in token["text"]:
                self._byte(ord(character))

    def flush(self) -> None:
        """Write the bytes that wait: a letter may take two."""
        if self.pending:
            self.out.append(self.pending.decode(self.page, errors="ignore"))
            self.pending.clear()

    def _byte(self, value: int) -> None:
        if self.skip:
            self.skip -= 1
        elif not self.groups[-1].hidden:
            self.pending.append(value)

    def _brace(self, brace: str) -> None:
        self.skip = 0
        if brace == "{":
            around = self.groups[-1]
            self.groups.append(_Group(around.hidden, around.stands_in))
        elif len(self.groups) > 1:
            self.groups.pop()

    def _word(self, word: str, number: int) -> None:
        self.flush()
        group = self.groups[-1]
        if word in _HIDDEN:
            group.hidden = True
        elif word == "ansicpg":
            self.page = _codec(number)
        elif word == "uc":
            group.stands_in = number
        elif word == "u" and not group.hidden:
            self.out.append(chr(number & 0xFFFF))
            self.skip = group.stands_in
        elif not group.hidden:
            self.out.append(_WRITTEN.get(word, ""))

    def _symbol(self, symbol: str) -> None:
        self.flush()
        if symbol == "*":
            self.groups[-1].hidden = True
        elif not self.groups[-1].hidden:
            self.out.append(_SYMBOLS.get(symbol, ""))


def _codec(number: int) -> str:
    import codecs

    try:
        return codecs.lookup(f"cp{number}").name
    except LookupError:
        return "cp1252"
