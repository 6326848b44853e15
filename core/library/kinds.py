"""Which kind a file is, by what the messenger says of it; the bytes have the last word when it is read."""

import re

from core.model.source import SourceKind

_OFFICE = "application/vnd.openxmlformats-officedocument."
_OPEN = "application/vnd.oasis.opendocument."

KINDS: tuple[tuple[SourceKind, tuple[str, ...], tuple[str, ...]], ...] = (
    (SourceKind.PDF, (".pdf",), ("application/pdf", "application/x-pdf")),
    (SourceKind.DOCX, (".docx", ".docm", ".dotx", ".dotm"), (f"{_OFFICE}wordprocessingml.document",)),
    (
        SourceKind.PPTX,
        (".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"),
        (f"{_OFFICE}presentationml.presentation", f"{_OFFICE}presentationml.slideshow"),
    ),
    (SourceKind.XLSX, (".xlsx", ".xlsm", ".xltx", ".xltm"), (f"{_OFFICE}spreadsheetml.sheet",)),
    (SourceKind.ODT, (".odt", ".ott"), (f"{_OPEN}text",)),
    (SourceKind.ODP, (".odp", ".otp"), (f"{_OPEN}presentation",)),
    (SourceKind.ODS, (".ods", ".ots"), (f"{_OPEN}spreadsheet",)),
    (SourceKind.DOC, (".doc", ".dot"), ("application/msword",)),
    (SourceKind.PPT, (".ppt", ".pps", ".pot"), ("application/vnd.ms-powerpoint",)),
    (SourceKind.XLS, (".xls", ".xlt", ".xlsb"), ("application/vnd.ms-excel",)),
    (SourceKind.RTF, (".rtf",), ("application/rtf", "text/rtf")),
    (SourceKind.HTML, (".html", ".htm", ".xhtml"), ("text/html", "application/xhtml+xml")),
    (SourceKind.EPUB, (".epub",), ("application/epub+zip",)),
    (SourceKind.FB2, (".fb2",), ("application/x-fictionbook+xml", "application/x-fictionbook", "text/fb2+xml")),
    (SourceKind.DJVU, (".djvu", ".djv"), ("image/vnd.djvu", "image/x-djvu", "image/x.djvu")),
    (SourceKind.CSV, (".csv", ".tsv", ".tab"), ("text/csv", "text/tab-separated-values")),
    (
        SourceKind.PLAIN_FILE,
        (".txt", ".md", ".markdown", ".text", ".log", ".rst", ".srt", ".vtt", ".tex"),
        ("text/plain", "text/markdown", "text/x-markdown", "application/x-subrip", "text/vtt"),
    ),
    (
        SourceKind.IMAGE,
        (
            ".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic",
            ".heif",
        ),
        ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "image/tiff", "image/avif", "image/heic"),
    ),
    (
        SourceKind.AUDIO,
        (
            ".mp3", ".ogg", ".oga", ".opus", ".m4a", ".m4b", ".aac", ".wav", ".flac", ".wma", ".amr", ".aiff", ".aif",
            ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".3gp", ".wmv", ".flv", ".ogv",
        ),
        ("audio/ogg", "audio/mpeg", "audio/mp4", "audio/x-wav", "audio/wav", "video/mp4", "application/ogg"),
    ),
    (SourceKind.ARCHIVE, (".zip",), ("application/zip", "application/x-zip-compressed")),
)  # fmt: skip
"""Kind, file name endings, media types; the name is asked first, since clients send odd media types."""

HEAVY = frozenset(kind for kind, _, _ in KINDS if kind is not SourceKind.PLAIN_FILE)
"""Kinds that wait in the heavy queue: a program has to read them."""

_FAMILIES = (("image/", SourceKind.IMAGE), ("audio/", SourceKind.AUDIO), ("video/", SourceKind.AUDIO))
"""What a media type that stands in no row begins with."""

_UNREAD = ("image/svg",)
"""Media types of those families whose bytes nothing reads."""

_ENDING = re.compile(r"\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,10}\Z")
"""What a program appends to a name; people write dots too ("Глава 1. Введение", "Лекция 3.5")."""


def kind_of(file_name: str, media_type: str) -> SourceKind | None:
    """Name the kind of a file.

    Returns:
        None when neither name nor media type is known; a file without any ending is left to its bytes and counts as
        `PLAIN_FILE` until they are seen.
    """
    found = _ENDING.search(file_name.strip().lower())
    ending = found[0] if found else ""
    for kind, endings, _ in KINDS:
        if ending in endings:
            return kind
    return _by_media_type(media_type.split(";")[0].strip().lower(), has_ending=bool(ending))


def _by_media_type(media: str, *, has_ending: bool) -> SourceKind | None:
    for kind, _, media_types in KINDS:
        if media in media_types:
            return kind
    if media.startswith(_UNREAD):
        return None
    for start, kind in _FAMILIES:
        if media.startswith(start):
            return kind
    return None if has_ending else SourceKind.PLAIN_FILE
