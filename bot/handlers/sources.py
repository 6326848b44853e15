"""Sources: what is sent to be kept, the list of them, and one of them."""

from aiogram import F, Router
from aiogram.filters import Command
from aiogram.types import CallbackQuery, Message

from bot.callbacks import SourceAction, SourcePage
from bot.filters import AddressesBot, PrivateChat
from bot.i18n import Translate
from bot.incoming import Meaning, is_for_keeping, meaning_of
from bot.reply_to import Place
from bot.screen import Screen
from bot.views.groups import group_hint_view
from bot.views.sources import source_delete_view, source_deleted_view, source_list_view, source_view
from core.model.ids import NotebookId, SourceId
from core.model.user import Caller, ChatKind
from core.wiring import App

FILES = F.document | F.photo | F.voice | F.audio | F.video | F.video_note


def build_router() -> Router:
    """Build the router."""
    router = Router(name="sources")
    router.message.register(show_list, Command("sources"))
    router.message.register(add_command, Command("add"))
    router.message.register(add, PrivateChat(), is_for_keeping)
    router.message.register(add_addressed, FILES, AddressesBot())
    router.callback_query.register(show_page, SourcePage.filter())
    router.callback_query.register(open_one, SourceAction.filter(F.action == "open"))
    router.callback_query.register(mute, SourceAction.filter(F.action.in_({"mute", "unmute"})))
    router.callback_query.register(read_again, SourceAction.filter(F.action.in_({"refresh", "retry"})))
    router.callback_query.register(ask_delete, SourceAction.filter(F.action == "delete"))
    router.callback_query.register(delete, SourceAction.filter(F.action == "delete_sure"))
    return router


async def add(message: Message, caller: Caller, app: App) -> None:
    """Keep what was sent; a request under it is answered once it has been read."""
    await _take_in(message, meaning_of(message), caller, app)


async def add_addressed(message: Message, words: str, caller: Caller, app: App) -> None:
    """Keep a file that a group's member sent to the bot."""
    await _take_in(message, meaning_of(message, words=words), caller, app)


async def add_command(message: Message, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Keep the message that `/add` answers."""
    answered = message.reply_to_message
    if answered is None or answered.forum_topic_created is not None:
        await screen.send(group_hint_view(t, "group-add-how"))
        return
    await _take_in(answered, meaning_of(answered, may_ask=False), caller, app)


async def _take_in(message: Message, meaning: Meaning, caller: Caller, app: App) -> None:
    in_group = caller.chat.kind is ChatKind.GROUP
    place = Place(caller.chat.id, caller.thread_id, message.message_id, caller.locale, reply=in_group).pack()
    now = app.clock()
    added = await app.take_in(caller, meaning.arrival, place, now=now)
    if meaning.question and added:
        await app.ask_question(caller, meaning.question, place, now=now, after=added[0].source.id)


async def show_list(_message: object, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """List the notebook's sources."""
    await screen.send(source_list_view(t, *await app.list_sources(caller, caller.notebook_id)))


async def show_page(
    _query: CallbackQuery, callback_data: SourcePage, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Turn the page."""
    found = await app.list_sources(caller, NotebookId(callback_data.notebook_id))
    await screen.edit(source_list_view(t, *found, page=callback_data.page))


async def open_one(
    _query: CallbackQuery, callback_data: SourceAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Show one."""
    await screen.edit(source_view(t, await app.get_source(caller, *_key(callback_data))))


async def mute(
    _query: CallbackQuery, callback_data: SourceAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Leave it out of answers, or take it in again."""
    source = await app.mute_source(caller, *_key(callback_data), muted=callback_data.action == "mute")
    await screen.edit(source_view(t, source))


async def read_again(
    _query: CallbackQuery, callback_data: SourceAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Read a link as it is today, or what failed before."""
    source = await app.refresh_source(caller, *_key(callback_data), now=app.clock())
    await screen.edit(source_view(t, source))


async def ask_delete(
    _query: CallbackQuery, callback_data: SourceAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Ask whether to delete it."""
    await screen.edit(source_delete_view(t, await app.get_source(caller, *_key(callback_data))))


async def delete(
    _query: CallbackQuery, callback_data: SourceAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Delete it."""
    await screen.edit(source_deleted_view(t, await app.delete_source(caller, *_key(callback_data))))


def _key(data: SourceAction) -> tuple[NotebookId, SourceId]:
    return NotebookId(data.notebook_id), SourceId(data.source_id)
