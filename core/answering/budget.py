"""Packs what retrieval found into what the model may read: within a budget, by relevance, in a stable order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.model.answer import Passage
from core.model.chunk import Chunk
from core.model.ids import SourceId

TOTAL_CHARACTERS = 300_000
"""All passages and insights of one question."""
LEAST_CHARACTERS = 5_000
"""What a source gets at least (or its whole text), or it is left out."""
MOST_CHARACTERS = 40_000
"""What a source gets at most; a source not longer than this is short and goes in whole."""
INSIGHT_CHARACTERS = 2_000
"""What a source's insights may take of its share: beside them the least share still holds a chunk."""
SIMILARITY_FLOOR = 0.15
"""Least similarity of a passage to the question, as the cosine of a model that spreads unrelated texts around 0."""
CHARACTERS_A_TOKEN = 2.0
"""A safe estimate for Russian with any vocabulary (gpt-4o: 3.7); English takes fewer tokens still."""
RESERVED_TOKENS = 8_000
"""Of the window: instructions, the conversation and the answer."""
LABEL_CHARACTERS = 120
"""What number, title and place of a passage take beside its text."""


@dataclass(frozen=True, slots=True)
class Material:
    """What is known of one source.

    Attributes:
        source_id: The source.
        title: Its title.
        characters: Length of its clean text.
        chunks: Loaded chunks in document order, without gaps where neighbours are wanted: of a short source all, of
            a long one the relevant chunks with their neighbours or, without a question, the beginning.
        relevance: Ordinal of each relevant chunk to its score, higher is better; empty without a question.
        insights: Its summary and key points, "" without.
    """

    source_id: SourceId
    title: str
    characters: int
    chunks: Sequence[Chunk]
    relevance: Mapping[int, float] = field(default_factory=dict)
    insights: str = ""

    @property
    def short(self) -> bool:
        """It can go in whole."""
        return self.characters <= MOST_CHARACTERS


@dataclass(frozen=True, slots=True)
class Insight:
    """What a long source says as a whole: to be read, not to be cited."""

    source_id: SourceId
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Context:
    """What the model reads.

    Attributes:
        passages: Numbered from 1: sources in the order of the ranking, each in document order, without overlaps.
        insights: Of the long sources among them, in the order of the ranking.
        characters: Of both, labels included.
    """

    passages: tuple[Passage, ...]
    insights: tuple[Insight, ...]
    characters: int


def budget(window_tokens: int, *, reserved_tokens: int = RESERVED_TOKENS) -> int:
    """Tell how many characters fit a model's window (never more than the product's total, 0 for a tiny window)."""
    return min(TOTAL_CHARACTERS, int(max(window_tokens - reserved_tokens, 0) * CHARACTERS_A_TOKEN))


def pack(ranking: Sequence[Material], *, characters: int = TOTAL_CHARACTERS) -> Context:
    """Fill the budget by relevance.

    First each source, best first, gets its insights and the best of its chunks up to the least share; sources for
    which that is not left drop out (but never the best). Then the most relevant chunks of all of them, with their
    neighbours, then what is left of the short sources, as long as there is room in the source's most and in the
    whole.

    Args:
        ranking: The sources, best first, each once.
        characters: The whole budget; see `budget`.
    """
    shares: list[_Share] = []
    left = characters
    for material in ranking:
        share = _begun(material, _shortened(material), left)
        if not share.taken:
            share = _begun(material, "", left)
        if share.worth_having(left) or (share.taken and not shares):
            shares.append(share)
            left -= share.used
    for share, wanted in _by_relevance(shares):
        left -= share.take([wanted], min(MOST_CHARACTERS, share.used + left))
    return _context(shares)


def _begun(material: Material, insights: str, left: int) -> _Share:
    share = _Share(material, insights=insights)
    share.take(share.queue, min(LEAST_CHARACTERS, left))
    return share


class _Share:
    """What one source has got so far."""

    def __init__(self, material: Material, *, insights: str) -> None:
        self.material = material
        self.insights = insights
        self.chunks = {chunk.ordinal: chunk for chunk in material.chunks}
        self.queue = list(_queue(material, self.chunks))
        self.taken: dict[int, Chunk] = {}
        self.used = len(insights) + (LABEL_CHARACTERS if insights else 0)

    def take(self, ordinals: Sequence[int], most: int) -> int:
        """Add the chunks that fit below `most` characters of this source; return how much was added."""
        before = self.used
        for ordinal in ordinals:
            if ordinal in self.taken:
                continue
            grown = {**self.taken, ordinal: self.chunks[ordinal]}
            size = self._size(grown)
            if size <= most:
                self.taken, self.used = grown, size
        return self.used - before

    def worth_having(self, left: int) -> bool:
        """Say whether it holds its least share, or all it could give."""
        return bool(self.taken) and (left >= LEAST_CHARACTERS or len(self.taken) == len(self.chunks))

    def _size(self, taken: Mapping[int, Chunk]) -> int:
        labels = LABEL_CHARACTERS * (len(taken) + bool(self.insights))
        return labels + len(self.insights) + sum(end - start for _, start, end in spans(taken.values()))


def spans(chunks: Iterable[Chunk]) -> Iterator[tuple[Chunk, int, int]]:
    """Give each chunk's part that no chunk before it has, in document order; nothing for one without any."""
    done = 0
    for chunk in sorted(chunks, key=lambda chunk: chunk.ordinal):
        start = max(chunk.start, done)
        if start < chunk.end:
            yield chunk, start, chunk.end
            done = chunk.end


def _queue(material: Material, chunks: Mapping[int, Chunk]) -> Iterator[int]:
    """Name chunks in the order in which they are wanted: the relevant, their neighbours, the rest as it stands."""
    ranked = sorted(material.relevance, key=lambda ordinal: (-material.relevance[ordinal], ordinal))
    wanted = dict.fromkeys(ordinal for ordinal in ranked if ordinal in chunks)
    for ordinal in ranked:
        wanted |= dict.fromkeys(near for near in (ordinal - 1, ordinal + 1) if near in chunks)
    yield from wanted | dict.fromkeys(sorted(chunks))


def _by_relevance(shares: Sequence[_Share]) -> list[tuple[_Share, int]]:
    """Order all that is wanted: relevant chunks by score, their neighbours likewise, the rest by rank and place."""
    entries = [
        (*_want(share.material.relevance, ordinal), rank, place, share, ordinal)
        for rank, share in enumerate(shares)
        for place, ordinal in enumerate(share.queue)
    ]
    return [(share, ordinal) for *_, share, ordinal in sorted(entries, key=lambda entry: entry[:4])]


def _want(relevance: Mapping[int, float], ordinal: int) -> tuple[int, float]:
    if ordinal in relevance:
        return 0, -relevance[ordinal]
    near = [relevance[other] for other in (ordinal - 1, ordinal + 1) if other in relevance]
    return (1, -max(near)) if near else (2, 0.0)


def _shortened(material: Material) -> str:
    """Give a long source's insights, cut at a line or a word."""
    text = "" if material.short else material.insights
    if len(text) <= INSIGHT_CHARACTERS:
        return text
    head = text[:INSIGHT_CHARACTERS]
    return head[: max(head.rfind("\n"), head.rfind(" "), 1)].rstrip()


def _context(shares: Sequence[_Share]) -> Context:
    passages: list[Passage] = []
    for share in shares:
        for chunk, start, end in spans(share.taken.values()):
            text = chunk.text[start - chunk.start :]
            passages.append(Passage(len(passages) + 1, chunk, text, start, end))
    insights = tuple(
        Insight(share.material.source_id, share.material.title, share.insights) for share in shares if share.insights
    )
    return Context(tuple(passages), insights, sum(share.used for share in shares))
