"""What an operator hands to a command: files, the standard input, lines of JSON."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import UserError
from core.ingest.cleaning import storable
from core.library.add_source import Incoming
from core.library.kinds import kind_of
from core.library.link_source import link_source
from core.library.manage_notebooks import as_title
from core.model.source import SourceKind, Upload

STDIN = "-"
STDIN_TITLE = "standard input"


class BadInput(Exception):
    """A file or a line of it that cannot be used: told to operators only, so no locale has a text for it."""

    def __init__(self, text_key: str, values: dict[str, str | int]) -> None:
        super().__init__(text_key, values)
        self.text_key = text_key
        self.values = values


@dataclass(frozen=True, slots=True)
class Query:
    """One query of a batch, or what is wrong with its line."""

    query_id: str
    text: str
    wrong: BadInput | None = None


@contextmanager
def incoming(name: str) -> Iterator[Incoming]:
    """Make a source of a path or of the standard input (bytes of any kind that is read); it is there for the body.

    Raises:
        UserError: No such file, a kind that is not read, or a link that leads nowhere.
    """
    if name.lower().startswith(("http://", "https://")):
        yield link_source(name)
        return
    if name == STDIN:
        with _staged(None) as path:
            path.write_bytes(sys.stdin.buffer.read())
            yield _source(SourceKind.PLAIN_FILE, STDIN_TITLE, Upload(path=str(path)))
        return
    path = Path(name).absolute()
    if not os.path.isfile(path):  # unlike Path.is_file it says no to a name that is too long
        raise UserError("source-file-missing", {"name": path.name})
    kind = kind_of(path.name, "")
    if kind is None:
        raise UserError("source-not-supported")
    with _staged(path) as place:
        yield _source(kind, as_title(path.name), Upload(file_name=path.name, path=str(place)))


@contextmanager
def _staged(path: Path | None) -> Iterator[Path]:
    """Give a path that a row can hold: names in another encoding than UTF-8 would not survive it."""
    if path is not None and storable(str(path)) == str(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="konspekt-") as folder:
        place = Path(folder) / "original"
        if path is not None:
            place.symlink_to(path)
        yield place


def _source(kind: SourceKind, title: str, upload: Upload) -> Incoming:
    path = Path(upload.path)
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError as error:
        raise UserError("source-file-missing", {"name": path.name}) from error
    known = Upload(file_name=upload.file_name, size_bytes=size, path=upload.path)
    return Incoming(kind, title, known, content_hash=digest)


def sources(file: str) -> Iterator[Incoming | BadInput]:
    """Read lines of `{external_id, title, text}`; a line that is not one is told and the others are read."""
    for number, row in lines(file):
        if isinstance(row, BadInput):
            yield row
        elif not isinstance(row.get("text"), str):
            yield BadInput("line-incomplete", {"line": number, "field": "text"})
        else:
            title, external_id = row.get("title"), row.get("external_id")
            words = Upload(text=row["text"])
            yield Incoming(SourceKind.TEXT, _words(title), words, external_id=_words(external_id))


def queries(file: str | None, query: str) -> Iterator[Query]:
    """Give the one query of the command line, or those of a batch: `query_id`, `qid` or `id`, else their number."""
    if file is None:
        yield _query("", query)
        return
    for number, row in lines(file):
        if isinstance(row, BadInput):
            yield Query(str(number), "", row)
            continue
        query_id = next((row[name] for name in ("query_id", "qid", "id") if row.get(name) is not None), number)
        text = next((row[name] for name in ("query", "question", "text") if isinstance(row.get(name), str)), None)
        if text is None:
            yield Query(str(query_id), "", BadInput("line-incomplete", {"line": number, "field": "query"}))
        else:
            yield _query(str(query_id), text)


def _query(query_id: str, text: str) -> Query:
    words = storable(text)
    return Query(query_id, words, None if words.strip() else BadInput("question-empty", {}))


def lines(file: str) -> Iterator[tuple[int, dict[str, Any] | BadInput]]:
    """Read a file (`-`: the standard input) of one JSON object a line, UTF-8 with or without a mark.

    Returns:
        The number of each line that is not blank, and its object or what is wrong with it.

    Raises:
        BadInput: There is no such file.
    """
    try:
        stream = sys.stdin.buffer if file == STDIN else Path(file).open("rb")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise BadInput("source-file-missing", {"name": file}) from error
    with stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield number, _object(number, line)


def _object(number: int, line: bytes) -> dict[str, Any] | BadInput:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except ValueError:
        return BadInput("line-not-json", {"line": number})
    return row if isinstance(row, dict) else BadInput("line-not-json", {"line": number})


def _words(value: object) -> str:
    """Make one line of a title or an id; numbers are fine, nothing is ""."""
    return "" if value is None else " ".join(str(value).split())
