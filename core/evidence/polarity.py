"""Does a text say the same as another, or its opposite: negations and opposite words.

Overlap of words cannot tell "является лекарством" from "не является лекарством"; this can, by looking at what each
negation stands in front of.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.evidence.word_lists import NEGATIONS, word_set
from core.evidence.words import Token, stem, stem_set, tokens

NEGATION_REACH = 2
"""Content words behind a negation that it turns round, within its clause: "does not *improve survival*"."""

_NEGATING = NEGATIONS | {"без", "кроме"}
_ONLY = word_set("только лишь просто only just")
""""не только", "not just": no denial."""
_BOUNDS = word_set("более менее больше меньше позднее позже раньше ранее more less fewer later earlier")
_THAN = word_set("чем than")
""""не более 5", "no later than May": a bound and no denial."""

_CLAUSE_ENDS = frozenset(",;:.!?—–()\n")
_PREFIXES = ("не", "un", "non", "in", "im", "dis", "ir")
_ABSENCE = stem_set(
    "отсутствует отсутствие отсутствуют лишен лишена лишены отказался отказалась отказывается избегает запрещено "
    "запрещен запрещает невозможно lack lacks fail fails failed absent absence unable refused prohibited "
    "forbidden denied"
)
"""Words that deny without a negation."""

_OPPOSITES = tuple(
    (stem_set(left), stem_set(right))
    for left, right in (
        (
            "увеличивает увеличил увеличение увеличивается увеличился повышает повысил повышение рост растет вырос"
            " возрос возрастает",
            "уменьшает уменьшил уменьшение уменьшается уменьшился снижает снизил снижение снизился понижает понизил"
            " падение падает упал сокращает сокращение",
        ),
        ("раньше ранее прежде", "позже позднее"),
        ("выше", "ниже"),
        ("больше", "меньше"),
        ("положительный положительно", "отрицательный отрицательно"),
        ("разрешено разрешен", "запрещено запрещен"),
        ("первый", "последний"),
        ("север северный", "юг южный"),
        ("восток восточный", "запад западный"),
        (
            "increase increased rise rose grow grew growth",
            "decrease decreased fall fell decline declined reduce reduced",
        ),
        ("before earlier", "after later"),
        ("higher above", "lower below"),
        ("more most", "less fewer least"),
        ("positive", "negative"),
        ("first", "last"),
        ("northern north", "southern south"),
        ("eastern east", "western west"),
    )
)


@dataclass(frozen=True, slots=True)
class Polarity:
    """What a text affirms and denies, as stems.

    Attributes:
        affirmed: Words that no negation reaches.
        denials: For each negation the words in its reach.
        denies: Whether it denies anything at all, in whatever way.
    """

    affirmed: frozenset[str]
    denials: tuple[frozenset[str], ...]
    denies: bool

    @property
    def denied(self) -> frozenset[str]:
        """All words that some negation reaches."""
        return frozenset[str]().union(*self.denials)


def polarity(text: str) -> Polarity:
    """Sort the words of a text into affirmed and denied ones."""
    affirmed: set[str] = set()
    denials: list[set[str]] = []
    reach, last = 0, 0
    found = list(tokens(text))
    for at, token in enumerate(found):
        if reach and _CLAUSE_ENDS & set(text[last : token.start]):
            reach = 0
        last = token.end
        if _negates(token, found[at + 1 : at + 3]):
            reach = NEGATION_REACH
            denials.append(set())
        elif not reach:
            affirmed.add(stem(token.lower))
        elif token.is_content:
            denials[-1].add(stem(token.lower))
            reach -= 1
    groups = [*denials, *({word} for word in _denied_by_prefix(found))]
    denies = bool(denials) or bool(affirmed & _ABSENCE)
    return Polarity(frozenset(affirmed), tuple(frozenset(group) for group in groups), denies)


def contradicts(statement: Polarity, source: Polarity) -> bool:
    """Tell whether one denies what the other affirms, or says the opposite of it."""
    if _turned_round(source, statement) or _turned_round(statement, source):
        return True
    if statement.denies and not source.denies and statement.denied:
        return True
    return any(_opposed(statement.affirmed, source.affirmed, pair) for pair in _OPPOSITES)


def _turned_round(denying: Polarity, affirming: Polarity) -> bool:
    """Tell whether a denial of one stands affirmed, and nowhere denied, in the other."""
    plain = affirming.affirmed - affirming.denied - denying.affirmed
    return any(group & plain and not group & affirming.denied for group in denying.denials)


def _negates(token: Token, following: list[Token]) -> bool:
    if token.lower not in _NEGATING and not token.lower.endswith("n't"):
        return False
    if following and following[0].lower in _ONLY:
        return False
    is_bound = len(following) == 2 and following[0].lower in _BOUNDS
    return not (is_bound and (following[1].is_number or following[1].lower in _THAN))


def _denied_by_prefix(found: list[Token]) -> set[str]:
    """The stems that a prefix denies: "невозможно" denies "возможно"."""
    denied = set()
    for token in found:
        for prefix in _PREFIXES:
            if token.lower.startswith(prefix) and len(token.lower) > len(prefix) + 3:
                denied.add(stem(token.lower[len(prefix) :]))
    return denied


def _opposed(statement: frozenset[str], source: frozenset[str], pair: tuple[frozenset[str], frozenset[str]]) -> bool:
    for mine, theirs in (pair, pair[::-1]):
        if statement & mine and not source & mine and source & theirs and not statement & theirs:
            return True
    return False
