"""The methods that send files."""

from __future__ import annotations

from functools import partial
from typing import Any

from bot.sandbox import files
from bot.sandbox import media as kinds
from bot.sandbox.bot_api.outgoing import read_options, send
from bot.sandbox.chats import writable
from bot.sandbox.entities import read_text
from bot.sandbox.errors import ApiError, bad_request
from bot.sandbox.limits import ALBUM_MAX, CAPTION_MAX, LOCAL_UPLOAD_MAX, PHOTO_MAX, UPLOAD_MAX
from bot.sandbox.media_info import probe
from bot.sandbox.params import Params, Upload
from bot.sandbox.world import Obj, World

ALBUMS = ({"photo", "video"}, {"document"}, {"audio"})
"""Kinds that can stand together in an album."""


def caption_fields(params: Params) -> Obj:
    """Return the message fields of a call's caption.

    Raises:
        ApiError: It is too long after parsing, or cannot be parsed.
    """
    text, entities = read_text(params, "caption", "caption_entities")
    if len(text) > CAPTION_MAX:
        raise bad_request("message caption is too long")
    fields: Obj = {"caption": text} if text else {}
    if entities:
        fields["caption_entities"] = entities
    if text and params.flag("show_caption_above_media"):
        fields["show_caption_above_media"] = True
    return fields


def input_file(world: World, params: Params, name: str, kind: str) -> Upload:
    """Return the file a call sends: uploaded under the parameter's name, attached, or already kept.

    Raises:
        ApiError: There is none, it is too large, or the id is not one of this bot's files.
    """
    value = params.text(name)
    field = value.removeprefix("attach://") if value.startswith("attach://") else name
    upload = params.file(field)
    if upload is not None:
        return _checked(upload, kind, LOCAL_UPLOAD_MAX if world.local else UPLOAD_MAX)
    if not value:
        raise bad_request(f"there is no {kind.replace('_', ' ')} in the request")
    if value.startswith(("http://", "https://")):
        raise bad_request("failed to get HTTP URL content")
    found = files.find(world, value)
    if found is None:
        raise bad_request("wrong remote file identifier specified: Wrong string length")
    if found.kind != kind:
        raise bad_request(f"type of file mismatch: can't use file of type {found.kind.title()} as {kind.title()}")
    return files.as_upload(found)


def _checked(upload: Upload, kind: str, max_bytes: int) -> Upload:
    if upload.size == 0:
        raise bad_request("file must be non-empty")
    if upload.size > max_bytes:
        raise ApiError(413, "Request Entity Too Large")
    if kind == "photo":
        _check_photo(upload)
    return upload


def _check_photo(upload: Upload) -> None:
    info = probe(upload.path)
    if upload.size > PHOTO_MAX:
        raise bad_request("file is too big for a photo")
    if not info.width:
        raise bad_request("IMAGE_PROCESS_FAILED")
    if info.width + info.height > 10_000 or not 1 / 20 <= info.width / info.height <= 20:
        raise bad_request("PHOTO_INVALID_DIMENSIONS")


def send_file(world: World, params: Params, *, kind: str) -> Obj:
    """Send one file with a caption."""
    upload = input_file(world, params, kind, kind)
    caption = caption_fields(params)
    chat = writable(world, params)
    options = read_options(world, params, chat)
    content = kinds.content(world, kind, upload, params.values)
    return send(world, chat, content | caption, options)


def send_media_group(world: World, params: Params) -> list[Obj]:
    """Send an album."""
    items = params.json("media", "media")
    if not isinstance(items, list) or len(items) < 2:
        raise bad_request("too few media to send as an album")
    if len(items) > ALBUM_MAX:
        raise bad_request("too many messages to send as an album")
    chat = writable(world, params)
    kinds_found = {str(item.get("type")) if isinstance(item, dict) else "" for item in items}
    if not any(kinds_found <= together for together in ALBUMS):
        raise bad_request("can't use the media of the specified type in the album")
    contents = [album_item(world, params, item) for item in items]
    options = read_options(world, params, chat)
    group = {"media_group_id": album_id(world)}
    return [send(world, chat, group | content, options) for content in contents]


def album_item(world: World, params: Params, item: Obj) -> Obj:
    """Return the message fields of an `InputMedia`: its file and its caption."""
    own = Params(dict(item), params.files)
    upload = input_file(world, own, "media", item["type"])
    return kinds.content(world, item["type"], upload, item) | caption_fields(own)


def album_id(world: World) -> str:
    """Return a new `media_group_id`."""
    return str(13_900_000_000_000_000 + world.store.next_number("album", 1))


METHODS: dict[str, Any] = {
    "sendDocument": partial(send_file, kind="document"),
    "sendPhoto": partial(send_file, kind="photo"),
    "sendVoice": partial(send_file, kind="voice"),
    "sendAudio": partial(send_file, kind="audio"),
    "sendVideo": partial(send_file, kind="video"),
    "sendVideoNote": partial(send_file, kind="video_note"),
    "sendAnimation": partial(send_file, kind="animation"),
    "sendMediaGroup": send_media_group,
}
