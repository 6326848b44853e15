"""Core's port `RemoteFiles`: files that Telegram holds, by its Bot API or by a local Bot API server."""

from __future__ import annotations

import asyncio
import os
import shutil
from contextlib import aclosing, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import structlog
from aiogram import Bot
from aiogram.exceptions import TelegramAPIError, TelegramBadRequest, TelegramNetworkError, TelegramRetryAfter
from aiohttp import ClientError, ClientResponseError

from core.errors import RateLimited, TransientError, UserError

log = structlog.get_logger()

PUBLIC_LIMIT_BYTES = 20 * 1024 * 1024
"""What the public Bot API hands over; a local server has no such limit."""
DOWNLOAD_TIMEOUT_S = 300
"""Of a file of 20 MB at most."""
LOCAL_TIMEOUT_S = 1800
"""Of a file of up to 2 GB: a local server answers getFile when it has fetched all of it from Telegram."""
CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class TelegramFiles:
    """Fetches by file id.

    Attributes:
        local: The Bot API server runs in local mode: `file_path` is a path on its own disk. Where this process does
            not see that disk, the file is asked for over HTTP, which the server's image offers beside its methods.
        root: The server's working directory as this process sees it; nothing outside it is read. None: the server's
            word is taken.
        take: The server keeps no file that was fetched: it is moved, not copied. Only for a server that serves nobody
            else; otherwise a file on the same disk is linked, and what the server owns stays.
    """

    bot: Bot
    local: bool = False
    root: Path | None = None
    take: bool = False

    async def fetch(self, remote_file: str, target: Path) -> None:
        """Download a file to a path.

        Raises:
            UserError: Too large for the messenger, or no longer there.
            TransientError: The network, or a limit of speed.
        """
        try:
            await self._fetch(remote_file, target)
        except TelegramRetryAfter as error:
            raise RateLimited("telegram-busy", retry_after_s=error.retry_after) from error
        except TelegramBadRequest as error:
            if "too big" in error.message:
                limit: dict[str, str | int] = {"limit_mb": PUBLIC_LIMIT_BYTES // 1024 // 1024, "name": ""}
                raise UserError("source-over-telegram", limit) from error
            raise UserError("source-gone-remote") from error
        except ClientResponseError as error:
            if error.status == HTTPStatus.NOT_FOUND:
                raise UserError("source-gone-remote") from error
            raise TransientError("telegram-away") from error
        except (TelegramNetworkError, TelegramAPIError, ClientError, OSError, TimeoutError) as error:
            raise TransientError("telegram-away") from error

    async def _fetch(self, remote_file: str, target: Path) -> None:
        timeout = LOCAL_TIMEOUT_S if self.local else None
        path = (await self.bot.get_file(remote_file, request_timeout=timeout)).file_path
        if path is None:
            raise UserError("source-gone-remote")
        if not self.local:
            await self.bot.download_file(path, target, timeout=DOWNLOAD_TIMEOUT_S)
        elif (seen := await asyncio.to_thread(self._seen, path)) is not None:
            await asyncio.to_thread(_move if self.take else _link, seen, target)
        else:
            await self._download(path, target)

    def _seen(self, path: str) -> Path | None:
        """Find the server's file on a disk of ours: under its own path, or below the root.

        Raises:
            UserError: The path leads out of the root.
        """
        given = Path(path)
        places = [given] if self.root is None else [given, self.root / self.bot.token / self._relative(path)]
        for place in places:
            resolved = place.resolve()
            if not resolved.is_file():
                continue
            if self.root is not None and not resolved.is_relative_to(self.root.resolve()):
                log.error("file_outside_root", place=places.index(place))
                continue
            return resolved
        if self.root is not None and given.is_file():
            raise UserError("source-gone-remote")
        return None

    def _relative(self, path: str) -> str:
        """Name a file as the server's HTTP route does: from the bot's own folder on."""
        return path.rpartition(f"/{self.bot.token}/")[2].lstrip("/")

    async def _download(self, path: str, target: Path) -> None:
        session = self.bot.session
        url = session.api.file_url(self.bot.token, self._relative(path))
        async with aclosing(session.stream_content(url, timeout=LOCAL_TIMEOUT_S, chunk_size=CHUNK_BYTES)) as chunks:
            with await asyncio.to_thread(target.open, "wb") as file:
                async for chunk in chunks:
                    await asyncio.to_thread(file.write, chunk)


def _link(seen: Path, target: Path) -> None:
    """Give a file a second name where that can be done, and copy it elsewhere."""
    with suppress(OSError):  # another disk, another owner, or a disk without links
        os.link(seen, target)
        return
    shutil.copyfile(seen, target)


def _move(seen: Path, target: Path) -> None:
    """Take a file away; where the server does not let go of it, it stays there."""
    with suppress(OSError):  # another disk, or one that is read only here
        seen.replace(target)
        return
    shutil.copyfile(seen, target)
    with suppress(OSError):
        seen.unlink()
