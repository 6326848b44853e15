"""Rules for questions in English: only turns that need no other form of a word than the one that stands there."""

from __future__ import annotations

import re
from itertools import pairwise

from core.evidence.word_lists import STOP_WORDS, word_set
from core.insights.plain_sentences import Capitals
from core.insights.question_rule import QuestionRule, Write

_ASPECT = (
    r"(?:main |primary |key |major )?(?:aim|goal|purpose|objective|cause|reason|role|function|advantage|disadvantage|"
    r"benefit|difference|challenge|idea)"
)
_WORD = r"[A-Za-z0-9][A-Za-z0-9'’+#./\-]*"
_NP = rf"(?P<x>{_WORD}(?: {_WORD}){{0,6}})"

POINTING = word_set(
    "it its this that these those there here he she they we you i his her their our your my him them us such both "
    "another other others former latter one ones above below following same each every all some many most few "
    "none"
)
"""Words that point outside of the sentence, or at nothing one could ask about."""
NOT_A_THING = word_set(
    "what which who whom whose when where why how if although though while since because but and or so then thus "
    "however moreover therefore furthermore also finally first second third next another example note figure "
    "table fig section chapter in on at by for from with without within during after before under over between "
    "among as to not no yes let please according given despite unlike like nothing something everything anything "
    "is are was were"
)
_VERBS = word_set("is are was were has have had can could will would may might must should do does did be been")
_CLAUSES = word_set("which who that when where if because while whose whom as than")
_ADVERBS = word_set("still also just thus often always usually only now then even never ever again yet not")
_UNFINISHED = word_set("not just only partly mainly also of for to in on at by with and or but the a an")
_PERSON = re.compile(
    r"\b(?:psychologist|physicist|chemist|biologist|mathematician|philosopher|writer|author|poet|novelist|painter|"
    r"composer|engineer|economist|historian|scientist|politician|president|king|queen|emperor|general|actor|actress|"
    r"singer|director|architect|astronomer|inventor|physician|statistician|linguist|journalist|entrepreneur)\b"
)
_LEMMAS = {
    "causes": "cause", "allows": "allow", "includes": "include", "contains": "contain", "requires": "require",
    "describes": "describe", "affects": "affect", "involves": "involve", "prevents": "prevent",
    "enables": "enable",
    "provides": "provide", "represents": "represent", "improves": "improve",
}  # fmt: skip


def _is_thing(phrase: str, words: int = 6) -> bool:
    said = phrase.lower().split()
    return (
        len(said) <= words
        and not any(word in _CLAUSES for word in said)
        and said[-1] not in _ADVERBS
        and not said[-1].endswith("ly")
        and not (len(said) == 1 and said[0].endswith("ed"))
        and said[0] not in NOT_A_THING
        and not any(word in POINTING or word in _VERBS for word in said)
        and any(word not in STOP_WORDS and len(word) > 1 for word in said)
        and phrase[0].isupper()
        and all(one != other for one, other in pairwise(said))
    )


def _ask(template: str, *, words: int = 6) -> Write:
    """Fill a template with the subject `{x}`, its verb `{v}` and what follows, `{y}`."""

    def write(match: re.Match[str], capitals: Capitals) -> str:
        found = match.groupdict()
        if not _is_thing(found["x"], words):
            return ""
        return template.format(**{**found, "x": _lowered(found["x"], capitals)})

    return write


def _lowered(phrase: str, capitals: Capitals) -> str:
    article = re.match(r"(?:The|A|An) ", phrase)
    return phrase[0].lower() + phrase[1:] if article else capitals.lowered(phrase)


def _what_is(match: re.Match[str], capitals: Capitals) -> str:
    subject, verb = match["x"], match["v"]
    if not _is_thing(subject):
        return ""
    if re.match(r"[A-Z]\S*(?: \S+)* [A-Z]\S*$", subject) and _PERSON.search(match["y"][:80]):
        return f"Who {verb} {subject}?"
    if verb == "was" or re.match(r"The \S+$", subject):
        return ""  # a person whose trade is not known, or something that was spoken of before
    return f"What {verb} {_lowered(subject, capitals)}?"


def _what_are(match: re.Match[str], capitals: Capitals) -> str:
    return _what_is(match, capitals) if match["x"].endswith("s") and not match["x"].startswith("The ") else ""


def _does(match: re.Match[str], capitals: Capitals) -> str:
    if not _is_thing(match["x"]):
        return ""
    return f"What does {_lowered(match['x'], capitals)} {_LEMMAS[match['v']]}?"


def _why(match: re.Match[str], capitals: Capitals) -> str:
    told = match["y"]
    if (
        not _is_thing(match["x"])
        or len(told.split()) > 9
        or told.split()[-1] in _UNFINISHED
        or any(word in POINTING | _VERBS for word in told.lower().split())
    ):
        return ""
    return f"Why {match['v']} {_lowered(match['x'], capitals)} {told}?"


def _when(match: re.Match[str], capitals: Capitals) -> str:
    if any(word in POINTING for word in match["y"].lower().split()):
        return ""
    return _ask("When {v} {x} {y}?")(match, capitals)


def _types(match: re.Match[str], capitals: Capitals) -> str:
    whole = match["x"]
    if any(word in POINTING or word in _VERBS for word in whole.lower().split()):
        return ""
    return f"What {match['k']} of {whole} are there?"


def _rule(pattern: str, write: Write, weight: float) -> QuestionRule:
    return QuestionRule(re.compile(pattern), write, weight)


RULES = (
    _rule(rf"^{_NP} (?P<v>is|are) defined as\b", _ask("How {v} {x} defined?"), 3.2),
    _rule(rf"^{_NP} (?:differs|differ) from (?P<y>[^,;:.()]{{3,50}}?)(?= in\b| by\b|[,;:.()]|$)",
          _ask("How does {x} differ from {y}?"), 3.2),
    _rule(rf"^{_NP} (?P<v>is|are|was|were) (?P<y>[^,;:.()]{{3,70}}?),? because\b", _why, 3.1),
    _rule(rf"^{_NP} depends on\b", _ask("What does {x} depend on?"), 3.0),
    _rule(rf"^{_NP} consists of\b", _ask("What does {x} consist of?"), 3.0),
    _rule(rf"^{_NP} (?P<v>is|are) (?:commonly |often |widely |mainly )?used (?:for|to)\b",
          _ask("What {v} {x} used for?"), 3.0),
    _rule(rf"^{_NP} (?P<v>is|are) divided into\b", _ask("What {v} {x} divided into?"), 2.9),
    _rule(
        r"^There are (?:\w+ )?(?:two|three|four|five|six|seven|several|\d+) (?:\w+ )?"
        r"(?P<k>types|kinds|forms|stages|ways|classes|groups|categories|phases) of "
        r"(?P<x>[^,;:.()]{3,50}?)(?=[,;:.()]|$)",
        _types, 3.0),
    _rule(rf"^{_NP} leads to\b", _ask("What does {x} lead to?"), 2.8),
    _rule(rf"^{_NP} results in (?:an?|more|less|higher|lower|increased|decreased)\b",
          _ask("What does {x} result in?"), 2.8),
    _rule(rf"^(?P<x>The {_ASPECT}(?: {_WORD}){{1,8}}) (?P<v>is|was) (?:to|that|the|a)\b (?P<y>.+)$",
          _ask("What {v} {x}?", words=10), 3.0),
    _rule(rf"^{_NP} (?P<v>is|was) (?:a|an|one of|any) (?P<y>.+)$", _what_is, 2.9),
    _rule(rf"^{_NP} (?P<v>are) (?:a|an|any) (?P<y>.+)$", _what_are, 2.6),
    _rule(rf"^{_NP} (?P<v>is|was) the (?P<y>.+)$", _what_is, 2.4),
    _rule(rf"^{_NP} (?P<v>{'|'.join(_LEMMAS)}) (?P<y>\S.+)$", _does, 2.3),
    _rule(rf"^{_NP} (?P<v>was|were) (?P<y>(?:first |originally )?[a-z]+ed(?: (?!in\b)\w+){{0,4}})"
          r" in (?:[A-Z][a-z]+ )?\d{4}\b", _when, 2.5),
)  # fmt: skip
"""The best kinds first; every sentence is asked about at most once."""

QUESTION_WORDS = word_set("what who how which when where why whose can is are do does")
"""How a heading begins that is a question even without its mark."""
ABOUT_SECTION = "What does the section “{title}” say?"
