"""The Bot API's limits, each with its unit, and how Telegram counts."""

TEXT_MAX = 4096
"""Unicode code points of a message's text after its entities are parsed."""

CAPTION_MAX = 1024
"""Unicode code points of a caption after its entities are parsed."""

QUOTE_MAX = 1024
"""Unicode code points of a reply's quote."""

ENTITIES_MAX = 100
"""Entities a message keeps; the server drops the rest silently."""

CALLBACK_DATA_MAX = 64
"""Bytes of a button's callback data."""

COPY_TEXT_MAX = 256
"""Unicode code points of a copy button's text."""

BUTTONS_MAX = 100
"""Buttons of an inline keyboard in all."""

CALLBACK_ANSWER_MAX = 200
"""Unicode code points of the answer to a callback query."""

CALLBACK_LIFE_S = 150
"""How long a callback query can be answered and waits in the queue."""

UPDATE_LIFE_S = 24 * 3600
"""How long an update waits for the bot."""

DRAFT_LIFE_S = 30
"""How long a draft is shown after its last change."""

DELETE_AGE_S = 48 * 3600
"""How old a message a bot may still delete."""

DOWNLOAD_MAX = 20 * 1024 * 1024
"""Bytes of a file that getFile hands out."""

UPLOAD_MAX = 50 * 1024 * 1024
"""Bytes of a file that a bot uploads."""

LOCAL_UPLOAD_MAX = 2000 * 1024 * 1024
"""The same in local mode."""

PHOTO_MAX = 10 * 1024 * 1024
"""Bytes of a picture that a bot uploads as a photo."""

ALBUM_MAX = 10
"""Items of an album."""

POLL_MAX_S = 50
"""Longest wait of getUpdates."""

COMMANDS_MAX = 100
"""Commands of one scope and language."""

RICH_TEXT_MAX = 32_768
"""UTF-8 characters of a rich message."""


def utf16_len(text: str) -> int:
    """Return the length of a text in UTF-16 code units, the unit of entity offsets."""
    return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)


def utf16_slice(text: str, offset: int, length: int) -> str:
    """Cut a text by UTF-16 offsets; half a surrogate pair is replaced."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")
