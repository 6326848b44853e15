"""The language of the interface."""

from aiogram import Router
from aiogram.filters import Command
from aiogram.types import CallbackQuery

from bot.callbacks import ChooseLocale
from bot.i18n import Texts, Translate
from bot.screen import Screen
from bot.views.language import language_chosen_view, language_view
from core.model.user import Caller
from core.wiring import App


def build_router() -> Router:
    """Build the router."""
    router = Router(name="settings")
    router.message.register(language, Command("language"))
    router.callback_query.register(choose, ChooseLocale.filter())
    return router


async def language(_message: object, screen: Screen, t: Translate) -> None:
    """Offer the languages."""
    await screen.send(language_view(t))


async def choose(
    _query: CallbackQuery, callback_data: ChooseLocale, screen: Screen, caller: Caller, app: App, texts: Texts
) -> None:
    """Switch to one."""
    locale = await app.choose_locale(caller, callback_data.locale)
    await screen.edit(language_chosen_view(texts(locale)))
