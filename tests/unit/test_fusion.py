"""How opinions become one ranking."""

import pytest

from core.retrieval.fusion import fuse, fuse_best, fuse_scores, scaled


def test_agreement_beats_a_single_first_place() -> None:
    ranked = fuse({"vector": [1, 2], "text": [3, 2]})
    assert [entry.item for entry in ranked] == [2, 1, 3]


def test_the_score_is_the_sum_of_reciprocal_ranks_with_k_five() -> None:
    (entry,) = fuse({"vector": [7], "text": [7]})
    assert entry.score == pytest.approx(2 / 6)
    assert entry.strategies == ("vector", "text")


def test_equal_scores_stand_by_ascending_item() -> None:
    assert [entry.item for entry in fuse({"a": [9], "b": [2], "c": [5]})] == [2, 5, 9]


def test_nothing_found_is_an_empty_ranking() -> None:
    assert fuse({}) == []
    assert fuse({"vector": [], "text": []}) == []


def test_a_weight_makes_an_opinion_count_more() -> None:
    assert [entry.item for entry in fuse({"a": [1], "b": [2]}, {"b": 2.0})] == [2, 1]


def test_scores_are_added_with_their_weights() -> None:
    ranked = fuse_scores({"vector": {1: 1.0, 2: 0.5}, "text": {2: 0.5}}, {"vector": 0.4, "text": 1.0})
    assert [(entry.item, round(entry.score, 3)) for entry in ranked] == [(2, 0.7), (1, 0.4)]


def test_the_reference_formula_adds_a_bonus_for_each_further_hit() -> None:
    ranked = fuse_best({"vector": {1: 0.80, 2: 0.78}, "text": {2: 0.1}, "title": {2: 0.3}})
    assert [(entry.item, round(entry.score, 3)) for entry in ranked] == [(2, 0.88), (1, 0.8)]


def test_scores_are_stretched_to_one_scale() -> None:
    assert scaled({"a": 2.0, "b": 4.0, "c": 3.0}) == {"a": 0.0, "b": 1.0, "c": 0.5}
    assert scaled({"a": 2.0}) == {"a": 1.0}
    assert scaled({}) == {}
