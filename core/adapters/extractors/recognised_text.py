"""Recognised words become text: rubbish is dropped, lines of prose are joined, rows and items stay lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from statistics import median

from core.adapters.extractors.homoglyphs import undo_lookalikes
from core.adapters.extractors.tesseract_program import Word

SURE = 60.0
# Of 100: tesseract's confidence from which a word counts as read.

LEGIBLE_SHARE = 0.4
# Of the characters: print has 0.88 to 0.98 in sure words, a handwriting-like font 0.71, photos without print 0 to 0.13.

LEAST_LINE = 35.0
# Mean confidence of a line among legible ones: below it stands an ornament, a stamp or the edge of the paper.

CLEAR_LINE = 75.0
# Mean confidence of a line that counts as print on a picture which is mostly something else: a sign in a street.

CLEAR_WORDS = 3
# And so many words: on things that are no print one or two are now and then taken for sure.

GAP = 1.6
# Of a line's height: a wider space between words parts the cells of a table.

BULLET_GAP = 0.8
# Of a line's height: so far behind a single sign begins the item of a list; a space between words is 0.3.

_BULLET = re.compile(r"[•·*°®©¢»«+~\-–—‚.,оОоeеoO0@%]{1,2}")
# What a bullet is taken for.

_SPLIT = re.compile(r"(?<=[^\W\d_])[-\u00ad]$")
_NUMBER = re.compile(r"\d{1,2}[.)]")

Line = list[Word]


def legible_text(words: Sequence[Word]) -> str:
    """Return what the words say as paragraphs, "" where what was recognised is not print.

    Args:
        words: In reading order.
    """
    lines = [list(line) for _, line in groupby(words, lambda word: word.line)]
    lines = [line for line in lines if _mean(line) >= LEAST_LINE] if _is_legible(words) else _clear(lines)
    text = ""
    for before, line in zip([None, *lines], lines, strict=False):
        text = _appended(text, before, line, lines)
    return undo_lookalikes(text)


def sure_characters(words: Sequence[Word]) -> int:
    """Count the letters and digits of words that count as read."""
    return sum(_letters(word) for word in words if word.sure >= SURE and _letters(word) > 1)


def height_of(words: Sequence[Word]) -> float:
    """Return the usual height of a word in pixels, 0 for none."""
    return median(word.bottom - word.top for word in words) if words else 0.0


def _letters(word: Word) -> int:
    return sum(character.isalnum() for character in word.text)


def _is_legible(words: Sequence[Word]) -> bool:
    return sure_characters(words) > LEGIBLE_SHARE * sum(len(word.text) for word in words)


def _clear(lines: Sequence[Line]) -> list[Line]:
    """Keep the lines that are print for certain."""
    return [
        line for line in lines if _mean(line) >= CLEAR_LINE and sum(_letters(word) > 1 for word in line) >= CLEAR_WORDS
    ]


def _mean(line: Line) -> float:
    """Return a line's confidence, each word weighted by its length."""
    return sum(word.sure * len(word.text) for word in line) / sum(len(word.text) for word in line)


def _appended(text: str, before: Line | None, line: Line, lines: Sequence[Line]) -> str:
    """Put a line behind the text: as the rest of its sentence, as a line, or as a paragraph of its own."""
    if before is None:
        return _set(line)
    meant = _was_meant(before, line, _right_edge(before, lines))
    goes_on = line[0].text[0].islower() and not meant
    if before[0].line[:2] != line[0].line[:2] and not (goes_on and before[-1].text[-1] not in ".!?:;"):
        return text + "\n\n" + _set(line)
    if meant:
        return text + "\n" + _set(line)
    if _SPLIT.search(text) and goes_on:
        return text[:-1] + _set(line)
    return text + " " + _set(line)


def _right_edge(line: Line, lines: Sequence[Line]) -> int:
    """Return where the lines of a column end: those of its block, and others that begin where it does."""
    near = 3 * max(word.bottom - word.top for word in line)
    column = (
        other for other in lines if other[0].line[0] == line[0].line[0] or abs(other[0].left - line[0].left) < near
    )
    return max(other[-1].right for other in column)


def _was_meant(before: Line, line: Line, right: int) -> bool:
    """Say whether a line ends where it need not: the next word would have stood in it, or a row or an item begins."""
    if _is_row(before) or _is_row(line) or _is_item(line) or (len(line) > 1 and _NUMBER.fullmatch(line[0].text)):
        return True
    height = max(word.bottom - word.top for word in before)
    return right - before[-1].right > (line[0].right - line[0].left) + height


def _is_row(line: Line) -> bool:
    return not _is_item(line) and len(_cells(line)) > 1


def _is_item(line: Line) -> bool:
    """Say whether a line begins with a bullet, whatever sign it was taken for."""
    if len(line) < 2 or not _BULLET.fullmatch(line[0].text):
        return False
    return line[1].left - line[0].right > BULLET_GAP * max(word.bottom - word.top for word in line[1:])


def _cells(line: Line) -> list[Line]:
    """Part a line at its wide spaces."""
    height = max(word.bottom - word.top for word in line)
    cells = [line[:1]]
    for before, word in pairwise(line):
        if word.left - before.right > GAP * height:
            cells.append([])
        cells[-1].append(word)
    return cells


def _set(line: Line) -> str:
    """Write a line: an item behind a dash, the cells of a row parted by bars."""
    if _is_item(line):
        return "- " + " ".join(word.text for word in line[1:])
    return " | ".join(" ".join(word.text for word in cell) for cell in _cells(line))
