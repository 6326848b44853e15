"""STRATEGIES: the ways of finding, in the order in which they are named to people."""

from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.insight import InsightStrategy
from core.adapters.strategies.text import TextStrategy
from core.adapters.strategies.title import TitleStrategy
from core.adapters.strategies.vector import VectorStrategy
from core.ports import Strategy

STRATEGIES = (VectorStrategy, TextStrategy, TitleStrategy, InsightStrategy)


def build_strategies(engine: AsyncEngine) -> tuple[Strategy, ...]:
    """Make every strategy over one pool; each search takes a connection of its own, for one statement."""
    return tuple(strategy(engine) for strategy in STRATEGIES)
