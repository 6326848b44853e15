"""The first words, help, privacy, the example."""

from aiogram import Router
from aiogram.filters import Command, CommandStart
from aiogram.types import CallbackQuery

from bot.callbacks import Topic
from bot.i18n import Translate
from bot.reply_to import Place
from bot.screen import Screen
from bot.services import OutsideServices
from bot.views.language import language_view
from bot.views.start import example_view, help_view, new_conversation_view, privacy_view, start_view
from core.library.add_source import Incoming
from core.model.source import SourceKind, Upload
from core.model.user import Caller, ChatKind
from core.wiring import App


def build_router() -> Router:
    """Build the router."""
    router = Router(name="start")
    router.message.register(start, CommandStart())
    router.message.register(show_help, Command("help"))
    router.message.register(privacy, Command("privacy"))
    router.message.register(new_conversation, Command("new"))
    router.callback_query.register(topic, Topic.filter())
    return router


async def start(_message: object, screen: Screen, t: Translate) -> None:
    """Say what to send; a payload that means nothing is a plain start."""
    await screen.send(start_view(t))


async def show_help(_message: object, screen: Screen, t: Translate, caller: Caller) -> None:
    """Explain."""
    await screen.send(help_view(t, group=caller.chat.kind is ChatKind.GROUP))


async def privacy(_message: object, screen: Screen, t: Translate, outside: OutsideServices) -> None:
    """Name who may see text."""
    await screen.send(privacy_view(t, llm=outside.llm, embedding=outside.embedding))


async def new_conversation(_message: object, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Begin a fresh conversation."""
    await app.begin_conversation(caller)
    await screen.send(new_conversation_view(t))


async def topic(
    _query: CallbackQuery, callback_data: Topic, screen: Screen, t: Translate, caller: Caller, app: App,
    outside: OutsideServices,
) -> None:  # fmt: skip
    """Open a help topic in place."""
    if callback_data.topic == "privacy":
        await screen.edit(privacy_view(t, llm=outside.llm, embedding=outside.embedding))
    elif callback_data.topic == "language":
        await screen.edit(language_view(t))
    elif callback_data.topic == "example":
        await show_example(screen, t, caller, app)
    else:
        await screen.edit(start_view(t))


async def show_example(screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Open a sample notebook: a short article and questions to try."""
    title = t.plain("example-notebook")
    opened = await app.open_example(caller, title)
    words = Incoming(SourceKind.TEXT, t.plain("example-title"), Upload(text=t.plain("example-text")))
    place = Place(caller.chat.id, caller.thread_id, 0, caller.locale)
    await app.add_source(opened.caller, words, place.pack(), now=app.clock())
    await screen.send(example_view(t, title, opened.before))
