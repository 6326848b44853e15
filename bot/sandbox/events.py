"""What people see happen: events for the pages and tests that play them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

Event = dict[str, Any]


class Bus:
    """Fans events out to the people's open WebSockets."""

    def __init__(self) -> None:
        self._queues: dict[int, set[asyncio.Queue[Event | None]]] = defaultdict(set)

    def publish(self, user_id: int, event: Event) -> None:
        """Hand an event to every listener of a user."""
        for queue in self._queues[user_id]:
            queue.put_nowait(event)

    @contextmanager
    def listen(self, user_id: int) -> Iterator[asyncio.Queue[Event | None]]:
        """Collect a user's events while the context is open; `None` means the sandbox closes."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._queues[user_id].add(queue)
        try:
            yield queue
        finally:
            self._queues[user_id].discard(queue)

    def close(self) -> None:
        """Tell every listener that the sandbox closes."""
        for queue in [queue for queues in self._queues.values() for queue in queues]:
            queue.put_nowait(None)


async def stream(request: web.Request, bus: Bus, user_id: int) -> web.WebSocketResponse:
    """Serve one user's events over a WebSocket, one JSON object a frame, until either side closes."""
    socket = web.WebSocketResponse(heartbeat=30)
    with bus.listen(user_id) as queue:
        await socket.prepare(request)
        loop = asyncio.get_running_loop()
        # The pump is owned by this call: it is cancelled before the call returns.
        pump = loop.create_task(_pump(socket, queue))
        try:
            async for _ in socket:
                pass
        finally:
            pump.cancel()
    return socket


async def _pump(socket: web.WebSocketResponse, queue: asyncio.Queue[Event | None]) -> None:
    while (event := await queue.get()) is not None:
        await socket.send_json(event)
    await socket.close()
