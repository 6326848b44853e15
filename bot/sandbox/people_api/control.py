"""Failures on demand, the log of calls, raw updates, the clock and the settings."""

from __future__ import annotations

from aiohttp import web

from bot.sandbox import calls, drafts, updates
from bot.sandbox.errors import SandboxError
from bot.sandbox.people_api.reading import body, number
from bot.sandbox.world import World


async def add_fault(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/faults."""
    return web.json_response({"id": world.faults.add(await body(request))})


async def list_faults(world: World, request: web.Request) -> web.Response:
    """GET /sandbox/faults."""
    return web.json_response(world.faults.list())


async def clear_faults(world: World, request: web.Request) -> web.Response:
    """DELETE /sandbox/faults."""
    world.faults.clear()
    return web.json_response({"ok": True})


async def list_calls(world: World, request: web.Request) -> web.Response:
    """GET /sandbox/calls."""
    since = number(request.query.get("since") or 0, "since")
    return web.json_response(calls.find(world, method=request.query.get("method") or None, since=since))


async def raw_update(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/updates."""
    given = await body(request)
    if not given.keys() - {"update_id"}:
        raise SandboxError("an update needs a field beside update_id")
    with world.store.transaction():
        return web.json_response({"update_id": updates.force(world, given)})


async def advance(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/clock."""
    given = await body(request)
    seconds = given.get("advance_s")
    if not isinstance(seconds, int | float) or seconds < 0:
        raise SandboxError("advance_s must be a number of seconds")
    with world.store.transaction():
        world.advance(seconds)
        updates.drop_expired(world)
        drafts.expire(world)
    return web.json_response({"now": world.now()})


async def change_settings(world: World, request: web.Request) -> web.Response:
    """POST /sandbox/settings."""
    given = await body(request)
    with world.store.transaction():
        if "privacy" in given:
            world.store.put("privacy", bool(given["privacy"]))
    return web.json_response({"privacy": world.privacy})


ROUTES = (
    ("POST", "/faults", add_fault),
    ("GET", "/faults", list_faults),
    ("DELETE", "/faults", clear_faults),
    ("GET", "/calls", list_calls),
    ("POST", "/updates", raw_update),
    ("POST", "/clock", advance),
    ("POST", "/settings", change_settings),
)
