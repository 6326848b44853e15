"""What changed in a text that was read again, paragraph by paragraph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

SHOWN = 3
# Added paragraphs that a person is shown.

_SPLIT = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Changes:
    """The difference between two texts.

    Attributes:
        added: Paragraphs that only the new text has; one that was edited counts as added and as removed.
        removed: Paragraphs that only the old one has.
        first_added: The first few of those added, in their order and as they stand.
    """

    added: int = 0
    removed: int = 0
    first_added: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """Something changed."""
        return bool(self.added or self.removed)


def changes(old_text: str, new_text: str) -> Changes:
    """Compare two texts as bags of paragraphs.

    White space and the order of paragraphs do not matter: a page that was laid out anew has not changed. A paragraph
    that stands twice and then once counts as removed once.
    """
    old, new = Counter(map(_key, _paragraphs(old_text))), Counter(map(_key, _paragraphs(new_text)))
    more, fewer = new - old, old - new
    return Changes(more.total(), fewer.total(), tuple(_first(_paragraphs(new_text), more)))


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in _SPLIT.split(text) if part.strip()]


def _key(paragraph: str) -> str:
    return " ".join(paragraph.split())


def _first(paragraphs: Iterable[str], more: Counter[str]) -> list[str]:
    """Pick the paragraphs that are counted as added, each as often as it is."""
    left, found = Counter(more), list[str]()
    for paragraph in paragraphs:
        if left[_key(paragraph)] > 0 and len(found) < SHOWN:
            left[_key(paragraph)] -= 1
            found.append(paragraph)
    return found
