"""The dispatcher: handlers in order, with the boundary and the context around them. Building it opens nothing."""

from collections.abc import Awaitable, Callable

from aiogram import Dispatcher

from bot.handlers import build_routers
from bot.handlers.errors import ErrorBoundary
from bot.i18n import Texts
from bot.middlewares.context import CallerContext
from bot.middlewares.repeated_taps import RepeatedTaps
from bot.services import OutsideServices
from core.wiring import App

ALLOWED_UPDATES = [
    "message",
    "callback_query",
    "my_chat_member",
    "chat_member",
    "stopped_message_generation",
]
"""Edited messages are not asked for: an edit must not be answered a second time."""


def build_dispatcher(
    app: App, texts: Texts, outside: OutsideServices, kick: Callable[[], Awaitable[None]]
) -> Dispatcher:
    """Build a dispatcher whose handlers get `app`, `texts`, `outside`, and per update `caller`, `screen` and `t`.

    The context is outermost: whom to tell of an error must stand in the rows when the handler's own are undone.

    Args:
        app: The use-cases.
        texts: What people read.
        outside: Who else may see text.
        kick: Wakes the sender once an update's messages are committed.
    """
    dispatcher = Dispatcher(app=app, texts=texts, outside=outside, disable_fsm=True)
    dispatcher.update.outer_middleware(CallerContext(app, texts, kick))
    dispatcher.update.outer_middleware(ErrorBoundary(app.transactions, texts))
    dispatcher.callback_query.outer_middleware(RepeatedTaps())
    dispatcher.include_routers(*build_routers())
    return dispatcher
