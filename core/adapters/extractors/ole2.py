"""Enough of the compound file format to tell what an old office file is.

Source:
    [MS-CFB] Compound File Binary File Format; [MS-DOC] 2.5.2; [MS-XLS] 2.4.117.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import UserError
from core.model.source import SourceKind

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENTRY = 128
_END = 0xFFFFFFFA
# Sector numbers from here on are marks.

_MAX_ENTRIES = 100_000
_SMALL_STREAM = 4096
_SMALL_SECTOR = 64
# Bytes: shorter streams lie together in one, in sectors of their own.

_STREAMS = {
    "WordDocument": SourceKind.DOC,
    "PowerPoint Document": SourceKind.PPT,
    "Workbook": SourceKind.XLS,
    "Book": SourceKind.XLS,
}
_FILE_PASS = 0x2F


@dataclass(frozen=True, slots=True)
class _Stream:
    """One entry of the directory."""

    name: str
    left: int
    right: int
    child: int
    start: int
    size: int


def ole2_kind(path: str) -> SourceKind | None:
    """Tell the kind of an old office file by the streams at its root, None for another program's.

    Raises:
        UserError: `source-encrypted` where that is written plainly, `source-damaged`.
    """
    data = Path(path).read_bytes()
    try:
        file = _File(data)
        root = file.root()
    except (struct.error, ValueError, IndexError) as error:
        raise UserError("source-damaged") from error
    if "EncryptedPackage" in root or "EncryptedSummary" in root:
        raise UserError("source-encrypted")
    kind = next((kind for name, kind in _STREAMS.items() if name in root), None)
    if kind is not None and _is_locked(kind, file.start_of(root[_name_of(kind, root)])):
        raise UserError("source-encrypted")
    return kind


def ole2_streams(path: str) -> dict[str, bytes]:
    """Return the streams at the root, by name.

    Raises:
        UserError: `source-damaged`.
    """
    try:
        file = _File(Path(path).read_bytes())
        return {name: file.read(stream) for name, stream in file.root().items()}
    except (struct.error, ValueError, IndexError) as error:
        raise UserError("source-damaged") from error


def _name_of(kind: SourceKind, root: dict[str, _Stream]) -> str:
    return next(name for name, named in _STREAMS.items() if named is kind and name in root)


def _is_locked(kind: SourceKind, start: bytes) -> bool:
    """Look for the mark of a password at the beginning of the main stream."""
    if kind is SourceKind.DOC:
        return len(start) > 11 and bool(start[11] & 1)  # fEncrypted of the FIB
    if kind is not SourceKind.XLS:
        return False
    place = 0
    for _ in range(8):  # FilePass follows the first record, or the one after
        if place + 4 > len(start):
            return False
        record, length = struct.unpack_from("<HH", start, place)
        if record == _FILE_PASS:
            return True
        place += 4 + length
    return False


class _File:
    """A compound file: its sectors, their chains, its directory."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        (self._shift,) = struct.unpack_from("<H", data, 30)
        if self._shift not in (9, 12):
            raise ValueError("sector size")
        self._next = self._table()
        (directory,) = struct.unpack_from("<I", data, 48)
        body = b"".join(self._chain(directory))
        places = range(0, min(len(body), _MAX_ENTRIES * _ENTRY) - _ENTRY + 1, _ENTRY)
        self._entries = [_entry(body[place : place + _ENTRY]) for place in places]
        if not self._entries:
            raise ValueError("no directory")

    def root(self) -> dict[str, _Stream]:
        """Return the entries at the root, by name."""
        found: dict[str, _Stream] = {}
        waiting = [self._entries[0].child]
        seen: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number >= len(self._entries) or number in seen:
                continue
            seen.add(number)
            entry = self._entries[number]
            found[entry.name] = entry
            waiting += [entry.left, entry.right]
        return found

    def start_of(self, stream: _Stream) -> bytes:
        """Return the first sector of a stream."""
        return self._sector(stream.start) if stream.size >= _SMALL_STREAM else self._small(stream)

    def read(self, stream: _Stream) -> bytes:
        """Return a whole stream."""
        if stream.size < _SMALL_STREAM:
            return self._small(stream)
        return b"".join(self._chain(stream.start))[: stream.size]

    def _small(self, stream: _Stream) -> bytes:
        """Return a small stream: small sectors lie one behind the other in the stream of the root."""
        shared = b"".join(self._chain(self._entries[0].start))
        (first,) = struct.unpack_from("<I", self._data, 60)
        whole = b"".join(self._chain(first))
        follows = array("I", whole[: len(whole) & ~3])
        pieces: list[bytes] = []
        sector = stream.start
        while sector < len(follows) and len(pieces) <= _SMALL_STREAM // _SMALL_SECTOR:
            pieces.append(shared[sector * _SMALL_SECTOR : (sector + 1) * _SMALL_SECTOR])
            sector = follows[sector]
        return b"".join(pieces)[: stream.size]

    def _sector(self, number: int) -> bytes:
        start = (number + 1) << self._shift
        return self._data[start : start + (1 << self._shift)]

    def _chain(self, sector: int) -> Iterator[bytes]:
        """Yield a stream's sectors; one that comes twice ends it."""
        seen: set[int] = set()
        while sector < len(self._next) and sector not in seen:
            seen.add(sector)
            yield self._sector(sector)
            sector = self._next[sector]

    def _table(self) -> array[int]:
        """Read the allocation table: for each sector the one that follows it."""
        parts = [sector for sector in struct.unpack_from("<109I", self._data, 76) if sector < _END]
        (more,) = struct.unpack_from("<I", self._data, 68)
        seen: set[int] = set()
        while more < _END and more not in seen and (body := self._sector(more)):
            seen.add(more)
            numbers = struct.unpack(f"<{len(body) // 4}I", body)
            parts += [sector for sector in numbers[:-1] if sector < _END]
            more = numbers[-1]
        whole = b"".join(self._sector(part) for part in parts)
        return array("I", whole[: len(whole) & ~3])


def _entry(body: bytes) -> _Stream:
    length, _kind, _color, left, right, child = struct.unpack_from("<HBBIII", body, 64)
    start, size = struct.unpack_from("<II", body, 116)
    name = body[: max(0, min(length, 64) - 2)].decode("utf-16-le", errors="ignore")
    return _Stream(name, left, right, child, start, size)
