"""What a text holds beside its words: headings, cells of tables, items of lists; and how much of it came out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape

from tests.integration.extraction.reading import words

_COMMENT = re.compile(r"<!--.*?-->", re.S)
_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)\s]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*(?: \"[^\"]*\")?\)")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.+)$", re.M)
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.+)$", re.M)
_RULE = re.compile(r"[\s|:-]*")
_NUMBER = re.compile(r"-?\d+[.,]\d+")

PARTS = ("headings", "cells", "items")
Shares = tuple[int, int]
"""Found, and of how many."""


@dataclass(frozen=True, slots=True)
class Structure:
    """Headings, cells and items with how often each stands there, by their letters and digits alone."""

    headings: Counter[str]
    cells: Counter[str]
    items: Counter[str]

    @classmethod
    def of(cls, *, headings: Iterable[str] = (), cells: Iterable[str] = (), items: Iterable[str] = ()) -> Structure:
        """Make one of texts; those without a letter or digit do not count."""
        return cls(_counted(headings), _counted(cells), _counted(items))

    @classmethod
    def of_markdown(cls, text: str) -> Structure:
        """Read it off the marks of Markdown."""
        seen = visible(text)
        return cls.of(headings=_HEADING.findall(seen), cells=_cells(seen), items=_ITEM.findall(seen))

    def only(self, *names: str) -> Structure:
        """Keep some of `headings`, `cells` and `items`: what a format marks at all."""
        return Structure(*(getattr(self, part) if part in names else Counter() for part in PARTS))

    def found_in(self, other: Structure) -> tuple[Shares, Shares, Shares]:
        """Tell how many of the headings, cells and items stand in another structure as the same thing."""
        pairs = ((self.headings, other.headings), (self.cells, other.cells), (self.items, other.items))
        headings, cells, items = (((own & had).total(), own.total()) for own, had in pairs)
        return headings, cells, items


def visible(markdown: str) -> str:
    """Leave what a reader sees: no comments, no addresses of pictures and links, no entities."""
    return unescape(_LINK.sub(r"\1", _PICTURE.sub(r"\1", _COMMENT.sub("", markdown))))


def error_rate(found: str, truth: str) -> float:
    """Return the word error rate: words inserted, deleted and replaced, by the words of the truth; ё is е."""
    wanted, had = words(truth.replace("ё", "е")), words(found.replace("ё", "е"))
    return _distance(wanted, had) / max(1, len(wanted))


def _distance(wanted: Sequence[str], had: Sequence[str]) -> int:
    """Count edits (Wagner, Fischer, JACM 21 (1), 1974), one row of the table at a time."""
    row = list(range(len(had) + 1))
    for done, word in enumerate(wanted, start=1):
        diagonal, row[0] = row[0], done
        for place, other in enumerate(had, start=1):
            diagonal, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, diagonal + (word != other))
    return row[-1]


def _cells(text: str) -> list[str]:
    """Split the rows of pipe tables; the line below a header is none."""
    rows = [line.strip() for line in text.splitlines() if line.lstrip().startswith("|")]
    return [cell for row in rows if not _RULE.fullmatch(row) for cell in row.strip("|").split("|")]


def _counted(texts: Iterable[str]) -> Counter[str]:
    bare = (_bare(text) for text in texts)
    return Counter(text for text in bare if text)


def _bare(text: str) -> str:
    """Leave letters and digits; 516,0 and 516.0 and 516 are one number."""
    if _NUMBER.fullmatch(text.strip()):
        text = text.replace(",", ".").strip().rstrip("0")
    return "".join(words(text))
