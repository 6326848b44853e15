"""A payload as a call of the Bot API."""

from typing import Any

from aiogram.methods import EditMessageText, SendMessage
from aiogram.types import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
)

from bot.payload import Payload
from bot.views.view import View

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


def send_call(payload: Payload, chat_id: int) -> SendMessage:
    """Build the call for a new message."""
    view = payload.view
    reply = None
    if payload.reply_to:
        reply = ReplyParameters(message_id=payload.reply_to, allow_sending_without_reply=True, quote=view.quote or None)
    return SendMessage(
        chat_id=chat_id,
        message_thread_id=payload.thread_id or None,
        disable_notification=view.silent or None,
        reply_parameters=reply,
        **_content(view),
    )


def edit_call(payload: Payload, chat_id: int, message_id: int) -> EditMessageText:
    """Build the call that brings a message to this content."""
    return EditMessageText(chat_id=chat_id, message_id=message_id, **_content(payload.view))


def keyboard_of(view: View) -> InlineKeyboardMarkup | None:
    """Build the inline keyboard, None without buttons."""
    rows = [
        [
            InlineKeyboardButton(text=button.text, callback_data=button.data or None, url=button.url or None)
            for button in row
        ]
        for row in view.keyboard
    ]
    return InlineKeyboardMarkup(inline_keyboard=rows) if rows else None


def _content(view: View) -> dict[str, Any]:
    return {
        "text": view.text,
        "parse_mode": "HTML" if view.html else None,
        "entities": None if view.html else [MessageEntity(**entity) for entity in view.entities],
        "reply_markup": keyboard_of(view),
        "link_preview_options": NO_PREVIEW,
    }
