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
        return _probe(head, tail, path.stat().st_size)
    except (struct.error, IndexError, ZeroDivisionError):
        return MediaInfo()


def _probe(head: bytes, tail: bytes, size: int) -> MediaInfo:
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
    return _media(head, tail, size)


def _media(head: bytes, tail: bytes, size: int) -> MediaInfo:
    """Read music and videos."""
    if head[4:8] == b"ftyp":
        return _mp4(head if b"mvhd" in head else tail)
    if head.startswith(b"fLaC"):
        return _flac(head)
    if head.startswith(b"\x1a\x45\xdf\xa3"):
        return _webm(head)
    if head.startswith(b"ID3") or (head[0] == 0xFF and head[1] & 0xE0 == 0xE0):
        return _mp3(head, size)
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


def _flac(data: bytes) -> MediaInfo:
    packed = int.from_bytes(data[18:26], "big")  # 20 bits of rate, 3 of channels, 5 of depth, 36 of samples
    return MediaInfo(duration_s=(packed & (1 << 36) - 1) / (packed >> 44))


def _mp3(data: bytes, size: int) -> MediaInfo:
    """Read the number of frames, or guess from the first frame's bit rate (layer 3)."""
    start = 10 + sum((byte & 0x7F) << shift for byte, shift in zip(data[6:10], (21, 14, 7, 0), strict=False))
    at = data.find(b"\xff", start if data.startswith(b"ID3") else 0)
    is_first_version = data[at + 1] & 0x18 == 0x18
    rate = (44_100, 48_000, 32_000)[data[at + 2] >> 2 & 3] >> (0 if is_first_version else 1)
    rate >>= 1 if data[at + 1] & 0x18 == 0 else 0  # version 2.5
    counted = max(data.find(b"Xing", at, at + 200), data.find(b"Info", at, at + 200))
    if counted >= 0:
        frames = struct.unpack(">I", data[counted + 8 : counted + 12])[0]
        return MediaInfo(duration_s=frames * (1152 if is_first_version else 576) / rate)
    kilobits = (_FIRST_KBITS if is_first_version else _SECOND_KBITS)[data[at + 2] >> 4]
    return MediaInfo(duration_s=(size - at) / (kilobits * 125))


_FIRST_KBITS = (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320)
_SECOND_KBITS = (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)


def _webm(data: bytes) -> MediaInfo:
    """Read Matroska's Duration (in milliseconds unless told), PixelWidth and PixelHeight, each behind its id."""
    length = _element(data, b"\x44\x89")
    seconds = struct.unpack(">d" if len(length) == 8 else ">f", length)[0] / 1000 if length else 0.0
    width, height = (int.from_bytes(_element(data, name), "big") for name in (b"\xb0", b"\xba"))
    return MediaInfo(width, height, seconds)


def _element(data: bytes, name: bytes) -> bytes:
    """Return the short value behind an id; looked for behind the header of the tracks or the segment's own."""
    after = data.find(b"\x16\x54\xae\x6b") if len(name) == 1 else data.find(b"\x15\x49\xa9\x66")
    at = data.find(name, after) if after >= 0 else -1
    if at < 0 or not data[at + len(name)] & 0x80:
        return b""
    start = at + len(name) + 1
    return data[start : start + (data[at + len(name)] & 0x7F)]
