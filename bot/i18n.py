"""Every text a person reads: Fluent messages of `bot/locales`, chosen by language and safe to show.

`texts = Texts.load()` once a process, `t = texts("ru")` once an update, `t("answer-footer", used=2)` a text.
A text is Telegram's HTML and its values are escaped, so no value can break a message; `t.plain` gives the same
without escaping, for buttons and for messages that carry entities.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import structlog
from babel import Locale, UnknownLocaleError
from fluent.runtime import FluentBundle, FluentResource

LOCALES = ("ru", "en")
"""In order of preference when a text is missing in one of them."""
DEFAULT_LOCALE = "ru"
"""For those whose language nobody told us: Russian first."""
FOLDER = Path(__file__).parent / "locales"
FALLBACK = "error-generic"
"""What is shown for a text that no locale has."""
LAST_RESORT = "…"
"""What is shown if even the fallback is missing: a message must not be empty."""

_READS_RUSSIAN = frozenset({"ru", "uk", "be", "kk", "ky", "uz", "tg", "tk", "tt", "ba", "cv", "hy", "az"})
# Languages without a locale of their own whose speakers more often read Russian than English.

_log = structlog.get_logger()


class Html(str):
    """Text that is already Telegram's HTML: passed as a value, it is not escaped again."""

    __slots__ = ()


class MissingText(LookupError):
    """A text, or a value that it needs, is not there (raised only by strict texts)."""


def pick_locale(language_code: str | None) -> str:
    """Choose the interface's locale by the messenger's language code (`ru`, `en-GB`, `pt_br`; None: not told)."""
    if not language_code:
        return DEFAULT_LOCALE
    language = language_code.lower().replace("_", "-").split("-")[0]
    return "ru" if language in _READS_RUSSIAN else "en"


class Texts:
    """The texts of all locales.

    Args:
        bundles: Locale to its messages.
        strict: A missing text or value raises `MissingText` (in tests); otherwise another locale's text, at worst
            the generic one, is shown and the gap is logged.
    """

    def __init__(self, bundles: Mapping[str, FluentBundle], *, strict: bool = False) -> None:
        self._bundles = dict(bundles)
        self._strict = strict

    @classmethod
    def load(cls, *, strict: bool = False) -> Texts:
        """Read the locales' files: a folder for each locale, a file in it for each area."""
        return cls({locale: _bundle(locale) for locale in LOCALES}, strict=strict)

    def __call__(self, locale: str) -> Translate:
        """Give the texts of a locale; an unknown one is served as Telegram's code for it would be."""
        known = locale if locale in self._bundles else pick_locale(locale)
        return Translate(self, known)

    def format(self, locale: str, key: str, values: Mapping[str, Any]) -> str:
        """Word a message; `values` are ready to stand in it."""
        for candidate in (locale, *self._bundles):
            if (text := self._word(candidate, key, values)) is not None:
                return text
            self._report("text_missing", candidate, key)
        return LAST_RESORT if key == FALLBACK else self.format(locale, FALLBACK, {})

    def _word(self, locale: str, key: str, values: Mapping[str, Any]) -> str | None:
        bundle = self._bundles[locale]
        if not bundle.has_message(key) or (pattern := bundle.get_message(key).value) is None:
            return None
        text, errors = bundle.format_pattern(pattern, dict(values))
        if errors:
            self._report("text_incomplete", locale, key)
        return str(text)

    def _report(self, event: str, locale: str, key: str) -> None:
        if self._strict:
            raise MissingText(event, locale, key)
        _log.error(event, locale=locale, key=key)


class Translate:
    """The texts of one locale."""

    __slots__ = ("_texts", "locale")

    def __init__(self, texts: Texts, locale: str) -> None:
        self._texts = texts
        self.locale = locale

    def __call__(self, key: str, /, **values: object) -> Html:
        """Word a message as HTML; values that are not `Html` are escaped."""
        return Html(self._texts.format(self.locale, key, {name: _escaped(value) for name, value in values.items()}))

    def plain(self, key: str, /, **values: object) -> str:
        """Word a message that holds no markup as plain text."""
        return self._texts.format(self.locale, key, {name: _ready(value) for name, value in values.items()})


def escape(text: str) -> Html:
    """Make any text safe to stand in Telegram's HTML."""
    return text if isinstance(text, Html) else Html(html.escape(text, quote=True))


def _escaped(value: object) -> object:
    ready = _ready(value)
    return escape(ready) if isinstance(ready, str) else ready


def _ready(value: object) -> object:
    """Numbers stay numbers (they choose plurals), all else is worded."""
    return value if isinstance(value, (str, int, float)) else str(value)


def _bundle(locale: str) -> FluentBundle:
    bundle = FluentBundle([locale], use_isolating=False, functions={"MEGABYTES": _megabytes(locale)})
    for file in sorted((FOLDER / locale).glob("*.ftl")):
        bundle.add_resource(FluentResource(file.read_text(encoding="utf-8")))
    return bundle


def _megabytes(locale: str) -> Callable[[Any], Any]:
    """Make the function `MEGABYTES($bytes)`: a size as people say it, in the locale's words."""
    kilo, mega = ("КБ", "МБ") if locale == "ru" else ("KB", "MB")

    def say(size: Any) -> str:
        size_bytes = float(size)
        if size_bytes < 1_000_000:
            return f"{max(1, round(size_bytes / 1024))}\N{NO-BREAK SPACE}{kilo}"
        return f"{round(size_bytes / 1024 / 1024)}\N{NO-BREAK SPACE}{mega}"

    return say


def language_name(locale: str, code: str) -> str:
    """Name a language (`ru`, `en`, …) in the locale's words; an unknown code stays as it is."""
    try:
        return Locale.parse(code).get_display_name(locale) or code
    except (UnknownLocaleError, ValueError):
        return code
