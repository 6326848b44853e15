"""Chunks and sources in their final order."""

import pytest

from core.model.ids import ChunkId, SourceId
from core.model.search import Hit
from core.retrieval.chunk_fusion import FOREIGN_WORDS, by_ranks, by_scores
from core.retrieval.foreign import ForeignHit
from core.retrieval.fusion import Ranked
from core.retrieval.ranking import FREE_CHUNKS, rank_sources, spread


def hit(chunk: int, score: float, source: int = 1) -> Hit:
    return Hit(SourceId(source), score, ChunkId(chunk))


def foreign(chunk: int, score: float, source: int = 1) -> Hit:
    return ForeignHit(SourceId(source), score, ChunkId(chunk))


def items(ranking: list[Ranked[ChunkId]]) -> list[int]:
    return [entry.item for entry in ranking]


def test_scores_of_both_strategies_are_added() -> None:
    ranking = by_scores({"vector": [hit(1, 0.6), hit(2, 0.5)], "text": [hit(2, 0.4), hit(3, 0.3)]})
    assert [(entry.item, round(entry.score, 2)) for entry in ranking] == [(2, 0.9), (3, 0.8), (1, 0.6)]


def test_a_foreign_chunk_is_not_punished_for_words_it_cannot_have() -> None:
    ranking = by_scores({"vector": [foreign(1, 0.6), hit(2, 0.5)], "text": [hit(2, 0.2)]})
    assert items(ranking) == [1, 2]
    assert ranking[0].score == pytest.approx(0.6 + FOREIGN_WORDS * 0.6)


def test_a_foreign_chunk_that_shares_a_term_keeps_the_better_of_both() -> None:
    (entry,) = by_scores({"vector": [foreign(1, 0.6)], "text": [hit(1, 0.9)]})
    assert entry.score == pytest.approx(1.5)


def test_ranks_of_both_strategies_are_merged() -> None:
    assert items(by_ranks({"vector": [hit(1, 9), hit(2, 8)], "text": [hit(3, 0.4), hit(2, 0.3)]})) == [2, 1, 3]


def test_by_ranks_too_a_foreign_chunk_gets_a_stand_in() -> None:
    assert items(by_ranks({"vector": [foreign(9, 0.5), hit(1, 0.4)], "text": [hit(2, 0.4)]}))[0] == 9


@pytest.mark.parametrize("way", [by_scores, by_ranks])
def test_without_vectors_words_decide(way: object) -> None:
    assert items(way({"text": [hit(3, 0.4), hit(2, 0.3)]})) == [3, 2]  # type: ignore[operator]
    assert way({}) == []  # type: ignore[operator]


def ranked(*scores: tuple[int, float]) -> list[Ranked[ChunkId]]:
    return [Ranked(ChunkId(chunk), score, ("text",)) for chunk, score in scores]


def test_a_clearly_better_source_keeps_its_chunks() -> None:
    source_of = {ChunkId(n): SourceId(1 if n < 10 else 2) for n in range(20)}
    ranking = ranked(*((n, 1.0) for n in range(8)), *((10 + n, 0.3) for n in range(8)))
    assert items(spread(ranking, source_of, 8)) == list(range(8))


def test_a_broad_question_hears_several_sources() -> None:
    source_of = {ChunkId(n): SourceId(n // 10) for n in range(40)}
    ranking = ranked(*((n, 1.0 - n / 1000) for n in range(40)))
    best = items(spread(ranking, source_of, 12))
    assert {source_of[ChunkId(n)] for n in best} == {0, 1, 2, 3}
    assert best[:FREE_CHUNKS] == [0, 1, 2]


def test_each_of_the_best_sources_keeps_its_best_chunk() -> None:
    source_of = {ChunkId(n): SourceId(1 if n < 30 else 2) for n in range(40)}
    ranking = ranked(*((n, 1.0) for n in range(30)), (30, 0.1), (31, 0.1))
    assert items(spread(ranking, source_of, 5, sources=[SourceId(1), SourceId(2)])) == [0, 1, 2, 3, 30]


def test_a_source_stands_where_its_best_chunk_stands() -> None:
    ranking = ranked((1, 0.9), (2, 0.8), (3, 0.7))
    source_of = {ChunkId(1): SourceId(5), ChunkId(2): SourceId(4), ChunkId(3): SourceId(5)}
    found = rank_sources(ranking, source_of, {"text": {SourceId(5): 0.9, SourceId(4): 0.8}})
    assert [(entry.item, entry.strategies) for entry in found] == [(5, ("text",)), (4, ("text",))]


def test_a_further_strategy_lifts_a_source() -> None:
    source_of = {ChunkId(1): SourceId(5), ChunkId(2): SourceId(4)}
    scores = {"text": {SourceId(5): 0.9, SourceId(4): 0.88}, "insight": {SourceId(4): 0.9}}
    found = rank_sources(ranked((1, 0.9), (2, 0.88)), source_of, scores)
    assert [(entry.item, entry.strategies) for entry in found] == [(4, ("text", "insight")), (5, ("text",))]


def test_a_named_source_leads() -> None:
    source_of = {ChunkId(1): SourceId(5)}
    scores = {"text": {SourceId(5): 0.9}, "title": {SourceId(7): 1.0, SourceId(8): 0.6}}
    assert [entry.item for entry in rank_sources(ranked((1, 0.9)), source_of, scores)] == [7, 5, 8]
