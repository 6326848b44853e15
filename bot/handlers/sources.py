"""Sources: what is sent to be kept, the list of them, and one of them."""

from aiogram import F, Router
from aiogram.filters import Command
from aiogram.types import CallbackQuery, Message

from bot.callbacks import SourceAction, SourcePage
from bot.filters import AddressesBot, PrivateChat
from bot.i18n import Translate
from bot.incoming import NotYet, as_source, is_for_keeping
from bot.reply_to import Place
from bot.screen import Screen
from bot.views.errors import error_view
from bot.views.groups import group_hint_view
from bot.views.sources import source_delete_view, source_deleted_view, source_list_view, source_view
from core.model.ids import NotebookId, SourceId
from core.model.user import Caller, ChatKind
from core.wiring import App


def build_router() -> Router:
    """Build the router."""
    router = Router(name="sources")
    router.message.register(show_list, Command("sources"))
    router.message.register(add_command, Command("add"))
    router.message.register(add, PrivateChat(), is_for_keeping)
    router.message.register(add, F.document | F.photo, AddressesBot())
    router.callback_query.register(show_page, SourcePage.filter())
    router.callback_query.register(open_one, SourceAction.filter(F.action == "open"))
    router.callback_query.register(mute, SourceAction.filter(F.action.in_({"mute", "unmute"})))
    router.callback_query.register(ask_delete, SourceAction.filter(F.action == "delete"))
    router.callback_query.register(delete, SourceAction.filter(F.action == "delete_sure"))
    return router


async def add(message: Message, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Keep what was sent; what is not read yet is said."""
    incoming = as_source(message)
    if incoming is None:
        await screen.send(error_view(t, "source-not-supported"))
    elif isinstance(incoming, NotYet):
        await screen.send(error_view(t, incoming.text_key))
    else:
        place = Place(
            caller.chat.id, caller.thread_id, message.message_id, caller.locale, caller.chat.kind is ChatKind.GROUP
        )
        added = await app.add_source(caller, incoming, place.pack(), now=app.clock())
        if added.duplicate:
            await screen.send(error_view(t, "source-duplicate", {"title": added.source.title}))


async def add_command(message: Message, screen: Screen, t: Translate, caller: Caller, app: App) -> None:
    """Keep the message that `/add` answers."""
    if message.reply_to_message is None or message.reply_to_message.forum_topic_created is not None:
        await screen.send(group_hint_view(t, "group-add-how"))
        return
    await add(message.reply_to_message, screen, t, caller, app)


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
