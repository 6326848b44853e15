"""The headings of a text that say something of it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.evidence.word_lists import word_set
from core.insights.plain_sentences import plain
from core.model.headings import HeadingPaths

LONGEST_HEADING = 120
"""Characters of a heading; what is longer is a paragraph in a heading's clothes."""
TEXT_BELOW = 120
"""Characters below a heading from which it stands above something."""

_COMMON = word_set(
    "содержание оглавление введение заключение выводы вывод литература приложение приложения аннотация "
    "предисловие благодарности источники ссылки примечания резюме abstract introduction conclusion conclusions "
    "contents references acknowledgements acknowledgments bibliography appendix discussion results methods "
    "background summary index preface keywords funding table of content и список литературы использованных "
    "источников см также see also notes links the"
)
_NUMBER = re.compile(
    r"\A(?:(?:глава|раздел|часть|chapter|section|part|слайд|slide)\s+)?(?:\d+(?:\.\d+)*|[IVXLC]+)[.):]?\s+", re.I
)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in plain words, without its number.

    Attributes:
        level: 1 is outermost.
        has_text: Running text stands below it, not only the next heading.
    """

    text: str
    start: int
    level: int
    has_text: bool


def headings(text: str) -> list[Heading]:
    """List the headings of a text that name a subject: no "Introduction", no "References", no bare numbers."""
    starts = HeadingPaths.of(text).starts
    ends = [*(start for start, _ in starts[1:]), len(text)]
    found = []
    for (start, path), end in zip(starts, ends, strict=False):
        words = _NUMBER.sub("", plain(path[-1])).strip(" .:;")
        line_end = text.find("\n", start, end)
        below = len(text[line_end:end].strip()) if line_end != -1 else 0
        if _names_a_subject(words):
            found.append(Heading(words, start, len(path), below >= TEXT_BELOW))
    return found


def _names_a_subject(words: str) -> bool:
    said = re.findall(r"[^\W\d_]+", words.lower())
    letters = sum(map(len, said))
    return bool(letters >= 3 and len(words) <= LONGEST_HEADING and not all(word in _COMMON for word in said))
