"""What the model gets to read."""

from collections.abc import Mapping

from core.answering.budget import (
    INSIGHT_CHARACTERS,
    LEAST_CHARACTERS,
    MOST_CHARACTERS,
    TOTAL_CHARACTERS,
    Material,
    budget,
    pack,
)
from core.model.chunk import Chunk
from core.model.ids import ChunkId, NotebookId, SourceId

CHUNK, OVERLAP = 2000, 300


def material(
    number: int, chunk_count: int, relevance: Mapping[int, float] | None = None, *, insights: str = "", size: int = 0
) -> Material:
    """A source of chunks of 2000 characters, each overlapping the one before by 300."""
    chunks = []
    for ordinal in range(chunk_count):
        start = ordinal * (CHUNK - OVERLAP)
        text = "".join(chr(0x430 + (start + at) % 32) for at in range(CHUNK))
        chunks.append(
            Chunk(
                ChunkId(number * 1000 + ordinal),
                NotebookId(1),
                SourceId(number),
                1,
                f"Книга {number}",
                ordinal,
                start,
                start + CHUNK,
                text,
            )
        )
    length = chunks[-1].end if chunks else 0
    return Material(SourceId(number), f"Книга {number}", size or length, chunks, relevance or {}, insights)


def test_a_short_source_goes_in_whole_without_its_overlaps() -> None:
    book = material(1, 5)
    context = pack([book])
    assert sum(len(passage.text) for passage in context.passages) == book.characters
    assert all(a.end == b.start for a, b in zip(context.passages, context.passages[1:], strict=False))


def test_passages_are_numbered_by_source_rank_then_place() -> None:
    context = pack([material(2, 3, {2: 0.9}), material(1, 2, {0: 0.5})])
    assert [passage.n for passage in context.passages] == [1, 2, 3, 4, 5]
    assert [(passage.chunk.source_id, passage.chunk.ordinal) for passage in context.passages] == [
        (2, 0),
        (2, 1),
        (2, 2),
        (1, 0),
        (1, 1),
    ]


def test_a_long_source_gives_its_insights_and_the_relevant_chunks_in_document_order() -> None:
    book = material(1, 60, {40: 0.9, 10: 0.8}, insights="Книга о реках.", size=200_000)
    context = pack([book], characters=8_000)
    assert [insight.text for insight in context.insights] == ["Книга о реках."]
    assert [passage.chunk.ordinal for passage in context.passages] == [10, 39, 40]


def test_neighbours_come_after_all_relevant_chunks() -> None:
    book = material(1, 60, {40: 0.9, 10: 0.8}, size=200_000)
    assert [passage.chunk.ordinal for passage in pack([book], characters=6_000).passages] == [10, 40]


def test_without_a_question_a_long_source_gives_its_beginning() -> None:
    context = pack([material(1, 60, insights="О чём.", size=200_000)], characters=7_000)
    assert [passage.chunk.ordinal for passage in context.passages] == [0, 1, 2]
    assert context.insights


def test_insights_are_not_repeated_for_a_source_that_is_whole() -> None:
    assert pack([material(1, 3, insights="О чём.")]).insights == ()


def test_long_insights_are_cut_at_a_word() -> None:
    text = pack([material(1, 60, insights="слово " * 2000, size=200_000)]).insights[0].text
    assert len(text) <= INSIGHT_CHARACTERS
    assert text.endswith("слово")


def test_a_source_never_takes_more_than_its_most() -> None:
    context = pack([material(1, 60, dict.fromkeys(range(60), 0.9), size=200_000)])
    assert MOST_CHARACTERS - 2 * CHUNK < context.characters <= MOST_CHARACTERS


def test_every_source_gets_its_least_before_the_first_gets_more() -> None:
    books = [material(n, 30, dict.fromkeys(range(30), 1.0 / n), size=100_000) for n in range(1, 6)]
    context = pack(books, characters=30_000)
    for number in range(1, 6):
        assert any(passage.chunk.source_id == number for passage in context.passages)


def test_a_source_for_which_the_least_is_not_left_drops_out() -> None:
    books = [material(n, 30, dict.fromkeys(range(30), 0.5), size=100_000) for n in (1, 2, 3)]
    context = pack(books, characters=2 * LEAST_CHARACTERS + 500)
    assert {passage.chunk.source_id for passage in context.passages} == {1, 2}


def test_the_best_source_stays_however_small_the_window() -> None:
    context = pack([material(1, 30, {3: 0.9}, size=100_000)], characters=2_500)
    assert [passage.chunk.ordinal for passage in context.passages] == [3]


def test_what_is_left_goes_to_the_most_relevant_whoever_holds_it() -> None:
    first = material(1, 30, {0: 0.30, 1: 0.29, 2: 0.28, 3: 0.10, 4: 0.09}, size=100_000)
    second = material(2, 30, {0: 0.27, 1: 0.26, 2: 0.25, 5: 0.24, 8: 0.23}, size=100_000)
    context = pack([first, second], characters=14_500)
    taken = {(passage.chunk.source_id, passage.chunk.ordinal) for passage in context.passages}
    assert (2, 5) in taken
    assert (1, 4) not in taken


def test_nothing_found_is_an_empty_context() -> None:
    context = pack([])
    assert (context.passages, context.insights, context.characters) == ((), (), 0)


def test_the_window_of_the_model_bounds_the_budget() -> None:
    assert budget(1_000_000) == TOTAL_CHARACTERS
    assert budget(32_000) == 48_000
    assert budget(4_000) == 0
