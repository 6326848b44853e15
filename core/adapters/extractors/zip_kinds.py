"""What a ZIP is: an office file, a book, pictures, or an archive of files; and whether it may be unpacked."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from core.errors import UserError
from core.model.source import SourceKind

MAX_UNPACKED_BYTES = 400 * 1024 * 1024
"""What the parts of an office file may hold together when unpacked."""

MAX_RATIO = 150
"""Unpacked by packed, for one part of more than `_SMALL_PART_BYTES`: text packs at most 20 times, tables 60."""

MAX_PARTS = 20_000
_SMALL_PART_BYTES = 16 * 1024 * 1024
_HEAD_BYTES = 64 * 1024
# Of a part: a document type declaration stands at the beginning.

_OOXML = (SourceKind.DOCX, SourceKind.PPTX, SourceKind.XLSX)
_PARTS = (
    ("word/document.xml", SourceKind.DOCX),
    ("ppt/presentation.xml", SourceKind.PPTX),
    ("xl/workbook.xml", SourceKind.XLSX),
    ("xl/workbook.bin", SourceKind.XLS),  # XLSB: only LibreOffice reads it
    ("META-INF/container.xml", SourceKind.EPUB),
)
# The part by which an office file is known.

_MIMETYPES = (
    ("application/epub+zip", SourceKind.EPUB),
    ("application/vnd.oasis.opendocument.text", SourceKind.ODT),
    ("application/vnd.oasis.opendocument.presentation", SourceKind.ODP),
    ("application/vnd.oasis.opendocument.spreadsheet", SourceKind.ODS),
)
# Beginnings of what a part named `mimetype` says; templates and masters go on behind them.

_MAIN_TYPES = (
    (b"wordprocessingml", SourceKind.DOCX),
    (b"ms-word", SourceKind.DOCX),
    (b"presentationml", SourceKind.PPTX),
    (b"ms-powerpoint", SourceKind.PPTX),
    (b"spreadsheetml", SourceKind.XLSX),
)
# For an Office Open XML file whose main part has an unusual name: content types by what they contain.

_FOREIGN = ("Index/Document.iwa", "Index.zip", "AndroidManifest.xml")
# Parts of programs' files that nobody would want as an archive.

PICTURE_ENDINGS = frozenset({".png", ".jpg", ".jpeg", ".jfif", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif"})
_BROKEN = (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError, RuntimeError)


def zip_kind(path: str) -> SourceKind | None:
    """Tell the kind of a ZIP, None for a program's own file that is not read.

    Raises:
        UserError: `source-damaged` when its directory cannot be read.
    """
    names = {part.filename: part for part in _directory(path)}
    for name, kind in _PARTS:
        if name in names:
            return kind
    told = _small(path, "mimetype").decode("ascii", errors="ignore").strip() if "mimetype" in names else ""
    for start, kind in _MIMETYPES:
        if told.startswith(start):
            return kind
    if told or any(name in names for name in _FOREIGN):
        return None
    if "[Content_Types].xml" in names:
        types = _small(path, "[Content_Types].xml")
        return next((kind for mark, kind in _MAIN_TYPES if mark in types), None)
    return _loose_kind([name for name in names if is_member(name)])


def is_member(name: str) -> bool:
    """Say whether a ZIP's entry is a file that somebody put there: no folder, nothing hidden, no leftovers."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    hidden = any(part.startswith(".") and part not in (".", "..") for part in parts)
    junk = "__MACOSX" in parts or posixpath.basename(name).lower() in ("thumbs.db", "desktop.ini")
    return bool(parts) and not name.endswith(("/", "\\")) and not hidden and not junk


def refuse_bomb(path: str, kind: SourceKind) -> None:
    """Refuse a ZIP that unpacks to far more than it is, that is locked, or whose XML declares entities.

    Raises:
        UserError: `source-bomb`, `source-encrypted`, `source-protected` for a book with copy protection,
            `source-damaged`.
    """
    parts = _directory(path)
    if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise UserError("source-bomb")
    if any(part.flag_bits & 1 for part in parts):
        raise UserError("source-encrypted")
    for part in parts:
        if part.file_size > _SMALL_PART_BYTES and part.file_size > MAX_RATIO * max(1, part.compress_size):
            raise UserError("source-bomb")
    _refuse_locked(path, {part.filename for part in parts})
    _refuse_entities(path, declarations=kind in _OOXML)


def count_slides(path: str) -> int:
    """Count a presentation's slides, hidden ones too."""
    names = (part.filename for part in _directory(path))
    return sum(1 for name in names if name.startswith("ppt/slides/slide") and name.endswith(".xml"))


def picture_parts(path: str) -> list[zipfile.ZipInfo]:
    """List the pictures of an album that was packed."""
    return [part for part in _directory(path) if is_member(part.filename)]


def _loose_kind(members: Sequence[str]) -> SourceKind:
    """Tell a packed book and a packed album from other archives."""
    endings = [PurePosixPath(name).suffix.lower() for name in members]
    if endings == [".fb2"]:
        return SourceKind.FB2
    return SourceKind.IMAGE if endings and PICTURE_ENDINGS.issuperset(endings) else SourceKind.ARCHIVE


def _directory(path: str) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.infolist()
    except _BROKEN as error:
        raise UserError("source-damaged") from error


def _small(path: str, name: str) -> bytes:
    """Return the beginning of a part."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(name) as part:
            return part.read(_HEAD_BYTES)
    except (*_BROKEN, KeyError) as error:
        raise UserError("source-damaged") from error


def _refuse_locked(path: str, names: set[str]) -> None:
    """Look where OpenDocument and EPUB say that their parts are encrypted; obfuscated fonts do not count."""
    if "META-INF/manifest.xml" in names and b"encryption-data" in _whole(path, "META-INF/manifest.xml"):
        raise UserError("source-encrypted")
    if "META-INF/rights.xml" in names or "META-INF/license.lcpl" in names:
        raise UserError("source-protected")


def _whole(path: str, name: str) -> bytes:
    try:
        with zipfile.ZipFile(path) as archive, archive.open(name) as part:
            return part.read(_SMALL_PART_BYTES)
    except (*_BROKEN, KeyError) as error:
        raise UserError("source-damaged") from error


def _refuse_entities(path: str, *, declarations: bool) -> None:
    """Refuse XML that declares entities.

    Args:
        path: The ZIP.
        declarations: Refuse any document type declaration: Office Open XML allows none (ECMA-376, part 2, 8.1.4),
            while books name XHTML's.
    """
    for start in _xml_starts(path):
        if b"<!ENTITY" in start or (declarations and b"<!DOCTYPE" in start):
            raise UserError("source-bomb")


def _xml_starts(path: str) -> Iterator[bytes]:
    """Yield the beginning of every part of XML, without the zero bytes of UTF-16."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.lower().endswith((".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx", ".fb2")):
                    with archive.open(name) as part:
                        yield part.read(_HEAD_BYTES).replace(b"\0", b"")
    except _BROKEN as error:
        raise UserError("source-damaged") from error
