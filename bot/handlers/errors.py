"""The boundary around every handler: what a person is told when it did not work."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import structlog
from aiogram import BaseMiddleware
from aiogram.types import TelegramObject, Update

from bot.i18n import Texts
from bot.intake import ApplyUpdate
from bot.screen import Screen
from bot.views.errors import error_toast, error_view
from core.errors import KonspektError, TransientError, UserError
from core.ports import Transactions

log = structlog.get_logger()


class ErrorBoundary(BaseMiddleware):
    """Undo what a failed handler did, say so, and let the update count as done.

    A `TransientError` passes: the update is not done, and is tried again.
    """

    def __init__(self, transactions: Transactions, texts: Texts) -> None:
        self._transactions = transactions
        self._texts = texts

    async def __call__(
        self,
        handler: Callable[[TelegramObject, dict[str, Any]], Awaitable[Any]],
        event: TelegramObject,
        data: dict[str, Any],
    ) -> Any:
        """Run the handler in a savepoint of the update's transaction."""
        screen: Screen | None = data.get("screen")
        try:
            async with self._transactions():
                return await handler(event, data)
        except TransientError:
            raise
        except UserError as error:
            log.info("handler_refused", text_key=error.text_key)
            await self._show(screen, error.text_key, error.values)
        except Exception as error:
            log.exception("handler_broke", kind=type(error).__name__)
            key = error.text_key if isinstance(error, KonspektError) else "error-generic"
            await self._show(screen, key, error.values if isinstance(error, KonspektError) else {})
        return None

    async def _show(self, screen: Screen | None, text_key: str, values: dict[str, str | int]) -> None:
        if screen is None:
            return
        t = self._texts(screen.caller.locale)
        if screen.is_tap:
            screen.toast(error_toast(t, text_key, values), alert=True)
            return
        await screen.send(error_view(t, text_key, values))


@dataclass(frozen=True, slots=True)
class Quarantine:
    """Apply updates; one that breaks outside of every handler is set aside, so that it cannot stop the others."""

    apply: ApplyUpdate

    async def __call__(self, update: Update) -> bool:
        """Apply it; a `TransientError` passes."""
        try:
            return await self.apply(update)
        except TransientError:
            raise
        except Exception as error:
            log.exception("update_set_aside", update_id=update.update_id, kind=type(error).__name__)
            async with self.apply.transactions() as tx:
                return await tx.updates.begin(self.apply.bot.id, update.update_id)
