"""Give Cyrillic words back the letters that recognition took for Latin look-alikes."""

from __future__ import annotations

import re

_CYRILLIC_OF = dict(zip("ABCEHKMOPTXYaceopxyuk", "АВСЕНКМОРТХУасеорхуик", strict=True))
# Latin letters that are drawn, in print or in italics, as Cyrillic ones.

_LATIN_OF = {"А": "A", "В": "B", "С": "C", "Е": "E", "Н": "H", "К": "K", "М": "M", "О": "O", "Р": "P", "Т": "T"} | {
    "Х": "X", "а": "a", "с": "c", "е": "e", "о": "o", "р": "p", "х": "x", "у": "y",
}  # fmt: skip

_WORD = re.compile(r"[^\W\d_]+")
_LATIN, _CYRILLIC = re.compile(r"[A-Za-z]"), re.compile(r"[А-Яа-яЁё]")
_RUSSIAN = frozenset({"CCCP", "TACC", "MOCKBA", "BCE", "HE", "HA"})
# Words in capitals that no Latin text has.

_NEAR = 24
# Characters on each side that tell in which alphabet a word of look-alikes only is written.


def undo_lookalikes(text: str) -> str:
    """Write each word in one alphabet where its letters allow it.

    A word of both alphabets becomes Cyrillic when all its Latin letters have a Cyrillic double, else Latin when all its
    Cyrillic ones have a Latin double, else it stays. A Latin word of look-alikes only (`B`, `co`) becomes Cyrillic when
    nothing but Cyrillic stands around it; one in capitals (`HTTP`) only among capitals.
    """
    whole = _WORD.sub(_unmixed, text)
    return _WORD.sub(lambda found: _told_by_neighbours(found, whole), whole)


def _unmixed(found: re.Match[str]) -> str:
    word = found.group()
    latin, cyrillic = _LATIN.findall(word), _CYRILLIC.findall(word)
    if latin and cyrillic:
        for letters, doubles in ((latin, _CYRILLIC_OF), (cyrillic, _LATIN_OF)):
            if all(letter in doubles for letter in letters):
                return _written(word, doubles)
    return word


def _told_by_neighbours(found: re.Match[str], text: str) -> str:
    word = found.group()
    if not all(letter in _CYRILLIC_OF for letter in word):
        return word
    before, after = text[max(0, found.start() - _NEAR) : found.start()], text[found.end() : found.end() + _NEAR]
    if (before[-1:] + after[:1]).strip(' \n,;:()«»"!?.') or after[:2].strip().isdigit():  # a code: A4, B-12, C++
        return word
    around = _CYRILLIC.findall(before + after)
    if _LATIN.search(before + after) or len(around) < _NEAR // 2:
        return word
    abbreviated = len(word) > 1 and word.isupper() and not all(letter.isupper() for letter in around)
    return word if abbreviated and word not in _RUSSIAN else _written(word, _CYRILLIC_OF)


def _written(word: str, letters: dict[str, str]) -> str:
    return "".join(letters.get(letter, letter) for letter in word)
