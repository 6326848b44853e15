"""Services that read pages, over a real socket: Firecrawl's scrape of a video, and Jina Reader's answer for one.

async with FakeReaders() as readers:
    readers.transcript = "Здравствуйте."
    FirecrawlVideo(url=readers.url, api_key="secret")
    JinaVideo(url=f"{readers.url}/jina", api_key="secret")
"""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import web

KEY = "fc-secret"


class FakeReaders:
    """The server.

    Attributes:
        transcript: The words it finds, "" for none; stands under a heading, as Firecrawl writes it.
        status: Answered instead, when not 200.
        broken: The body is not JSON.
        asked: Bodies of scrapes, addresses given to the reader.
    """

    def __init__(self) -> None:
        self.transcript = ""
        self.status = 200
        self.broken = False
        self.asked: list[Any] = []
        self.url = ""
        self._silent = asyncio.Event()
        self.silent = False
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> FakeReaders:
        app = web.Application()
        app.router.add_post("/v2/scrape", self._scrape)
        app.router.add_get("/jina/{target:.*}", self._read)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._silent.set()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _scrape(self, request: web.Request) -> web.Response:
        asked = await request.json()
        self.asked.append(asked)
        metadata = {"title": "Лекция 1: кассовый разрыв - YouTube", "sourceURL": asked["url"], "statusCode": 200}
        data = {"markdown": self._markdown(asked["url"]), "metadata": metadata}
        return await self._answer(request, {"success": True, "data": data})

    async def _read(self, request: web.Request) -> web.Response:
        target = request.match_info["target"] + (f"?{request.query_string}" if request.query_string else "")
        self.asked.append(target)
        data = {"title": "Лекция 1: кассовый разрыв - YouTube", "url": target, "content": self._markdown(target)}
        return await self._answer(request, {"code": 200, "status": 20000, "data": data})

    async def _answer(self, request: web.Request, value: dict[str, Any]) -> web.Response:
        if self.silent:
            await self._silent.wait()
        if request.headers.get("Authorization") != f"Bearer {KEY}":
            return web.json_response({"success": False, "error": "Unauthorized"}, status=401)
        if self.status != 200:
            return web.json_response({"success": False, "error": "no"}, status=self.status)
        return web.Response(body=b"<html>") if self.broken else web.json_response(value)

    def _markdown(self, url: str) -> str:
        head = (
            f"![Thumbnail (1280x720)](https://i.ytimg.com/x.jpg)\n# [Лекция 1: кассовый разрыв]({url})\n\n"
            "**Visibility**: Public\n**Uploaded by**: [Экономика для всех](https://www.youtube.com/@economy)\n"
            "**Uploaded at**: 2024-03-01T07:00:00\n**Published at**: 2024-03-01T07:00:00\n\n"
            "## Description\n\n```\nО лекции\n```"
        )
        return f"{head}\n\n## Transcript\n\n{self.transcript}" if self.transcript else head
