"""STRATEGIES: the ways of finding, in the order in which they are named to people."""

from sqlalchemy.ext.asyncio import AsyncEngine

from core.adapters.strategies.insight import InsightStrategy
from core.adapters.strategies.text import TextStrategy
from core.adapters.strategies.title import TitleStrategy
from core.adapters.strategies.vector import VectorStrategy
from core.ports import Strategy

STRATEGIES = (VectorStrategy, TextStrategy, TitleStrategy, InsightStrategy)


def build_strategies(engine: AsyncEngine) -> tuple[Strategy, ...]:
    """Make every strategy over one pool; each search takes a connection of its own, for one statement.

    One statement needs no transaction around it: without, two of four round trips are saved.
    """
    reading = engine.execution_options(isolation_level="AUTOCOMMIT")
    return tuple(strategy(reading) for strategy in STRATEGIES)
