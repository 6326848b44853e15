"""Buttons that nothing knows (any more): the tap is answered and says so."""

from aiogram import Router
from aiogram.types import CallbackQuery

from bot.i18n import Translate
from bot.screen import Screen
from bot.views.errors import error_toast


def build_router() -> Router:
    """Build the router; it takes every tap that is left, so it comes last."""
    router = Router(name="stale")
    router.callback_query.register(stale)
    return router


async def stale(_query: CallbackQuery, screen: Screen, t: Translate) -> None:
    """Say that the button is out of date."""
    screen.toast(error_toast(t, "error-stale"), alert=True)
