"""Core's port `RemoteFiles`: files that Telegram holds, by its Bot API."""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path

from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramBadRequest, TelegramNetworkError, TelegramRetryAfter
from aiogram.types import File

from core.errors import RateLimited, TransientError, UserError

PUBLIC_LIMIT_BYTES = 20 * 1024 * 1024
"""What the public Bot API hands over; a local server has no such limit."""
DOWNLOAD_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class TelegramFiles:
    """Fetches by file id.

    Attributes:
        local: The Bot API server runs in local mode: `file_path` is a path on a disk that this process sees.
    """

    bot: Bot
    local: bool = False

    async def fetch(self, remote_file: str, target: Path) -> None:
        """Download a file to a path.

        Raises:
            UserError: Too large for the messenger, or no longer there.
            TransientError: The network, or a limit of speed.
        """
        try:
            file = await self.bot.get_file(remote_file)
            await self._download(file, target)
        except TelegramRetryAfter as error:
            raise RateLimited("telegram-busy", retry_after_s=error.retry_after) from error
        except TelegramBadRequest as error:
            key = "source-too-large" if "too big" in error.message else "source-gone-remote"
            raise UserError(key, {"limit_mb": PUBLIC_LIMIT_BYTES // 1024 // 1024, "name": ""}) from error
        except (TelegramNetworkError, TelegramAPIError, OSError, TimeoutError) as error:
            raise TransientError("telegram-away") from error

    async def _download(self, file: File, target: Path) -> None:
        if file.file_path is None:
            raise UserError("source-gone-remote")
        if self.local:
            await asyncio.to_thread(shutil.copyfile, file.file_path, target)
            return
        await self.bot.download_file(file.file_path, target, timeout=DOWNLOAD_TIMEOUT_S)
