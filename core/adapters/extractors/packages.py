"""Office files are ZIPs of XML: read their parts, and undo what keeps a library from opening them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping

_VARIANT = re.compile(
    rb"application/vnd\.(?:ms-word\.(?:document|template)\.macroEnabled\.main\+xml"
    rb"|openxmlformats-officedocument\.wordprocessingml\.template\.main\+xml"
    rb"|ms-powerpoint\.(?:presentation|template|slideshow)\.macroEnabled\.main\+xml"
    rb"|openxmlformats-officedocument\.presentationml\.(?:template|slideshow)\.main\+xml"
    rb"|ms-excel\.(?:sheet|template)\.macroEnabled\.main\+xml"
    rb"|openxmlformats-officedocument\.spreadsheetml\.template\.main\+xml)",
    re.I,
)
# Content types of documents with macros, of templates and of slide shows.

_PLAIN = {
    b"word": b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    b"p": b"application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
    b"x": b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
}


def as_document(path: str) -> bytes:
    """Return an Office Open XML file as an ordinary document: macros, templates and slide shows hold the same text."""
    with open(path, "rb") as file:
        data = file.read()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        types = archive.read("[Content_Types].xml")
    plain = _VARIANT.sub(_ordinary, types)
    return data if plain == types else repacked(data, {"[Content_Types].xml": plain})


def repacked(data: bytes, changed: Mapping[str, bytes], *, first: str = "") -> bytes:
    """Return a ZIP anew.

    Args:
        data: The old one.
        changed: Parts with their new bytes; new names are added.
        first: The part that has to come first, stored without packing, as EPUB wants its `mimetype`.
    """
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        names = list(dict.fromkeys([*old.namelist(), *changed]))
        if first:
            names.sort(key=lambda name: name != first)
        for name in names:
            body = changed[name] if name in changed else old.read(name)
            new.writestr(name, body, zipfile.ZIP_STORED if name == first else zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _ordinary(found: re.Match[bytes]) -> bytes:
    name = found[0].lower()
    if b"word" in name:
        return _PLAIN[b"word"]
    return _PLAIN[b"p"] if b"powerpoint" in name or b"presentation" in name else _PLAIN[b"x"]
