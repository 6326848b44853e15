"""The hard facts of a statement: its numbers and names must stand in the passage letter by letter."""

from __future__ import annotations

import re
from collections.abc import Set

from core.evidence.word_lists import STOP_WORDS
from core.evidence.words import REPORTING, Token, number, stem, stem_set, tokens

_NUMBER_NAMES = (
    "ноль zero",
    "один одна одно одного одной первый первая first one once",
    "два две двух двумя второй вторая two second twice",
    "три трех тремя третий третья third three",
    "четыре четырех четвертый четвертая four fourth",
    "пять пяти пятый пятая five fifth",
    "шесть шести шестой шестая six sixth",
    "семь семи седьмой седьмая seven seventh",
    "восемь восьми восьмой восьмая eight eighth",
    "девять девяти девятый девятая nine ninth",
    "десять десяти десятый десятая ten tenth",
    "одиннадцать одиннадцати одиннадцатый eleven eleventh",
    "двенадцать двенадцати двенадцатый twelve twelfth",
)
_NUMBER_WORDS = {word: str(value) for value, words in enumerate(_NUMBER_NAMES) for word in stem_set(words)}
_MONTHS = tuple(
    map(
        stem_set,
        (
            "январь января january",
            "февраль февраля february",
            "март марта march",
            "апрель апреля april",
            "май мая may",
            "июнь июня june",
            "июль июля july",
            "август августа august",
            "сентябрь сентября september",
            "октябрь октября october",
            "ноябрь ноября november",
            "декабрь декабря december",
        ),
    )
)
_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{2,4})")
_SENTENCE_START = re.compile(r"(?:^|[.!?…:»\"]\s|\n)[\s\"'«“(*_–—-]*$")
NAME_ENDING = 1
"""Letters in which two forms of one name may differ at the end after stemming."""


def numbers_missing(statement: str, source: str) -> set[str]:
    """List the numbers of a statement that a text does not hold, in figures or (up to twelve) in words."""
    have = _numbers(source)
    stems = {stem(token.lower) for token in tokens(source)}
    wanted: set[str] = set()
    for token in tokens(statement):
        if token.is_number:
            wanted |= _date_missing(token.raw, have, stems) if _DATE.fullmatch(token.raw) else {number(token.raw)}
    return wanted - have


def names_missing(statement: str, have: Set[str]) -> set[str]:
    """List the names of a statement (inner capitals, Latin terms in Cyrillic text) that a vocabulary does not hold.

    Args:
        statement: One sentence.
        have: The stems of the source's words.
    """
    return {name for name in names(statement) if name not in have and not _has_form(name, have)}


def names(statement: str) -> set[str]:
    """List the stems of what looks like a name."""
    cyrillic = re.search("[а-яё]", statement) is not None
    return {stem(token.lower) for token in tokens(statement) if _is_name(token, statement, cyrillic)}


def _is_name(token: Token, statement: str, cyrillic: bool) -> bool:
    if not token.is_content or token.is_number or stem(token.lower) in REPORTING:
        return False
    if cyrillic and token.raw[0].isascii():
        return True
    if not token.raw[0].isupper() or token.lower in STOP_WORDS:
        return False
    return not _SENTENCE_START.search(statement[: token.start])


def _has_form(name: str, have: Set[str]) -> bool:
    if len(name) < 4:
        return False
    root = name[: max(4, len(name) - NAME_ENDING)]
    return any(other.startswith(root) and len(other) <= len(name) + NAME_ENDING for other in have)


def _numbers(text: str) -> set[str]:
    found: set[str] = set()
    for token in tokens(text):
        if token.is_number:
            found.add(number(token.raw))
            found.update(number(part) for part in re.split(r"[.,]", token.raw))
        elif (word := stem(token.lower)) in _NUMBER_WORDS:
            found.add(_NUMBER_WORDS[word])
    return found


def _date_missing(raw: str, have: set[str], stems: set[str]) -> set[str]:
    day, month, year = raw.split(".")
    names_of_month = _MONTHS[int(month) - 1] if 1 <= int(month) <= 12 else frozenset[str]()
    said = bool(names_of_month & stems) or number(month) in have
    return {part for part in (number(day), number(year)) if part not in have} | (set() if said else {raw})
