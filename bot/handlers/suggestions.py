"""Suggested questions that a person taps."""

from dataclasses import replace

from aiogram import Router
from aiogram.types import CallbackQuery

from bot.callbacks import AskSuggested
from bot.i18n import Translate
from bot.reply_to import Place
from bot.screen import Screen
from bot.views.suggestions import asked_view
from core.insights.take_suggestion import TakeSuggestion
from core.model.ids import NotebookId, SourceId
from core.model.user import Caller
from core.wiring import App


def build_router() -> Router:
    """Build the router."""
    router = Router(name="suggestions")
    router.callback_query.register(ask_suggested, AskSuggested.filter())
    return router


async def ask_suggested(
    _query: CallbackQuery, callback_data: AskSuggested, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Ask a suggested question as if it had been typed here; a second tap meanwhile asks nothing more."""
    take = TakeSuggestion(app.transactions)
    notebook_id, source_id = NotebookId(callback_data.notebook_id), SourceId(callback_data.source_id)
    question = await take(caller, notebook_id, source_id, callback_data.ordinal)
    if question is None:
        screen.toast(t.plain("suggestion-being-answered"))
        return
    await screen.send(asked_view(question))
    place = Place(caller.chat.id, caller.thread_id, 0, caller.locale)
    await app.ask_question(replace(caller, notebook_id=notebook_id), question, place.pack(), now=app.clock())
