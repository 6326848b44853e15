"""Requests read into parameters; files go to disk as they come."""

from __future__ import annotations

import hashlib
import json
import mimetypes
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import BodyPartReader, web

from bot.sandbox.errors import bad_request
from bot.sandbox.params import Params, Upload


async def read_params(request: web.Request, uploads: Path) -> Params:
    """Read a call's parameters from its query, form, multipart or JSON body.

    Raises:
        ApiError: The JSON body is not an object.
    """
    params = Params(dict(request.query.items()))
    if not request.can_read_body:
        return params
    kind = request.content_type
    if kind == "multipart/form-data":
        await _read_multipart(request, uploads, params)
    elif kind == "application/json":
        params.values |= _object(await request.read())
    else:
        params.values |= dict(parse_qsl((await request.read()).decode("utf-8", "replace"), keep_blank_values=True))
    return params


def _object(body: bytes) -> dict[str, Any]:
    if not body.strip():
        return {}
    try:
        value = json.loads(body)
    except ValueError as error:
        raise bad_request("can't parse JSON object") from error
    if not isinstance(value, dict):
        raise bad_request("can't parse JSON object")
    return value


async def _read_multipart(request: web.Request, uploads: Path, params: Params) -> None:
    reader = await request.multipart()
    while (part := await reader.next()) is not None:
        if not isinstance(part, BodyPartReader) or part.name is None:
            continue
        if part.filename is None:
            params.values[part.name] = (await part.read()).decode("utf-8", "replace")
        else:
            params.files.append((part.name, await _save(part, uploads)))


async def _save(part: BodyPartReader, uploads: Path) -> Upload:
    name = Path(part.filename or "").name
    path, digest, size = uploads / uuid.uuid4().hex, hashlib.sha256(), 0
    try:
        with path.open("wb") as file:
            while chunk := await part.read_chunk(256 * 1024):
                digest.update(chunk)
                size += len(chunk)
                file.write(chunk)
    except BaseException:  # the sender went away: half a file is no file
        path.unlink()
        raise
    given = part.headers.get("Content-Type", "").partition(";")[0].strip()
    guessed = mimetypes.guess_type(name)[0] if given in {"", "application/octet-stream"} else given
    return Upload(name, guessed or "application/octet-stream", path, size, digest.hexdigest())


def discard(params: Params) -> None:
    """Delete the received files that nobody kept."""
    for _, upload in params.files:
        upload.path.unlink(missing_ok=True)
