"""Look at a file before anything reads it: what it is, and whether it may be read at all."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePath

from core.adapters.extractors.decoding import decode
from core.errors import UserError
from core.model.source import SourceKind

_HEAD_BYTES = 64 * 1024
# Enough to tell every kind by its beginning.

_ZIP, _OLE2, _PDF = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"%PDF-"
_BINARY = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"RIFF", b"OggS", b"ID3", b"\xff\xfb", b"fLaC",
    b"\x1a\x45\xdf\xa3", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x7fELF", b"MZ", b"AT&TFORM",
    b"{\\rtf",
)  # fmt: skip
# Beginnings of files that hold no plain text, some of which would pass for it in a code page.

_TEXT_NAMES = frozenset({".txt", ".md", ".markdown", ".csv", ".tsv", ".log", ".vtt", ".srt", ".text", ".rst"})
_PAGE_NAMES = frozenset({".html", ".htm", ".xhtml"})

MAX_UNPACKED_BYTES = 400 * 1024 * 1024
# What the parts of an office file may hold together when unpacked.

MAX_RATIO = 150
# Unpacked by packed, for one part of more than `_SMALL_PART_BYTES`: text packs at most 20 times, tables 60.

_SMALL_PART_BYTES = 16 * 1024 * 1024
MAX_PARTS = 20_000


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
    """Tell the kind of a file by its first bytes, None for one that is not read yet.

    Raises:
        UserError: `source-empty`, `source-encrypted` for an office file behind a password, `source-damaged` for a ZIP
            whose directory cannot be read.
    """
    with open(path, "rb") as file:
        head = file.read(_HEAD_BYTES)
    if not head.strip(b"\0 \t\r\n"):
        raise UserError("source-empty")
    if _PDF in head[:1024]:
        return SourceKind.PDF
    if head.startswith(_ZIP):
        return _zip_kind(path)
    if head.startswith(_OLE2):
        _refuse_encrypted_office(path)
        return None
    if head.startswith(_BINARY) or head[4:8] == b"ftyp":
        return None
    return _text_kind(head, PurePath(file_name).suffix.lower(), media_type)


def inspect(path: str, kind: SourceKind, max_pages: int) -> Preflight:
    """Refuse what no extractor may be given; call it where a crash or a flood of memory hurts nobody.

    Raises:
        UserError: `source-encrypted`, `source-damaged`, `source-bomb`, or `source-too-many-pages` with `pages` and
            `limit`.
    """
    if kind is SourceKind.PDF:
        return Preflight(kind, _pdf_pages(path, max_pages))
    if kind is SourceKind.DOCX:
        _refuse_bomb(path)
    return Preflight(kind)


def _text_kind(head: bytes, suffix: str, media_type: str) -> SourceKind | None:
    try:
        text = decode(head)
    except UserError:
        return SourceKind.PLAIN_FILE if suffix in _TEXT_NAMES else None
    start = text.lstrip()[:2048].lower()
    if start.startswith(("<!doctype html", "<html")) or (start.startswith("<") and "<html" in start):
        return SourceKind.HTML
    named_page = suffix in _PAGE_NAMES or (not suffix and media_type.startswith("text/html"))
    if named_page and "<" in text:
        return SourceKind.HTML
    if start.startswith("<?xml") and suffix not in _TEXT_NAMES:
        return None
    return SourceKind.PLAIN_FILE


def _zip_kind(path: str) -> SourceKind | None:
    names = set(_directory(path))
    return SourceKind.DOCX if "word/document.xml" in names else None


def _directory(path: str) -> dict[str, zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(path) as archive:
            return {part.filename: part for part in archive.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
        raise UserError("source-damaged") from error


def _refuse_encrypted_office(path: str) -> None:
    """An office file behind a password is an OLE2 container with a stream of this name."""
    if "EncryptedPackage".encode("utf-16-le") in Path(path).read_bytes():
        raise UserError("source-encrypted")


def _refuse_bomb(path: str) -> None:
    """Refuse an archive that unpacks to far more than it is, or whose XML declares entities."""
    parts = _directory(path).values()
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise UserError("source-bomb")
    if any(part.flag_bits & 1 for part in parts):
        raise UserError("source-encrypted")
    for part in parts:
        if part.file_size > _SMALL_PART_BYTES and part.file_size > MAX_RATIO * max(1, part.compress_size):
            raise UserError("source-bomb")
    _refuse_entities(path)


def _refuse_entities(path: str) -> None:
    """Office Open XML allows no document type declaration (ECMA-376, part 2, 8.1.4)."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith((".xml", ".rels")):
                    with archive.open(name) as part:
                        start = part.read(_HEAD_BYTES).replace(b"\0", b"")  # UTF-16 too
                    if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
                        raise UserError("source-bomb")
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError, RuntimeError) as error:
        raise UserError("source-damaged") from error


def _pdf_pages(path: str, max_pages: int) -> int:
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
    if pages > max_pages:
        raise UserError("source-too-many-pages", {"pages": pages, "limit": max_pages})
    return pages
