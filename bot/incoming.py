"""What a Telegram message means: something to keep, something to ask, or something not read yet."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from aiogram.types import (
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
)

from core.errors import UserError
from core.library.add_source import Incoming
from core.library.kinds import kind_of
from core.library.manage_notebooks import as_title
from core.model.source import Origin, SourceKind, Upload

PASTE_CHARACTERS = 700
"""A typed text this long is something to keep: questions are shorter, and one button flips a wrong guess."""
PASTE_LINES = 6
"""So is one of as many lines."""
PARAGRAPH_CHARACTERS, PARAGRAPH_SENTENCES = 250, 3
"""And a paragraph: several sentences that ask nothing."""

_SENTENCE_END = re.compile(r"[.!…](?=\s|$)")


@dataclass(frozen=True, slots=True)
class NotYet:
    """A kind that is not read yet: what to say instead."""

    text_key: str


def as_source(message: Message) -> Incoming | NotYet | None:
    """Make a source of a message.

    Returns:
        None for a message without anything to read (a sticker, a poll).
    """
    if message.document is not None:
        return _document(message)
    if message.photo:
        return NotYet("photos-later")
    if message.voice or message.audio or message.video or message.video_note:
        return NotYet("voice-later")
    if message.text:
        return _words(message)
    return None


def is_for_keeping(message: Message) -> bool:
    """Tell, of a message in a private chat, whether it is a source rather than a request."""
    if message.document or message.photo or message.voice or message.audio or message.video or message.video_note:
        return True
    text = message.text or ""
    if text.startswith("/"):
        return False
    pasted = len(text) >= PASTE_CHARACTERS or text.count("\n") >= PASTE_LINES
    return message.forward_origin is not None or pasted or _is_paragraph(text)


def _is_paragraph(text: str) -> bool:
    """Tell several sentences of prose from a question with its background."""
    tells = len(text) >= PARAGRAPH_CHARACTERS and "?" not in text
    return tells and len(_SENTENCE_END.findall(text)) >= PARAGRAPH_SENTENCES


def only_links(message: Message) -> bool:
    """Tell whether a text is nothing but addresses."""
    text = message.text or ""
    rest = text
    for entity in message.entities or []:
        if entity.type == "url":
            rest = rest.replace(entity.extract_from(text), "", 1)
    return bool(text) and not rest.strip()


def _document(message: Message) -> Incoming | NotYet:
    document = message.document
    assert document is not None
    name = document.file_name or ""
    kind = kind_of(name, document.mime_type or "")
    if kind is None:
        raise UserError("source-not-supported")
    upload = Upload(
        file_name=name,
        media_type=document.mime_type or "",
        size_bytes=document.file_size or 0,
        remote_file=document.file_id,
        unique_file=document.file_unique_id,
        caption=message.caption or "",
    )
    return Incoming(kind, as_title(name), upload, _origin(message))


def _words(message: Message) -> Incoming | NotYet:
    if only_links(message):
        return NotYet("links-later")
    text = message.text or ""
    origin = _origin(message)
    return Incoming(SourceKind.TEXT, as_title(text.strip().split("\n")[0], 60), Upload(text=text), origin)


def _origin(message: Message) -> Origin:
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
