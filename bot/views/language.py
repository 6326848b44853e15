"""Choosing the language of the interface."""

from __future__ import annotations

from bot.callbacks import ChooseLocale
from bot.i18n import LOCALES, Translate
from bot.views.view import Button, View


def language_view(t: Translate) -> View:
    """Offer the languages, each by its own name; the present one is marked."""
    row = tuple(Button(_label(t, locale), data=ChooseLocale(locale=locale).pack()) for locale in LOCALES)
    return View(t("language-choose"), keyboard=(row,))


def language_chosen_view(t: Translate) -> View:
    """Confirm in the language that was chosen."""
    return View(t("language-chosen"), silent=True)


def _label(t: Translate, locale: str) -> str:
    return ("✔ " if locale == t.locale else "") + t.plain(f"language-{locale}")
