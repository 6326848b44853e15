"""Sizes and lengths read from a file's first bytes, without a media library."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

HEAD = 256 * 1024
"""Bytes read from the start of a file; enough for every header looked for."""


@dataclass(frozen=True)
class MediaInfo:
    """Pixels and seconds; 0 where the file does not tell."""

    width: int = 0
    height: int = 0
    duration_s: float = 0.0


def probe(path: Path) -> MediaInfo:
    """Read a picture's size or a recording's length; anything unknown or broken gives zeros."""
    with path.open("rb") as file:
        head = file.read(HEAD)
        file.seek(max(path.stat().st_size - HEAD, 0))
        tail = file.read(HEAD)
    try:
        return _probe(head, tail)
    except (struct.error, IndexError, ZeroDivisionError):
        return MediaInfo()


def _probe(head: bytes, tail: bytes) -> MediaInfo:
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return MediaInfo(*struct.unpack(">II", head[16:24]))
    if head.startswith(b"GIF8"):
        return MediaInfo(*struct.unpack("<HH", head[6:10]))
    if head.startswith(b"\xff\xd8"):
        return _jpeg(head)
    if head.startswith(b"OggS"):
        return _ogg(tail)
    if head.startswith(b"RIFF") and head[8:12] == b"WAVE":
        rate = struct.unpack("<I", head[28:32])[0]
        return MediaInfo(duration_s=(struct.unpack("<I", head[4:8])[0] - 36) / rate)
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return _webp(head)
    if head[4:8] == b"ftyp":
        return _mp4(head if b"mvhd" in head else tail)
    return MediaInfo()


def _jpeg(data: bytes) -> MediaInfo:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in {0xC4, 0xC8, 0xCC}:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return MediaInfo(width, height)
        at += 2 + length
    return MediaInfo()


def _ogg(tail: bytes) -> MediaInfo:
    last = tail.rfind(b"OggS")
    granule = struct.unpack("<q", tail[last + 6 : last + 14])[0]
    return MediaInfo(duration_s=max(granule, 0) / 48_000)  # Opus counts in 48 kHz whatever was recorded


def _webp(data: bytes) -> MediaInfo:
    if data[12:16] == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return MediaInfo(width, height)
    if data[12:16] == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return MediaInfo((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    width, height = struct.unpack("<HH", data[26:30])
    return MediaInfo(width & 0x3FFF, height & 0x3FFF)


def _mp4(data: bytes) -> MediaInfo:
    at = data.find(b"mvhd")
    if at < 0:
        return MediaInfo()
    is_long = data[at + 4] == 1
    scale, length = (
        struct.unpack(">IQ", data[at + 24 : at + 36]) if is_long else struct.unpack(">II", data[at + 16 : at + 24])
    )
    track = data.find(b"tkhd")
    width, height = (0, 0) if track < 0 else struct.unpack(">II", data[track + 80 : track + 88])
    return MediaInfo(width >> 16, height >> 16, length / scale)
