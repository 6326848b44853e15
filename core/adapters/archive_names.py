"""The names that a ZIP gives its files: in the letters that their author typed."""

from __future__ import annotations

import re
import struct
import zipfile

LONGEST = 200
"""Characters of a title."""

_UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075
# Info-ZIP's extra field for a name in UTF-8.

_CYRILLIC = re.compile(r"[А-Яа-яЁё]")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# The last ones turn the direction of writing: "gnp.exe" can be made to look like "exe.png".


def name_of(entry: zipfile.ZipInfo) -> str:
    """Return an entry's whole name: UTF-8 where it says or is so, else the Russian code page that fits best.

    Old programs write names in the code page of their system and do not say which; the library then reads them in
    cp437, which loses nothing.
    """
    told = _extra_name(entry.extra)
    if told:
        return told
    if entry.flag_bits & _UTF8_FLAG or entry.orig_filename.isascii():
        return entry.orig_filename
    try:
        raw = entry.orig_filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.orig_filename
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pages = [raw.decode(page, errors="ignore") for page in ("cp866", "cp1251")]
        return max(pages, key=lambda text: len(_CYRILLIC.findall(text)))  # the first of equals: Windows writes cp866


def title_of(name: str) -> str:
    """Return a file's name without folders, fit to be shown; the ending is kept."""
    last = _CONTROLS.sub("", name).replace("\\", "/").rstrip("/").rpartition("/")[2].strip()
    if len(last) <= LONGEST:
        return last
    stem, dot, ending = last.rpartition(".")
    return f"{(stem or ending)[: LONGEST - 12]}…{dot}{ending[:10]}" if dot else f"{last[: LONGEST - 1]}…"


def _extra_name(extra: bytes) -> str:
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, place)
        if kind == _UNICODE_PATH and length > 5:
            return extra[place + 9 : place + 4 + length].decode("utf-8", errors="ignore")
        place += 4 + length
    return ""
