"""Jina Reader over a real socket: the address of a page behind a slash, JSON back."""

from __future__ import annotations

from collections import deque
from types import TracebackType
from typing import Self

from aiohttp import web


class FakeJina:
    """The service: `url` for the client, `requests` with address and headers, answers that were put in line."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.answers: deque[tuple[int, object]] = deque()
        self.url = ""
        self._runner: web.ServerRunner | None = None

    def put(self, content: str, *, title: str = "", status: int = 200, warning: str = "") -> None:
        """Answer the next request with this Markdown."""
        data = {"title": title, "url": "", "content": content, "usage": {"tokens": 1}}
        self.answers.append(
            (status, {"code": status, "status": 20000, "data": data | ({"warning": warning} if warning else {})})
        )

    def fail(self, status: int) -> None:
        """Answer the next request with an error as the service words it."""
        body = {"data": None, "code": status, "name": "AssertionFailureError", "status": status * 100, "message": "…"}
        self.answers.append((status, body))

    async def __aenter__(self) -> Self:
        self._runner = web.ServerRunner(web.Server(self._answer), handle_signals=False)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.requests.append((request.path_qs.removeprefix("/"), dict(request.headers)))
        status, body = self.answers.popleft() if self.answers else (422, {"code": 422})
        return web.json_response(body, status=status)
