"""Look at a file before anything reads it: what it is, and whether it may be read at all."""

from __future__ import annotations

import os
import re
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO

from core.adapters.decoding import decode
from core.adapters.extractors.ole2 import MAGIC as OLE2
from core.adapters.extractors.ole2 import ole2_kind
from core.adapters.extractors.zip_kinds import count_slides, picture_parts, refuse_bomb, zip_kind
from core.errors import UserError
from core.model.source import SourceKind

_HEAD_BYTES = 64 * 1024
# Enough to tell every kind by its beginning.

_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*")
_SOUNDS = (
    b"OggS", b"ID3", b"\xff\xfb", b"\xff\xfa", b"\xff\xf3", b"\xff\xf2", b"\xff\xf1", b"\xff\xf9", b"fLaC",
    b"\x1a\x45\xdf\xa3", b"#!AMR", b"\x30\x26\xb2\x75", b"FLV\x01", b"\0\0\1\xba", b".snd",
)  # fmt: skip
_OTHERS = (b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x7fELF", b"MZ")
# Beginnings of files that hold no plain text, some of which would pass for it in a code page.

_FORMS = {b"RIFF": {b"WEBP": SourceKind.IMAGE, b"WAVE": SourceKind.AUDIO, b"AVI ": SourceKind.AUDIO}}
_FORMS[b"FORM"] = {b"AIFF": SourceKind.AUDIO, b"AIFC": SourceKind.AUDIO}
# Containers that name their content behind their length.

_HEIC = frozenset({b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1"})
_AVIF = frozenset({b"avif", b"avis"})

_TABLE_NAMES = frozenset({".csv", ".tsv", ".tab"})
_TEXT_NAMES = frozenset({".txt", ".md", ".markdown", ".log", ".vtt", ".srt", ".text", ".rst", ".tex"}) | _TABLE_NAMES
_PAGE_NAMES = frozenset({".html", ".htm", ".xhtml"})
_TABLE_TYPES = ("text/csv", "text/tab-separated-values")

_ZIPS = frozenset(
    {
        SourceKind.DOCX, SourceKind.PPTX, SourceKind.XLSX, SourceKind.XLS, SourceKind.ODT, SourceKind.ODP,
        SourceKind.ODS, SourceKind.EPUB, SourceKind.FB2, SourceKind.IMAGE,
    }
)  # fmt: skip
# Kinds that are, or may come as, a ZIP. An archive is looked into by who opens it.

MAX_PIXELS = 120_000_000
"""Of one picture: an A3 page at 600 dpi has 70 million; unpacked it takes three bytes each."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """What a file is.

    Attributes:
        kind: By its content; its name and media type only break ties.
        pages: 0 where the kind has no pages.
    """

    kind: SourceKind
    pages: int = 0


def detect_kind(path: str, file_name: str, media_type: str) -> SourceKind | None:
    """Tell the kind of a file by its first bytes, None for one that is not read.

    Raises:
        UserError: `source-empty`, `source-heic`, `source-encrypted` for an office file behind a password,
            `source-damaged` for a ZIP or an old office file whose directory cannot be read.
    """
    with open(path, "rb") as file:
        head = file.read(_HEAD_BYTES)
    if not head.strip(b"\0 \t\r\n"):
        raise UserError("source-empty")
    if b"%PDF-" in head[:1024]:
        return SourceKind.PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return zip_kind(path)
    if head.startswith(OLE2):
        return ole2_kind(path)
    if _is_binary(head):
        return _binary_kind(head)
    if head.startswith(b"{\\rtf"):
        return SourceKind.RTF
    return _text_kind(head, PurePath(file_name.strip()).suffix.lower(), media_type.split(";")[0].strip().lower())


def inspect(path: str, kind: SourceKind, max_pages: int) -> Preflight:
    """Refuse what no extractor may be given; call it where a crash or a flood of memory hurts nobody.

    Raises:
        UserError: `source-encrypted`, `source-protected`, `source-damaged`, `source-bomb`, `source-picture-too-large`,
            or `source-too-many-pages` with `pages` and `limit`.
    """
    packed = _is_zip(path)
    if packed and kind in _ZIPS:
        refuse_bomb(path, kind)
    if kind is SourceKind.FB2 and not packed:
        _refuse_entities(path)
    pages = _pages(path, kind, packed=packed)
    if pages > max_pages:
        raise UserError("source-too-many-pages", {"pages": pages, "limit": max_pages})
    return Preflight(kind, pages)


def _is_zip(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(2) == b"PK"


def _is_binary(head: bytes) -> bool:
    return head.startswith((*_PICTURES, *_SOUNDS, *_OTHERS, *_FORMS, b"AT&TFORM")) or head[4:8] == b"ftyp"


def _binary_kind(head: bytes) -> SourceKind | None:
    """Tell pictures, sound and film from what is not read."""
    if head.startswith(b"AT&TFORM"):
        return SourceKind.DJVU if head[12:16] in (b"DJVU", b"DJVM") else None
    if head[:4] in _FORMS:
        return _FORMS[head[:4]].get(head[8:12])
    if head[4:8] == b"ftyp":
        return _media_kind(head)
    if head.startswith(_PICTURES):
        return SourceKind.IMAGE
    return SourceKind.AUDIO if head.startswith(_SOUNDS) else None


def _media_kind(head: bytes) -> SourceKind:
    """Tell by the brands of an ISO media file (ISO/IEC 14496-12) whether it is a still picture."""
    size = min(int.from_bytes(head[:4], "big"), 256)
    brands = [head[8:12], *(head[place : place + 4] for place in range(16, size, 4))]
    if _AVIF.intersection(brands):
        return SourceKind.IMAGE
    if brands[0] in _HEIC:
        raise UserError("source-heic")
    return SourceKind.AUDIO


def _text_kind(head: bytes, suffix: str, media_type: str) -> SourceKind | None:
    try:
        text = decode(head)
    except UserError:
        return SourceKind.PLAIN_FILE if suffix in _TEXT_NAMES else None
    start = text.lstrip()[:4096]
    if "<FictionBook" in start and start.startswith("<"):
        return SourceKind.FB2
    if _is_page(start.lower(), suffix, media_type):
        return SourceKind.HTML
    if start.startswith("<?xml") and suffix not in _TEXT_NAMES:
        return None
    is_table = suffix in _TABLE_NAMES or (not suffix and media_type in _TABLE_TYPES)
    return SourceKind.CSV if is_table else SourceKind.PLAIN_FILE


def _is_page(start: str, suffix: str, media_type: str) -> bool:
    if start.startswith(("<!doctype html", "<html")) or (start.startswith("<") and "<html" in start):
        return True
    named = suffix in _PAGE_NAMES or (not suffix and media_type == "text/html")
    return named and "<" in start


def _pages(path: str, kind: SourceKind, *, packed: bool) -> int:
    """Count pages, slides or pictures; a picture's size is checked on the way."""
    if kind is SourceKind.PDF:
        return _pdf_pages(path)
    if kind is SourceKind.PPTX:
        return count_slides(path)
    if kind is SourceKind.DJVU:
        return _djvu_pages(path)
    if kind is SourceKind.IMAGE:
        return _pictures(path, packed=packed)
    return 0


def _refuse_entities(path: str) -> None:
    with open(path, "rb") as file:
        if b"<!ENTITY" in file.read(_HEAD_BYTES).replace(b"\0", b""):
            raise UserError("source-bomb")


def _djvu_pages(path: str) -> int:
    """Ask djvused, where it is installed; it does not notice that the end of a file is missing."""
    with open(path, "rb") as file:
        told = int.from_bytes(file.read(12)[8:], "big")
    if os.path.getsize(path) < told + 12 - 1:  # the last chunk may lack its filling
        raise UserError("source-damaged")
    try:
        done = subprocess.run(["djvused", "-e", "n", path], capture_output=True, text=True, timeout=20, check=True)
    except FileNotFoundError:
        return 0
    except subprocess.SubprocessError as error:
        raise UserError("source-damaged") from error
    return int(number[0]) if (number := re.search(r"\d+", done.stdout)) else 0


def _pictures(path: str, *, packed: bool) -> int:
    """Check the size of a picture, or of each in a packed album, and count pages: a TIFF may have many."""
    if not packed:
        with open(path, "rb") as file:
            return _frames(file)
    parts = picture_parts(path)
    try:
        with zipfile.ZipFile(path) as archive:
            for part in parts:
                with archive.open(part) as file:
                    _frames(file)
    except (zipfile.BadZipFile, OSError, EOFError, ValueError) as error:
        raise UserError("source-damaged") from error
    return len(parts)


def _frames(file: IO[bytes]) -> int:
    import warnings

    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None  # nothing is unpacked here: the size is only read
    try:
        with warnings.catch_warnings(), Image.open(file) as picture:
            width, height = picture.size
            frames = int(getattr(picture, "n_frames", 1)) if picture.format == "TIFF" else 1
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise UserError("source-damaged") from error
    if width * height > MAX_PIXELS:
        raise UserError("source-picture-too-large")
    return frames


def _pdf_pages(path: str) -> int:
    import pypdfium2 as pdfium
    from pypdfium2 import raw

    try:
        with pdfium.PdfDocument(path) as document:
            pages = len(document)
    except pdfium.PdfiumError as error:
        locked = getattr(error, "err_code", None) in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY)
        raise UserError("source-encrypted" if locked else "source-damaged") from error
    if not pages:
        raise UserError("source-damaged")
    return pages
