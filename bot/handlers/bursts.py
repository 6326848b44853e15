"""What was sent together, by the buttons of its status message."""

from aiogram import F, Router
from aiogram.types import CallbackQuery

from bot.callbacks import BurstAction
from bot.i18n import Translate
from bot.reply_to import Place
from bot.screen import Screen
from bot.views.burst import burst_moved_view, burst_targets_view
from core.model.ids import BurstId, NotebookId
from core.model.user import Caller, ChatKind
from core.wiring import App


def build_router() -> Router:
    """Build the router."""
    router = Router(name="bursts")
    router.callback_query.register(undo, BurstAction.filter(F.action == "undo"))
    router.callback_query.register(add_links, BurstAction.filter(F.action == "links"))
    router.callback_query.register(retry, BurstAction.filter(F.action == "retry"))
    router.callback_query.register(ask_note, BurstAction.filter(F.action == "ask"))
    router.callback_query.register(choose_target, BurstAction.filter(F.action == "move"))
    router.callback_query.register(move, BurstAction.filter(F.action == "to"))
    return router


async def undo(
    _query: CallbackQuery, callback_data: BurstAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Take it back; its status message says so."""
    count = await app.undo_burst(caller, BurstId(callback_data.burst_id), now=app.clock())
    screen.toast(t.plain("burst-undone-toast", count=count))


async def add_links(
    _query: CallbackQuery, callback_data: BurstAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Add the links in it."""
    added = await app.add_offered_links(caller, BurstId(callback_data.burst_id), now=app.clock())
    screen.toast(t.plain("burst-links-toast", count=len(added)))


async def retry(
    _query: CallbackQuery, callback_data: BurstAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Read again what failed."""
    count = await app.retry_burst(caller, BurstId(callback_data.burst_id), now=app.clock())
    screen.toast(t.plain("burst-retry-toast", count=count))


async def ask_note(_query: CallbackQuery, callback_data: BurstAction, caller: Caller, app: App) -> None:
    """Ask the words that came before it: they were a request and no heading."""
    in_group = caller.chat.kind is ChatKind.GROUP
    place = Place(caller.chat.id, caller.thread_id, 0, caller.locale, reply=in_group)
    await app.ask_note(caller, BurstId(callback_data.burst_id), place.pack(), now=app.clock())


async def choose_target(
    _query: CallbackQuery, callback_data: BurstAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """List the notebooks it may go to, in a message of its own: the status message goes on being edited."""
    targets = await app.list_targets(caller, BurstId(callback_data.burst_id))
    await screen.send(burst_targets_view(t, callback_data.burst_id, targets))


async def move(
    _query: CallbackQuery, callback_data: BurstAction, screen: Screen, t: Translate, caller: Caller, app: App
) -> None:
    """Move it."""
    burst_id, target = BurstId(callback_data.burst_id), NotebookId(callback_data.notebook_id)
    notebook = await app.move_burst(caller, burst_id, target)
    await screen.edit(burst_moved_view(t, notebook))
