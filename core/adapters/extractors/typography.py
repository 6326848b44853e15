"""Give a page's dashes and quotation marks back, which liteparse turns into typewriter ones."""

from __future__ import annotations

import re
from collections import defaultdict

from core.adapters.extractors.pdf_text import SOFT_HYPHEN

_PLAIN = dict.fromkeys("—–−", "-") | dict.fromkeys("’‘‚", "'") | dict.fromkeys("“”„", '"') | {SOFT_HYPHEN: "-"}
# What liteparse writes for what stood there.

_AROUND = 6
# Letters and digits on either side that a mark is recognised by.

_BROKEN = re.compile(r"(?<=[^.!?:;…»\n|])\n\n- (?=[^\W\d_])|(?<=[^\W\d_])- (?=[^\W\d_])|-(?! )|(?<=\S )-|['\"]")
# A dash that liteparse took for a bullet, since a line began with it; a word left split; any plain mark but a bullet.

_Key = tuple[str, str, str]


def restore(markdown: str, original: str) -> str:
    """Put the marks of the original text where the same letters stand on both sides.

    Args:
        markdown: A page by liteparse.
        original: The bare text of the page, as `pdf_text.page_text` gives it, soft hyphens included.
    """
    marks = _marks(original)
    if not marks:
        return markdown
    bare, places = _bare(markdown)

    def put(match: re.Match[str]) -> str:
        plain = "-" if "-" in match[0] else match[0]
        waiting = marks.get(_key(bare, places[match.start()], plain))
        if not waiting:
            return match[0]
        mark = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return _written(match[0], mark)

    return _BROKEN.sub(put, markdown)


def _written(found: str, mark: str) -> str:
    """Write a mark in the place of what liteparse wrote."""
    if mark == SOFT_HYPHEN:
        return ""
    return f" {mark} " if found.startswith("\n") else found.replace("-", mark) if "-" in found else mark


def _marks(original: str) -> dict[_Key, list[str]]:
    """List the marks of a text by what stands around them, in order."""
    bare, places = _bare(original)
    found: dict[_Key, list[str]] = defaultdict(list)
    for index, character in enumerate(original):
        if character in _PLAIN:
            found[_key(bare, places[index], _PLAIN[character])].append(character)
    return found


def _bare(text: str) -> tuple[str, list[int]]:
    """Return the letters and digits of a text, and for each of its characters how many of them stand before it."""
    letters: list[str] = []
    places: list[int] = []
    for character in text:
        places.append(len(letters))
        if character.isalnum():
            letters.append(character)
    return "".join(letters), places


def _key(bare: str, place: int, plain: str) -> _Key:
    return bare[max(0, place - _AROUND) : place], plain, bare[place : place + _AROUND]
