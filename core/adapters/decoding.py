"""The one decoder for all text: bytes in an unknown encoding become characters, or an honest refusal."""

from __future__ import annotations

import codecs

from core.errors import UserError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_CYRILLIC = {
    "windows-1251": "cp1251",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "ibm866": "cp866",
    "cp866": "cp866",
    "maccyrillic": "mac_cyrillic",
    "iso-8859-5": "iso8859-5",
}
# chardet's names to Python's codecs.

_SAMPLE_BYTES = 200_000
# What is looked at to tell an encoding.

_DAMAGED_SHARE = 0.001
# Of the bytes of a UTF-8 text: so few may be broken (a cut end, a bad sector) and are left out.


def decode(data: bytes) -> str:
    """Turn the bytes of a text file into text without a byte order mark, with `\\n` line ends.

    Order: a byte order mark; UTF-16 by its even and odd zero bytes; strict UTF-8; a statistical guess among the
    code pages. Bytes are never replaced by a stand-in character, and Latin-1 is never assumed because it fits all.

    Raises:
        UserError: `source-empty` without bytes, `source-not-text` for bytes that are no text, `source-unknown-encoding`
            for text in no encoding that was recognised.
    """
    if not data:
        raise UserError("source-empty")
    text = _by_mark(data)
    if text is None:
        text = _by_zero_bytes(data)
    if text is None:
        text = _as_utf8(data)
    if text is None:
        text = _by_guess(data)
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def decode_marked(data: bytes, declared: str) -> str:
    """Decode what declares its own encoding, as HTML does: believed when the bytes agree, ignored otherwise.

    A byte order mark and valid UTF-8 stand above the declaration, as browsers and common mistakes have it.

    Raises:
        UserError: As `decode` does.
    """
    name = declared.lower()
    if (
        _by_mark(data) is None
        and _strict(data, "utf-8") is None
        and name not in ("", "iso-8859-1", "latin-1", "latin1")
    ):
        text = _strict(data, name)
        if text is not None and _plausible(text):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    return decode(data)


def _by_mark(data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="ignore")
    return None


def _by_zero_bytes(data: bytes) -> str | None:
    """Recognise UTF-16 without a mark: one byte of each pair is nearly always from a few values."""
    sample = data[: _SAMPLE_BYTES & ~1]
    if len(sample) < 4 or len(data) % 2:
        return None
    for encoding, high in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[0::2])):
        if sum(high.count(value) for value in (0, 4, 0x20)) / len(high) > 0.95 and (0 in high or 4 in high):
            text = _strict(data, encoding)
            if text is not None and _plausible(text):
                return text
    return None


def _as_utf8(data: bytes) -> str | None:
    text = _strict(data, "utf-8")
    if text is None:
        text = data.decode("utf-8", errors="ignore")
        lost = len(data) - len(text.encode())
        high = len(data) - len(data.decode("ascii", errors="ignore"))
        if lost > max(3, _DAMAGED_SHARE * high) or lost * 10 > high:
            return None
    if not _plausible(text):
        raise UserError("source-not-text")
    return text


def _by_guess(data: bytes) -> str:
    """Ask chardet, and believe it only when the bytes really decode to something a person may have written."""
    import chardet

    if not _plausible(data[:_SAMPLE_BYTES].decode("ascii", errors="ignore")):  # control characters in any code page
        raise UserError("source-not-text")
    guess = chardet.detect(data[:_SAMPLE_BYTES])
    name = str(guess["encoding"] or "").lower()
    if name in ("iso-8859-1", "latin-1", "ascii"):
        name = "windows-1252"
    text = _strict(data, _CYRILLIC.get(name, name)) if name else None
    if text is None:
        raise UserError("source-unknown-encoding")
    if not _plausible(text):
        raise UserError("source-not-text")
    return text


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _plausible(text: str) -> bool:
    """Say whether few characters are control characters, which text files have no use for."""
    odd = sum(1 for c in text[:_SAMPLE_BYTES] if (c < " " and c not in "\t\n\r\f\v\x1a\x1b") or "\x7f" <= c < "\xa0")
    return odd <= 0.02 * min(len(text), _SAMPLE_BYTES)
