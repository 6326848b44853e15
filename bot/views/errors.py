"""What is said when something did not work."""

from __future__ import annotations

from collections.abc import Mapping

from bot.i18n import Translate
from bot.views.view import View


def error_view(t: Translate, text_key: str, values: Mapping[str, str | int] | None = None) -> View:
    """Say what is wrong and what can be done; an unknown key is worded generally, never shown."""
    return View(t(text_key, **(values or {})), silent=True)


def error_toast(t: Translate, text_key: str, values: Mapping[str, str | int] | None = None) -> str:
    """Say the same in the at most 200 characters of a callback's answer."""
    text = t.plain(text_key, **(values or {}))
    return text if len(text) <= TOAST_LIMIT else text[: TOAST_LIMIT - 1].rstrip() + "…"


TOAST_LIMIT = 200
"""Code points that Telegram shows of an answer to a tap."""
