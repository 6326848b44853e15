"""The Bot API over HTTP: /bot<token>/<method> and /file/bot<token>/<path>."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from aiohttp import web

from bot.sandbox import calls, files, webhook
from bot.sandbox.bot_api import METHODS
from bot.sandbox.bot_view import for_bot
from bot.sandbox.errors import ApiError, conflict
from bot.sandbox.faults import HTML_502, Fault, refusal
from bot.sandbox.params import Params, whole_number
from bot.sandbox.polling import Poller
from bot.sandbox.receive import discard, read_params
from bot.sandbox.world import Obj, World

NOT_FOUND = ApiError(404, "Not Found")
UNAUTHORIZED = ApiError(401, "Unauthorized")
UNLOGGED = frozenset({"getupdates"})
"""Methods whose empty answers are not kept in the log of calls."""


class BotApi:
    """Answers the bot's calls."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.poller = Poller()

    def routes(self) -> list[web.RouteDef]:
        """Return the Bot API's routes."""
        return [
            web.route("*", "/bot{token}/{method}", self.handle),
            web.get("/file/bot{token}/{path:.+}", self.download),
        ]

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one call over HTTP, with the failures that were ordered for it."""
        if request.method not in {"GET", "POST"}:
            return _answer(NOT_FOUND)
        if request.match_info["token"] != self.world.token:
            return _answer(UNAUTHORIZED if ":" in request.match_info["token"] else NOT_FOUND)
        name = request.match_info["method"]
        try:
            params = await read_params(request, self.world.data / "uploads")
        except ApiError as error:
            return _answer(error)
        try:
            return await self._respond(request, name, params)
        finally:
            discard(params)

    async def _respond(self, request: web.Request, name: str, params: Params) -> web.StreamResponse:
        fault = self.world.faults.take(name.lower(), params.values.get("chat_id"))
        kind = fault.kind if fault else ""
        if fault is not None and kind == "delay":
            await asyncio.sleep(float(fault.details.get("seconds", 1)))
        elif fault is not None and kind != "drop_after":
            self._log(name, params, {"fault": kind})
            return _fail(request, fault, name.lower())
        body, error = await self.call(name, params)
        if kind == "drop_after":
            return _cut(request)
        return _answer(error) if error else _json(200, body)

    async def call(self, name: str, params: Params) -> tuple[Obj, ApiError | None]:
        """Run a method and log it.

        Returns:
            The answer's JSON and, if it is a refusal, the refusal.
        """
        body: Obj
        error: ApiError | None = None
        try:
            result, described = await self._run(name.lower(), params)
            body = {"ok": True, "result": for_bot(result)} | ({"description": described} if described else {})
        except ApiError as refused:
            body, error = refused.answer(), refused
        if name.lower() not in UNLOGGED or body.get("result") != []:
            self._log(name, params, body)
        return body, error

    async def _run(self, name: str, params: Params) -> tuple[Any, str]:
        if name == "getupdates":
            return await self.poller.get_updates(self.world, params), ""
        with self.world.store.transaction():
            if name == "setwebhook":
                self.poller.end(conflict("terminated by setWebhook request"))
                return webhook.set_webhook(self.world, params)
            if name == "deletewebhook":
                return webhook.delete_webhook(self.world, params)
            if name == "getwebhookinfo":
                return webhook.webhook_info(self.world), ""
            method = METHODS.get(name)
            if method is None:
                raise NOT_FOUND
            return method(self.world, params), ""

    def _log(self, name: str, params: Params, answer: Obj) -> None:
        calls.record(self.world, name, params, answer)

    async def download(self, request: web.Request) -> web.StreamResponse:
        """Serve a file's bytes under the path getFile gave."""
        if request.match_info["token"] != self.world.token:
            return _answer(UNAUTHORIZED)
        fault = self.world.faults.take("download", None)
        if fault is not None:
            return _fail(request, fault, "download")
        kept = files.find_by_path(self.world, request.match_info["path"])
        if kept is None or not kept.blob.exists():
            return _answer(NOT_FOUND)
        return web.FileResponse(kept.blob, headers={"Content-Type": "application/octet-stream"})


def _json(status: int, body: Obj) -> web.Response:
    text = json.dumps(body, ensure_ascii=True, separators=(",", ":"))
    return web.Response(status=status, text=text, content_type="application/json")


def _answer(error: ApiError) -> web.Response:
    response = _json(error.code, error.answer())
    if "retry_after" in error.parameters:
        response.headers["Retry-After"] = str(error.parameters["retry_after"])
    return response


def _fail(request: web.Request, fault: Fault, name: str) -> web.Response:
    if fault.kind == "drop":
        return _cut(request)
    if fault.kind == "server_error":
        return web.Response(
            status=whole_number(fault.details.get("status"), 502), text=HTML_502, content_type="text/html"
        )
    return _answer(refusal(fault, name))


def _cut(request: web.Request) -> web.Response:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
