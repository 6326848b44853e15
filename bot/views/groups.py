"""What the bot says to a group about itself."""

from __future__ import annotations

from bot.i18n import Translate
from bot.views.view import View


def group_joined_view(t: Translate, notebook_title: str, *, sees_all: bool = True) -> View:
    """Introduce the bot once; when privacy mode hides files from it, say so and how to change that."""
    text: str = t("group-joined", notebook=notebook_title)
    return View(text if sees_all else f"{text}\n\n{t('group-privacy-mode')}", silent=True)


def group_privacy_mode_view(t: Translate) -> View:
    """Say what privacy mode hides and how an administrator changes that."""
    return View(t("group-privacy-mode"), silent=True)


def group_hint_view(t: Translate, text_key: str) -> View:
    """Say how a command is used (`group-add-how`, `group-ask-how`) or who may (`group-admins-only`)."""
    return View(t(text_key), silent=True)
