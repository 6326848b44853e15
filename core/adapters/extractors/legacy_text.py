"""The bare words of DOC, PPT and RTF files without LibreOffice: the last way to read one.

Source:
    [MS-DOC] 2.4.1 Retrieving Text; [MS-PPT] 2.9.42 TextCharsAtom, 2.9.43 TextBytesAtom.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from core.adapters.extractors.ole2 import ole2_streams
from core.adapters.extractors.rtf_text import rtf_text
from core.ingest.cascade import ExtractionFailed
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Progress

_FIELD = re.compile(r"\x13[^\x13\x14\x15]*\x14?|\x15")
# A field's instruction, up to its result; the end of the result.

_ENDS = str.maketrans({"\r": "\n\n", "\x07": "\n\n", "\x0b": " ", "\x0c": "\n\n", "\xa0": " ", "\x1e": "-", "\x1f": ""})
_LEFT_OUT = re.compile(r"[\x00-\x08\x0e-\x1f]")
_CHARS, _BYTES = 0x0FA0, 0x0FA8
_MASTER, _LIST = 0x03F8, 0x0FF0
# Records of PPT: a master slide, and a list of texts; the list whose instance is 1 is the masters' ("Click to edit").


@dataclass(frozen=True, slots=True)
class LegacyText:
    """No structure; the words of the main text in their order."""

    name: str = "legacy-text"
    deadline_s: float = 60.0
    memory_bytes: int = 1 << 30

    def unavailable(self) -> str:
        """It needs nothing."""
        return ""

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the words and nothing else.

        Raises:
            ExtractionFailed: `not-word-97` and the like: the file is older or another's.
        """
        read = {SourceKind.DOC: _doc, SourceKind.PPT: _ppt, SourceKind.RTF: rtf_text}[request.kind]
        try:
            text = read(request.path)
        except (struct.error, IndexError) as error:
            raise ExtractionFailed("extraction-failed", {"code": "malformed"}) from error
        progress(1, 1)
        return Document(re.sub(r"\s*\n\s*\n\s*", "\n\n", text).strip())


def _doc(path: str) -> str:
    """Put the pieces of the main text together, as its table of pieces lists them."""
    streams = ole2_streams(path)
    main = streams.get("WordDocument", b"")
    if len(main) < 0x1AA or main[:2] != b"\xec\xa5":
        raise ExtractionFailed("extraction-failed", {"code": "not-word-97"})
    table = streams.get("1Table" if main[11] & 2 else "0Table", b"")
    start, length = struct.unpack_from("<II", main, 0x1A2)
    (characters,) = struct.unpack_from("<I", main, 0x4C)
    text = "".join(_pieces(main, table[start : start + length]))[:characters]
    return _LEFT_OUT.sub("", _FIELD.sub("", text).translate(_ENDS))


def _pieces(main: bytes, table: bytes) -> Iterator[str]:
    place = 0
    while table[place] == 1:  # formatting of pieces comes before them
        place += 3 + struct.unpack_from("<H", table, place + 1)[0]
    (length,) = struct.unpack_from("<I", table, place + 1)
    plc = table[place + 5 : place + 5 + length]
    count = (length - 4) // 12
    ends = struct.unpack_from(f"<{count + 1}I", plc, 0)
    for number in range(count):
        size = ends[number + 1] - ends[number]
        (where,) = struct.unpack_from("<I", plc, 4 * (count + 1) + 8 * number + 2)
        if where & 0x40000000:  # one byte a character
            begin = (where & 0x3FFFFFFF) // 2
            yield main[begin : begin + size].decode("cp1252", errors="ignore")
        else:
            yield main[where : where + 2 * size].decode("utf-16-le", errors="ignore")


def _ppt(path: str) -> str:
    """Collect the texts of the presentation's records; those of master slides are left out."""
    stream = ole2_streams(path).get("PowerPoint Document", b"")
    found: list[str] = []
    waiting = [(0, len(stream))]
    while waiting:
        place, end = waiting.pop()
        while place + 8 <= end:
            flags, kind, length = struct.unpack_from("<HHI", stream, place)
            body = place + 8
            if kind == _CHARS:
                found.append(stream[body : body + length].decode("utf-16-le", errors="ignore"))
            elif kind == _BYTES:
                found.append(stream[body : body + length].decode("latin-1"))
            elif flags & 0xF == 0xF and not _is_master(kind, flags >> 4):  # a container: its inside first
                waiting.append((body + length, end))
                place, end = body, min(end, body + length)
                continue
            place = body + length
    return _LEFT_OUT.sub("", "\n\n".join(text for text in found if text.strip() != "*").translate(_ENDS))


def _is_master(kind: int, instance: int) -> bool:
    return kind == _MASTER or (kind == _LIST and instance == 1)
