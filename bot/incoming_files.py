"""Photos, recordings and documents of Telegram as sources."""

from __future__ import annotations

import json
from dataclasses import replace

from aiogram.types import (
    Audio,
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
    Video,
    VideoNote,
    Voice,
)

from core.library.add_source import Incoming
from core.library.kinds import kind_of
from core.library.manage_notebooks import as_title
from core.model.source import Origin, Part, Reason, SourceKind, Upload
from core.ports import Refused


def file_of(message: Message, *, caption: str) -> Incoming | Refused:
    """Make a source of what a message holds beside words."""
    if message.photo:
        return _photo(message, caption)
    sound = sound_of(message)
    if sound is not None:
        return _spoken(message, sound, caption)
    if message.document is not None and message.animation is None:
        return _document(message, caption)
    return Refused("", None, Reason("source-no-text", {}))


def _photo(message: Message, caption: str) -> Incoming:
    """Take the largest size; a photo of an album is a part of it from the start."""
    assert message.photo
    photo = max(message.photo, key=lambda size: size.width * size.height)
    upload = Upload(
        media_type="image/jpeg",
        size_bytes=photo.file_size or 0,
        remote_file=photo.file_id,
        unique_file=photo.file_unique_id,
        caption=caption,
    )
    if message.media_group_id:
        part = Part(photo.file_id, photo.file_unique_id, photo.file_size or 0, caption, message.message_id)
        album = replace(upload, remote_file="", size_bytes=0, caption="")
        upload = replace(album, album=message.media_group_id, parts=(part,))
    return Incoming(SourceKind.IMAGE, "", upload, origin_of(message))


def sound_of(message: Message) -> Voice | Audio | Video | VideoNote | None:
    """Give what of a message can be listened to."""
    return message.voice or message.audio or message.video or message.video_note


def _spoken(message: Message, sound: Voice | Audio | Video | VideoNote, caption: str) -> Incoming:
    name = getattr(sound, "file_name", None) or ""
    upload = Upload(
        file_name=name,
        media_type=getattr(sound, "mime_type", None) or "",
        size_bytes=sound.file_size or 0,
        remote_file=sound.file_id,
        unique_file=sound.file_unique_id,
        caption=caption,
    )
    tags = (getattr(sound, "performer", None), getattr(sound, "title", None))
    title = " – ".join(tag for tag in tags if tag) or name
    return Incoming(SourceKind.AUDIO, as_title(title), upload, origin_of(message))


def _document(message: Message, caption: str) -> Incoming | Refused:
    document = message.document
    assert document is not None
    name = document.file_name or ""
    kind = kind_of(name, document.mime_type or "")
    if kind is None:
        return Refused(as_title(name), None, Reason("source-not-supported", {}))
    upload = Upload(
        file_name=name,
        media_type=document.mime_type or "",
        size_bytes=document.file_size or 0,
        remote_file=document.file_id,
        unique_file=document.file_unique_id,
        caption=caption,
    )
    return Incoming(kind, as_title(name), upload, origin_of(message))


def origin_of(message: Message) -> Origin:
    """Keep author, date and link of a forwarded original, and which message of this chat holds it."""
    held = json.dumps({"chat": message.chat.id, "message": message.message_id})
    origin = message.forward_origin
    if isinstance(origin, MessageOriginUser):
        return Origin(origin.sender_user.full_name, origin.date, "", held)
    if isinstance(origin, MessageOriginHiddenUser):
        return Origin(origin.sender_user_name, origin.date, "", held)
    if isinstance(origin, MessageOriginChat):
        return Origin(origin.sender_chat.title or "", origin.date, "", held)
    if isinstance(origin, MessageOriginChannel):
        username = origin.chat.username
        link = f"https://t.me/{username}/{origin.message_id}" if username else ""
        return Origin(origin.chat.title or "", origin.date, link, held)
    author = message.from_user.full_name if message.from_user else ""
    return Origin(author, message.date, "", held)
