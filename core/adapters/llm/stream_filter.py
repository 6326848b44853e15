"""What of a model's stream may be shown: no thoughts, no refusal marker, no characters that storage refuses."""

from __future__ import annotations

import re

from core.answering.prompt import NOT_FOUND_MARKER

HELD_CHARS = 160
"""While tools may still be called, so much is held back: "I will look it up" before a call is not an answer."""

_THOUGHTS = re.compile(r"\s*<(think|thinking)>.*?</\1>\s*", re.DOTALL)
_THOUGHT_OPENINGS = ("<think>", "<thinking>")
_UNWANTED = re.compile("[\x00\ud800-\udfff]")
_HIGH = re.compile("[\ud800-\udbff]$")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


class TextCleaner:
    """Joins surrogate pairs that were torn between chunks and drops NUL and lone surrogates."""

    def __init__(self) -> None:
        self._waiting = ""

    def feed(self, text: str) -> str:
        """Clean a chunk; half a pair at its end waits for the next one."""
        joined = self._waiting + text
        high = _HIGH.search(joined)
        self._waiting = high.group() if high else ""
        return clean(joined[: high.start()] if high else joined)


def clean(text: str) -> str:
    """Join surrogate pairs, drop NUL and lone surrogates."""
    return _UNWANTED.sub("", _PAIR.sub(lambda pair: _join(pair.group()), text))


def _join(pair: str) -> str:
    return pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


class StreamFilter:
    """Lets a reply through once its beginning is known to be neither thought nor refusal.

    Args:
        held: Characters to hold back while a tool call may still make the text a mere preamble; 0 for none.
        may_refuse: Whether the refusal marker means anything.
    """

    def __init__(self, held: int = 0, *, may_refuse: bool = True) -> None:
        self._marker = NOT_FOUND_MARKER if may_refuse else None
        self._cleaner = TextCleaner()
        self._held = held
        self._waiting = ""
        self._open = False
        self.refused = False

    def feed(self, text: str) -> str:
        """Take a chunk, give what may be shown now."""
        cleaned = self._cleaner.feed(text)
        if self.refused:
            return ""
        if self._open:
            return cleaned
        self._waiting += cleaned
        beginning = _visible(self._waiting)
        if not beginning or len(beginning) < self._held:
            return ""
        if self._marker and self._marker.startswith(beginning) and beginning != self._marker:
            return ""
        return self._release(beginning)

    def finish(self) -> str:
        """The stream ended: give what was held back."""
        beginning = _visible(self._waiting)
        return "" if self._open or self.refused or beginning is None else self._release(beginning)

    def _release(self, beginning: str) -> str:
        if self._marker and beginning.startswith(self._marker):
            self.refused = True
            return ""
        self._open, self._waiting = True, ""
        return beginning


def _visible(text: str) -> str | None:
    """What follows the thoughts; None while they, or the tag that may open them, are incomplete."""
    rest = _THOUGHTS.sub("", text, count=1) if _THOUGHTS.match(text) else text.lstrip()
    if any(rest.startswith(tag) or (rest and tag.startswith(rest)) for tag in _THOUGHT_OPENINGS):
        return None
    return rest
