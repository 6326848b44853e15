"""A summary without a model: the sentences that say most of what the text says, in their order."""

import re
from collections import Counter
from math import log

from core.evidence.sentences import split_sentences
from core.evidence.words import content_stems

SENTENCES = 5
READ_CHARACTERS = 60_000
"""A summary is made from the beginning of a long text: it states its subject there."""
SHORTEST, LONGEST = 40, 400
"""Characters of a sentence worth quoting alone."""
REPEATED = 0.6
"""Share of stems in common above which a sentence repeats a chosen one."""

_BULLET = re.compile(r"\A(?:(?:[-*+•–—]|\d{1,3}[.)])\s+|>\s*)+")


def summarise(text: str) -> str:
    """Choose up to five key sentences.

    A sentence weighs the mean of its stems' log counts, so that it speaks of what the text keeps speaking of; an
    earlier one wins a tie.

    Returns:
        The sentences as a Markdown list in document order; "" for a text without one.
    """
    read = text[:READ_CHARACTERS]
    spans = split_sentences(read)
    if len(text) > len(read):
        spans = spans[:-1]  # the last one is cut off
    sentences = [_BULLET.sub("", " ".join(read[span.start : span.end].split())) for span in spans]
    usable = [(at, line, content_stems(line)) for at, line in enumerate(sentences) if _usable(line)]
    counts = Counter(stem for _, _, stems in usable for stem in set(stems))
    ranked = sorted(usable, key=lambda item: (-_weight(item[2], counts), item[0]))
    chosen: list[tuple[int, str, set[str]]] = []
    for at, line, stems in ranked:
        if len(chosen) == SENTENCES:
            break
        if stems and not any(_repeats(set(stems), other) for _, _, other in chosen):
            chosen.append((at, line, set(stems)))
    return "\n".join(f"- {line}" for _, line, _ in sorted(chosen))


def _usable(line: str) -> bool:
    return SHORTEST <= len(line) <= LONGEST and not line.startswith(("#", "|", "```", "!["))


def _weight(stems: list[str], counts: Counter[str]) -> float:
    return sum(log(counts[stem]) for stem in stems) / len(stems) if stems else 0.0


def _repeats(stems: set[str], other: set[str]) -> bool:
    return len(stems & other) >= REPEATED * min(len(stems), len(other))
