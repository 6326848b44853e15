"""An answer that is not Telegram's (a proxy's HTML page, say) counts as a failure of the server, not as a bug."""

from __future__ import annotations

from typing import Any

from aiogram import Bot
from aiogram.client.session.middlewares.base import BaseRequestMiddleware, NextRequestMiddlewareType
from aiogram.exceptions import ClientDecodeError, TelegramServerError
from aiogram.methods import Response, TelegramMethod
from aiogram.methods.base import TelegramType


class ReadableAnswers(BaseRequestMiddleware):
    """Turn aiogram's `ClientDecodeError`, which is no `TelegramAPIError`, into a `TelegramServerError`.

    Whoever calls Telegram then needs to know one family of errors, and tries again as after any other 5xx.
    """

    async def __call__(
        self, make_request: NextRequestMiddlewareType[TelegramType], bot: Bot, method: TelegramMethod[TelegramType]
    ) -> Response[TelegramType]:
        """Make the call."""
        try:
            return await make_request(bot, method)
        except ClientDecodeError as error:
            unreadable: TelegramMethod[Any] = method
            raise TelegramServerError(method=unreadable, message="the answer cannot be read") from error
