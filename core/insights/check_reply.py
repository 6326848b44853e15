"""Holds what a language model claims of a text against the text: what is not there is dropped, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from core.evidence.facts import names_missing, numbers_missing
from core.evidence.polarity import contradicts, polarity
from core.evidence.quotes import locate, normalize_for_match
from core.evidence.sentences import split_sentences
from core.evidence.words import content_stems, stem, tokens
from core.insights.choose_title import LONGEST_TITLE, worth_showing
from core.insights.read_reply import ReplyInsights
from core.insights.source_insights import LONGEST_QUESTION, SourceInsights
from core.model.insight import QUESTION_COUNT
from core.retrieval.language import script_language

KNOWN_STEMS = 0.5
"""Share of a claim's content words that the text must hold: a summary uses words of its own, but not mostly."""
NEAR = 0.6
"""Share of a claim's content words in one sentence from which the two must not contradict each other."""
LONGEST_SENTENCE = 400
MOST_SENTENCES = 6
MOST_POINTS = 8
LONGEST_POINT = 200
SHORTEST_QUOTE = 12
"""Characters of a quote that shows that a text answers a question."""
FEWEST_QUESTION_STEMS = 1

_ADDRESS = re.compile(
    r"(?:https?://|www\.|t\.me/|@)[^\s<>()\[\]«»\"',;]+|\b[\w-]+\.(?:ru|com|org|net|io|me|рф)\b\S*", re.I
)


_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instructions?|prompts?|rules)\b"
    r"|\b(?:system|developer) prompt\b"
    r"|\b(?:answer|respond|reply|output|say|print) (?:only|exactly)\b|\byou are now\b"
    r"|\b(?:игнорируй|забудь|отмени)\w*\b.{0,40}\b(?:инструкци|указани|правил)|системн\w+ (?:промпт|запрос)"
    r"|\b(?:отвечай|ответь|напиши|выведи)\w* (?:только|ровно)\b",
    re.IGNORECASE | re.DOTALL,
)
"""How a sentence speaks that gives orders to a language model. It holds nothing that a summary could stand on."""


def without_orders(text: str) -> str:
    """Leave out the sentences of a text that give orders to a language model."""
    if not _ORDER.search(text):
        return text
    kept = (text[span.start : span.end] for span in split_sentences(text))
    return "\n".join(sentence for sentence in kept if not _ORDER.search(sentence))


class CheckedText:
    """A text against which claims are held.

    Args:
        text: All of it, not only what the model was shown.
    """

    def __init__(self, text: str) -> None:
        text = without_orders(text)
        self._text = text
        self._script = script_language(text)
        self._normalized = normalize_for_match(text)
        self._stems = frozenset(stem(token.lower) for token in tokens(text))
        self._lower = text.lower()

    def holds_claim(self, claim: str) -> bool:
        """Tell whether a sentence may stand in a summary.

        It is in the text's script, its numbers, names, links and most words are the text's own, and the sentence of
        the text that is nearest to it does not say the opposite.
        """
        stems = set(content_stems(claim))
        if not stems or script_language(claim) != self._script or not self._facts_hold(claim):
            return False
        return len(stems & self._stems) >= KNOWN_STEMS * len(stems) and not self._contradicted(claim, stems)

    def answers(self, question: str, quote: str) -> bool:
        """Tell whether the text answers a question: the quote stands there, or most of the question's words do.

        A question in another script than the text's can only be shown to be answered by its quote.
        """
        stems = set(content_stems(question))
        if len(stems) < FEWEST_QUESTION_STEMS or self._numbers_or_links_missing(question):
            return False
        if len(quote) >= SHORTEST_QUOTE and locate(quote, self._normalized) is not None:
            return True
        foreign = script_language(question) != self._script
        return not foreign and len(stems & self._stems) >= max(FEWEST_QUESTION_STEMS, KNOWN_STEMS * len(stems))

    def _facts_hold(self, claim: str) -> bool:
        return not self._numbers_or_links_missing(claim) and not names_missing(claim, self._stems)

    def _numbers_or_links_missing(self, claim: str) -> bool:
        links = (match[0].rstrip(".").lower() for match in _ADDRESS.finditer(claim))
        return any(link not in self._lower for link in links) or bool(self._numbers_missing(claim))

    def _numbers_missing(self, claim: str) -> set[str]:
        return numbers_missing(claim, self._text) if any(token.is_number for token in tokens(claim)) else set()

    def _contradicted(self, claim: str, stems: set[str]) -> bool:
        said = polarity(claim)
        near = [(len(stems & held), at) for at, held in enumerate(self._sentence_stems)]
        shared, best = max(near, key=lambda pair: (pair[0], -pair[1]), default=(0, 0))
        return shared >= NEAR * len(stems) and contradicts(said, polarity(self._sentences[best]))

    @cached_property
    def _sentences(self) -> list[str]:
        return [self._text[span.start : span.end] for span in split_sentences(self._text)]

    @cached_property
    def _sentence_stems(self) -> list[frozenset[str]]:
        return [frozenset(content_stems(sentence)) for sentence in self._sentences]


def check_reply(reply: ReplyInsights, text: str) -> SourceInsights:
    """Keep what the text holds of a model's claims.

    Returns:
        The sentences, points and questions that stood the check, cut to their lengths; any part may be empty.
    """
    checked = CheckedText(text)
    summary = [one for one in _single(reply.summary) if len(one) <= LONGEST_SENTENCE and checked.holds_claim(one)]
    points = [one for one in reply.key_points if len(one) <= LONGEST_POINT and checked.holds_claim(one)]
    asked = [question for question, quote in reply.questions if _is_fit(question) and checked.answers(question, quote)]
    title = reply.title.strip(' ."«»')
    fits = len(title) <= LONGEST_TITLE and worth_showing(title) and checked.holds_claim(title)
    return SourceInsights(
        title=title if fits else "",
        summary="\n".join(f"- {one}" for one in summary[:MOST_SENTENCES]),
        key_points=tuple(dict.fromkeys(points))[:MOST_POINTS],
        questions=tuple(dict.fromkeys(asked))[:QUESTION_COUNT],
    )


def _single(claims: tuple[str, ...]) -> Iterator[str]:
    """One sentence at a time, so that one invention costs one sentence."""
    for claim in claims:
        for span in split_sentences(claim):
            yield claim[span.start : span.end]


def _is_fit(question: str) -> bool:
    return question.endswith("?") and len(question) <= LONGEST_QUESTION and "\n" not in question
