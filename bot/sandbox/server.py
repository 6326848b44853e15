"""The emulator's server: wiring, start and stop."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from aiohttp import web

from bot.sandbox import people_api
from bot.sandbox.telegram import BotApi
from bot.sandbox.webhook import Courier
from bot.sandbox.world import World, open_world

PAGE = Path(__file__).parent / "page"
"""The chat page's files, served at `/` and `/static/`."""

BODY_MAX = 2 * 1024**3
"""Bytes of a request; a person may send files of up to 2 GB."""


class Sandbox:
    """A running emulator.

    Attributes:
        url: Base URL of the Bot API, the sandbox API and the page, without a slash at its end.
    """

    def __init__(self, world: World, runner: web.AppRunner, api: BotApi, courier: asyncio.Task[None]) -> None:
        host, port = runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        self._world = world
        self._runner = runner
        self._api = api
        self._courier = courier

    async def close(self) -> None:
        """Stop serving and close the store; what was committed stays."""
        self._world.closed = True
        self._world.bus.close()
        self._api.poller.close()
        self._courier.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._courier
        await self._runner.cleanup()
        self._world.store.close()


async def start_sandbox(  # noqa: PLR0913 - options, each named by its caller
    data_dir: Path | str,
    token: str = "42:SANDBOX",
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    privacy: bool | None = None,
    name: str | None = None,
    webhook_pause_s: float = 1.0,
    local: bool = False,
    local_as: str = "",
) -> Sandbox:
    """Start the emulator and return once it accepts connections.

    Args:
        data_dir: Where its state is and will be.
        token: The bot's token; it alone is served.
        host: Address to listen on.
        port: Port to listen on; 0 takes a free one.
        privacy: Privacy mode in groups; None leaves it as it was, on at first.
        name: The bot's name; None leaves it as it was, "Sandbox" at first.
        webhook_pause_s: Pause before a webhook is tried again; it doubles.
        local: Play a Bot API server in local mode: no limit of 20 MB, and `file_path` is a path on this disk.
        local_as: Directory that such paths are said to be in, as for a bot that does not see the disk.

    Raises:
        OSError: The address is taken, or the directory cannot be written to.
    """
    world = open_world(Path(data_dir), token)
    world.local, world.local_as = local, local_as
    if privacy is not None:
        world.store.put("privacy", privacy)
    if name is not None:
        world.store.put("bot name", name)
    api = BotApi(world)
    # A poller that goes away must not take updates with it: its handler ends with the connection.
    runner = web.AppRunner(_app(world, api), access_log=None, shutdown_timeout=2, handler_cancellation=True)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError:
        await runner.cleanup()
        world.store.close()
        raise
    courier = Courier(world, api.call, pause_s=webhook_pause_s)
    # The task's owner is the Sandbox: `close` cancels and awaits it.
    task = asyncio.get_running_loop().create_task(courier.run())
    return Sandbox(world, runner, api, task)


def _app(world: World, api: BotApi) -> web.Application:
    app = web.Application(client_max_size=BODY_MAX)
    app.add_routes(api.routes())
    app.add_routes(people_api.routes(world))
    app.router.add_get("/", _page)
    if PAGE.is_dir():
        app.router.add_static("/static/", PAGE)
    return app


async def _page(request: web.Request) -> web.StreamResponse:
    index = PAGE / "index.html"
    if not index.is_file():
        return web.Response(text="The sandbox runs; its chat page is not installed.")
    return web.FileResponse(index)
