"""The budget holds whatever is put in, and nothing is cited twice or from nowhere."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from core.answering.budget import LABEL_CHARACTERS, MOST_CHARACTERS, Material, pack
from core.model.chunk import Chunk
from core.model.ids import ChunkId, NotebookId, SourceId


@st.composite
def materials(draw: st.DrawFn) -> list[Material]:
    found = []
    for number in range(draw(st.integers(0, 6))):
        count = draw(st.integers(0, 20))
        size = draw(st.integers(400, 4000))
        overlap = draw(st.integers(0, size // 4))
        chunks, start = [], 0
        for ordinal in range(count):
            text = chr(0x430 + ordinal) * size
            at = (ordinal, start, start + size)
            chunks.append(Chunk(ChunkId(number * 100 + ordinal), NotebookId(1), SourceId(number), 1, "t", *at, text))
            start += size - overlap
        relevance = draw(st.dictionaries(st.integers(0, 25), st.floats(0.15, 1), max_size=8))
        length = draw(st.sampled_from([start + overlap, 500_000]))
        insights = draw(st.sampled_from(["", "о чём", "слово " * 900]))
        found.append(Material(SourceId(number), "t", length, chunks, relevance, insights))
    return found


@given(materials(), st.integers(0, 300_000))
def test_the_budget_is_never_exceeded(ranking: list[Material], characters: int) -> None:
    context = pack(ranking, characters=characters)
    passages = sum(len(passage.text) + LABEL_CHARACTERS for passage in context.passages)
    insights = sum(len(insight.text) + LABEL_CHARACTERS for insight in context.insights)
    assert context.characters == passages + insights <= characters


@given(materials())
def test_no_source_exceeds_its_most(ranking: list[Material]) -> None:
    context = pack(ranking)
    for material in ranking:
        own = [passage for passage in context.passages if passage.chunk.source_id == material.source_id]
        assert sum(len(passage.text) + LABEL_CHARACTERS for passage in own) <= MOST_CHARACTERS


@given(materials(), st.integers(0, 300_000))
def test_passages_are_true_ranges_without_overlap(ranking: list[Material], characters: int) -> None:
    passages = pack(ranking, characters=characters).passages
    assert [passage.n for passage in passages] == list(range(1, len(passages) + 1))
    for passage in passages:
        chunk = passage.chunk
        assert passage.text == chunk.text[passage.start - chunk.start : passage.end - chunk.start]
        assert passage.text
    for one, other in itertools.pairwise(passages):
        if one.chunk.source_id == other.chunk.source_id:
            assert one.end <= other.start


@given(materials(), st.integers(0, 300_000))
def test_the_same_input_packs_the_same(ranking: list[Material], characters: int) -> None:
    assert pack(ranking, characters=characters) == pack(ranking, characters=characters)
