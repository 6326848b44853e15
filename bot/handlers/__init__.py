"""ROUTERS in the order they are tried; each module builds its router anew, so that two bots can live in one process."""

from collections.abc import Callable

from aiogram import Router

from bot.handlers import ask, bursts, groups, notebooks, settings, sources, stale, start, suggestions

ROUTERS: tuple[Callable[[], Router], ...] = (
    groups.build_router,
    start.build_router,
    settings.build_router,
    notebooks.build_router,
    sources.build_router,
    bursts.build_router,
    suggestions.build_router,
    ask.build_router,
    stale.build_router,
)
"""Commands before plain words: `ask` takes every text that is left, `stale` every tap."""


def build_routers() -> list[Router]:
    """Build all routers."""
    return [build() for build in ROUTERS]
