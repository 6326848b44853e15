"""Merges rankings of several strategies into one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Generic, TypeVar

K = 5
"""Rank constant of RRF; small, so that the first places count: 60 made fusion worse than vectors alone."""
FURTHER_HIT = 0.05
"""What each further strategy adds in the reference formula."""

Item = TypeVar("Item", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Ranked(Generic[Item]):
    """An item with its fused score, higher is better, and the strategies that found it, in the order given."""

    item: Item
    score: float
    strategies: tuple[str, ...]


def fuse(
    rankings: Mapping[str, Sequence[Item]], weights: Mapping[str, float] | None = None, *, k: int = K
) -> list[Ranked[Item]]:
    """Merge the strategies' opinions into one ranking by reciprocal rank fusion.

    Only ranks are compared, so a strategy may score on any scale.

    Args:
        rankings: Strategy name to its items, best first, without duplicates.
        weights: Strategy name to a positive weight; 1 for those not named.
        k: Rank constant; the larger, the less the first places count.

    Returns:
        Each item once, best first; equal scores by ascending item. Empty if all rankings are.

    Source:
        Cormack, Clarke, Buettcher, SIGIR 2009.
    """
    weight = weights or {}
    return _merged(
        {
            name: {item: weight.get(name, 1.0) / (k + rank) for rank, item in enumerate(items, 1)}
            for name, items in rankings.items()
        }
    )


def fuse_scores(scores: Mapping[str, Mapping[Item, float]], weights: Mapping[str, float]) -> list[Ranked[Item]]:
    """Merge by the weighted sum of scores, for strategies whose scores are comparable from question to question.

    Args:
        scores: Strategy name to its items' scores; an item a strategy did not find counts as 0 with it.
        weights: Strategy name to the factor of its scores; 1 for those not named.

    Returns:
        As `fuse`.

    Source:
        Bruch, Gai, Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023.
    """
    return _merged(
        {
            name: {item: weights.get(name, 1.0) * score for item, score in found.items()}
            for name, found in scores.items()
        }
    )


def fuse_best(scores: Mapping[str, Mapping[Item, float]], *, further: float = FURTHER_HIT) -> list[Ranked[Item]]:
    """Merge by the reference formula: an item's best score and a bonus for each further strategy that found it.

    Args:
        scores: Strategy name to its items' scores, all on one scale.
        further: The bonus.

    Returns:
        As `fuse`.
    """
    by_item = _by_item(scores)
    return _sorted(
        Ranked(item, max(found.values()) + further * (len(found) - 1), tuple(found)) for item, found in by_item.items()
    )


def scaled(scores: Mapping[Item, float]) -> dict[Item, float]:
    """Stretch scores to 0…1; all 1 when they are equal."""
    low, high = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {item: (score - low) / (high - low) if high > low else 1.0 for item, score in scores.items()}


def _merged(scores: Mapping[str, Mapping[Item, float]]) -> list[Ranked[Item]]:
    by_item = _by_item(scores)
    return _sorted(Ranked(item, fsum(found.values()), tuple(found)) for item, found in by_item.items())


def _by_item(scores: Mapping[str, Mapping[Item, float]]) -> Mapping[Item, Mapping[str, float]]:
    by_item: dict[Item, dict[str, float]] = defaultdict(dict)
    for name, found in scores.items():
        for item, score in found.items():
            by_item[item][name] = score
    return by_item


def _sorted(ranked: Iterable[Ranked[Item]]) -> list[Ranked[Item]]:
    return sorted(ranked, key=_place)


def _place(ranked: Ranked[Any]) -> tuple[float, Any]:
    return -ranked.score, ranked.item
