"""Three questions that a text answers, made from its own sentences by rule.

Better two good ones than three bad ones: a sentence is turned into a question only where no word has to be inflected,
and never where it points at something outside of itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from core.evidence.words import content_stems
from core.insights import questions_en, questions_ru
from core.insights.headings import Heading, headings
from core.insights.plain_sentences import Capitals, PlainSentence, sentences
from core.insights.question_rule import QuestionRule
from core.insights.source_insights import LONGEST_QUESTION
from core.model.insight import QUESTION_COUNT
from core.retrieval.language import script_language

ENOUGH_STEMS = 1
"""Content words of a question; without any, nothing could be searched for."""
SHORTEST, LONGEST = 25, 400
"""Characters of a sentence that is turned into a question."""
REPEATED = 0.5
"""Share of content stems in common from which two questions ask the same."""
MENTIONS_WEIGHT = 0.5
"""What it counts that the text keeps speaking of a question's words, beside the kind of question."""
EARLY_WEIGHT = 0.6
"""What it counts to stand at the text's beginning: it says there what it is about."""
HEADING_WEIGHT = 2.6
"""A heading that is a question was made by the author."""
SECTION_WEIGHT = 0.1
"""What a section is about is asked only if there is nothing better."""

ALIKE_COST = 0.7
"""What a question loses for each one of its kind that is chosen already: three dates in a row are dull."""

_NEVER_END = (
    "в", "во", "на", "по", "с", "со", "к", "у", "о", "об", "от", "до", "из", "за", "для", "при", "под", "над", "и",
    "или", "а", "но", "не", "лишь", "только", "был", "была", "было", "были", "как", "чем", "and", "or",
    "the", "a", "an", "not",
)  # fmt: skip
_PARENTHESES = re.compile(r"\s*\([^()]*\)")
_UNFINISHED = re.compile(rf"\b(?:{'|'.join(_NEVER_END)})\W*$")
_SPACE_BEFORE = re.compile(r"\s+(?=[,;:.!?])")
_DOUBTFUL = re.compile(r"https?:|www\.|[@|{}<>=\\^_~]|\d{5}|[.!?…]\s|[а-яёa-z]\.[А-ЯЁA-Z]|[А-Яа-яЁё]\.(?=\S)")
"""What a question that a person reads does not hold."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    weight: float
    start: int
    stems: frozenset[str]


def suggest_questions(text: str, language: str) -> tuple[str, ...]:
    """Make up to three questions that the text answers, the best first; () where it offers none.

    Args:
        text: Markdown.
        language: Two-letter code of its language; in any but Russian and English there are none.
    """
    rules = {"ru": questions_ru, "en": questions_en}.get(language)
    if rules is None:
        return ()
    said = [one for one in sentences(text) if script_language(one.text) == language]
    counts = Counter(stem for one in said for stem in set(one.stems))
    capitals = Capitals(text)
    found = [*_from_sentences(said, rules.RULES, capitals)]
    found += _from_headings(headings(text), rules.QUESTION_WORDS, rules.ABOUT_SECTION)
    scores = {one: _score(one, counts, len(text)) for one in found}
    return tuple(one.text for one in _choose(scores))


def _from_sentences(
    said: Sequence[PlainSentence], rules: Sequence[QuestionRule], capitals: Capitals
) -> Iterator[_Candidate]:
    for one in said:
        if not SHORTEST <= len(one.text) <= LONGEST or one.text.endswith("?"):
            continue
        statement = _SPACE_BEFORE.sub("", _PARENTHESES.sub("", one.text)).rstrip(".!… ")
        for rule in rules:
            match = rule.pattern.match(statement)
            question = _SPACE_BEFORE.sub("", rule.write(match, capitals)) if match else ""
            if question and _is_fit(question):
                yield _Candidate(question, rule.weight, one.start, frozenset(content_stems(question)))
                break


def _from_headings(found: Sequence[Heading], question_words: frozenset[str], about: str) -> Iterator[_Candidate]:
    for heading in found:
        stems = frozenset(content_stems(heading.text))
        first = heading.text.split(" ", 1)[0].lower().strip('«"')
        if heading.text.endswith("?") and first in question_words and _is_fit(heading.text):
            yield _Candidate(heading.text, HEADING_WEIGHT, heading.start, stems)
        elif len(found) > 2 and heading.level > 1 and heading.has_text and not heading.text.endswith("?"):
            question = about.format(title=heading.text)
            if len(stems) > 1 and _is_fit(question):
                yield _Candidate(question, SECTION_WEIGHT, heading.start, stems)


def _is_fit(question: str) -> bool:
    """Tell whether a question is one line that a person would ask, with something to search for."""
    return (
        len(question) <= LONGEST_QUESTION
        and not _DOUBTFUL.search(question[:-1])
        and question.count("«") == question.count("»")
        and question.count('"') % 2 == 0
        and not _UNFINISHED.search(question.lower())
        and len(set(content_stems(question))) >= ENOUGH_STEMS
    )


def _score(one: _Candidate, counts: Counter[str], length: int) -> float:
    mentions = sum(log(1 + counts[stem]) for stem in one.stems) / max(1, len(one.stems))
    return one.weight + MENTIONS_WEIGHT * mentions + EARLY_WEIGHT * (1 - one.start / max(1, length))


def _choose(scores: dict[_Candidate, float]) -> list[_Candidate]:
    """Take the best ones that differ; a further question of one kind counts less."""
    chosen: list[_Candidate] = []
    left = dict(scores)
    while left and len(chosen) < QUESTION_COUNT:
        kinds = Counter(one.weight for one in chosen)
        best = max(left, key=lambda one: (left[one] - ALIKE_COST * kinds[one.weight], -one.start))
        if best.weight < 1 and chosen:
            break
        chosen.append(best)
        left = {one: score for one, score in left.items() if not _same(one.stems, best.stems)}
    return chosen


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= REPEATED * min(len(one), len(other))
