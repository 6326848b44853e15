"""The sandbox API: people, chats, messages and failures, played by a page or a test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web

from bot.sandbox.errors import ApiError, SandboxError
from bot.sandbox.people_api import acting, control, history, sending, setting
from bot.sandbox.world import World

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Action = Callable[[World, web.Request], Awaitable[web.StreamResponse]]


def routes(world: World) -> list[web.RouteDef]:
    """Return the sandbox API's routes."""
    table = (*setting.ROUTES, *history.ROUTES, *sending.ROUTES, *acting.ROUTES, *control.ROUTES)
    return [web.route(method, f"/sandbox{path}", _safe(world, action)) for method, path, action in table]


def _safe(world: World, action: Action) -> Handler:
    async def handler(request: web.Request) -> web.StreamResponse:
        try:
            return await action(world, request)
        except SandboxError as error:
            return web.json_response({"error": error.sentence}, status=error.status)
        except ApiError as error:
            return web.json_response({"error": error.description}, status=error.code)

    return handler
