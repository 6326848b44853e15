"""Fusion loses nothing, doubles nothing and does not depend on the order of the strategies."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from core.retrieval.fusion import fuse, fuse_best, fuse_scores

RANKINGS = st.dictionaries(
    st.sampled_from(["vector", "text", "title", "insight"]), st.lists(st.integers(1, 30), unique=True, max_size=15)
)


@given(RANKINGS)
def test_every_item_once_best_first(rankings: dict[str, list[int]]) -> None:
    ranked = fuse(rankings)
    assert sorted(entry.item for entry in ranked) == sorted({item for items in rankings.values() for item in items})
    assert all(a.score >= b.score for a, b in itertools.pairwise(ranked))


@given(RANKINGS)
def test_the_order_of_strategies_decides_nothing(rankings: dict[str, list[int]]) -> None:
    turned = dict(reversed(rankings.items()))
    assert [entry.item for entry in fuse(rankings)] == [entry.item for entry in fuse(turned)]


@given(RANKINGS, st.integers(1, 30))
def test_one_more_vote_never_lowers_a_place(rankings: dict[str, list[int]], item: int) -> None:
    def place(given_rankings: dict[str, list[int]]) -> int:
        return [entry.item for entry in fuse(given_rankings)].index(item)

    before = {**rankings, "one": [item]}
    assert place({**before, "two": [item]}) <= place(before)


@given(RANKINGS)
def test_a_single_strategy_keeps_its_order(rankings: dict[str, list[int]]) -> None:
    for name, items in rankings.items():
        assert [entry.item for entry in fuse({name: items})] == items
        scores = {name: {item: 1.0 / (rank + 1) for rank, item in enumerate(items)}}
        assert [entry.item for entry in fuse_best(scores)] == items
        assert [entry.item for entry in fuse_scores(scores, {})] == items
