"""Posts of public Telegram channels, as their web preview shows them without scripts."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from core.adapters.web.markdown import to_markdown
from core.errors import UserError
from core.model.document import Document
from core.model.source import About

Element = Any
"""An element of lxml, which has no types."""

TITLE_CHARACTERS = 80
_HOSTS = frozenset({"t.me", "telegram.me"})


def is_telegram(url: str) -> bool:
    """Say whether the preview's markup is to be expected."""
    return urlsplit(url).hostname in _HOSTS


def read_posts(root: Element) -> Document | None:
    """Read one post, or the last ones of a channel; None when the page shows none.

    Raises:
        UserError: `link-not-found`: Telegram says that there is no such post; `link-telegram-closed`: it shows no text.
    """
    if root.xpath("//*[contains(@class, 'tgme_widget_message_error')]"):
        raise UserError("link-not-found")
    posts = root.xpath("//*[contains(concat(' ', @class, ' '), ' tgme_widget_message ')]")
    texts = [text for post in posts if (text := _post(post, dated=len(posts) > 1))]
    if not posts:
        return None
    if not texts:
        raise UserError("link-telegram-closed")
    owner = _words(root, "tgme_widget_message_owner_name") or _words(root, "tgme_channel_info_header_title")
    author = _words(root, "tgme_widget_message_from_author")
    dates = [time.get("datetime", "")[:10] for time in root.xpath("//time[@datetime]")]
    one = len(posts) == 1
    first = texts[0].split("\n")[0]
    title = (first if len(first) <= TITLE_CHARACTERS else first[:TITLE_CHARACTERS].rstrip() + "…") if one else owner
    about = About(author or owner, dates[0] if one and dates else "", owner)
    return Document("\n\n".join(texts), title=title, about=about)


def _post(post: Element, *, dated: bool) -> str:
    """Give a post's words: text, a poll, the name of a file."""
    parts = []
    for element in post.xpath(
        ".//*[contains(@class, 'tgme_widget_message_text') or contains(@class, 'tgme_widget_message_poll_question')"
        " or contains(@class, 'tgme_widget_message_poll_option_text')"
        " or contains(@class, 'tgme_widget_message_document_title')]"
    ):
        nested = any("tgme_widget_message_text" in (above.get("class") or "") for above in element.iterancestors())
        quoted = any("tgme_widget_message_reply" in (above.get("class") or "") for above in element.iterancestors())
        if not nested and not quoted:
            parts.append(to_markdown(element))
    text = "\n\n".join(filter(None, parts))
    date = next((time.get("datetime", "")[:10] for time in post.xpath(".//time[@datetime]")), "")
    return f"## {date}\n\n{text}" if text and dated and date else text


def _words(root: Element, name: str) -> str:
    found = root.xpath(f"//*[contains(@class, '{name}')]")
    return " ".join(found[0].text_content().split()) if found else ""
