"""Which kind a file is, by what the messenger says of it; the bytes have the last word when it is read."""

import re

from core.model.source import SourceKind

KINDS: tuple[tuple[SourceKind, tuple[str, ...], tuple[str, ...]], ...] = (
    (SourceKind.PDF, (".pdf",), ("application/pdf", "application/x-pdf")),
    (SourceKind.DOCX, (".docx",), ("application/vnd.openxmlformats-officedocument.wordprocessingml.document",)),
    (SourceKind.HTML, (".html", ".htm", ".xhtml"), ("text/html", "application/xhtml+xml")),
    (
        SourceKind.PLAIN_FILE,
        (".txt", ".md", ".markdown", ".text", ".log", ".rst", ".csv", ".tsv", ".srt", ".vtt", ".tex"),
        ("text/plain", "text/markdown", "text/csv", "text/x-markdown", "application/x-subrip", "text/vtt"),
    ),
)
"""Kind, file name endings, media types; the name is asked first, since clients send odd media types."""

HEAVY = frozenset({SourceKind.PDF, SourceKind.DOCX, SourceKind.HTML})
"""Kinds that wait in the heavy queue: a program has to read them."""

NO_TEXT = ("image/", "audio/", "video/")
"""Media types that are not worth fetching for their bytes' sake."""

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
    media = media_type.split(";")[0].strip().lower()
    for kind, _, media_types in KINDS:
        if media in media_types:
            return kind
    return None if ending or media.startswith(NO_TEXT) else SourceKind.PLAIN_FILE
