"""Old office containers with streams of our choice, for what no program here writes: files behind a password.

Source:
    [MS-CFB] Compound File Binary File Format, version 3.
"""

from __future__ import annotations

import struct
from pathlib import Path

_FREE, _END, _TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(path: Path, streams: dict[str, bytes]) -> Path:
    """Write a container with these streams at its root, each filled up to 4096 bytes."""
    bodies = {name: body.ljust(4096, b"\0") for name, body in streams.items()}
    entries = [_entry("Root Entry", kind=5, child=1 if bodies else _FREE, start=_END)]
    directory_sectors = -(-(len(bodies) + 1) // 4)
    chains = [_TABLE, *range(2, directory_sectors + 1), _END]
    for number, (name, body) in enumerate(bodies.items(), 1):
        sectors = -(-len(body) // 512)
        start = len(chains)
        chains += [*range(start + 1, start + sectors), _END]
        right = number + 1 if number < len(bodies) else _FREE
        entries.append(_entry(name, kind=2, right=right, start=start, size=len(body)))
    entries += [bytes(128)] * (4 * directory_sectors - len(entries))
    table = struct.pack("<128I", *chains, *[_FREE] * (128 - len(chains)))
    padded = b"".join(body.ljust(-(-len(body) // 512) * 512, b"\0") for body in bodies.values())
    path.write_bytes(_header() + table + b"".join(entries) + padded)
    return path


def _header() -> bytes:
    """One sector of table (the first), the directory from the second on, no small streams."""
    start = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    sizes = struct.pack("<HHHHH6x", 62, 3, 0xFFFE, 9, 6)
    places = struct.pack("<IIIIIIIIII", 0, 1, 1, 0, 4096, _END, 0, _END, 0, 0)
    return start + sizes + places + struct.pack("<108I", *[_FREE] * 108)


def _entry(name: str, *, kind: int, right: int = _FREE, child: int = _FREE, start: int = 0, size: int = 0) -> bytes:
    encoded = name.encode("utf-16-le").ljust(64, b"\0")
    told = struct.pack("<HBBIII", 2 * len(name) + 2, kind, 1, _FREE, right, child)
    return encoded + told + bytes(36) + struct.pack("<IQ", start, size)
