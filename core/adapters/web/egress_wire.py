"""What flows through the proxy: one request and its answer, or a tunnel of bytes, within a lease's limits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import h11

from core.adapters.web.lease import Lease
from core.adapters.web.targets import Target

IDLE_S = 30.0
# Without a byte in either direction: longer than any server that still means to answer thinks.

LIFE_S = 600.0
# Of one connection: a large file over a slow line.

CHUNK = 64 * 1024
# Bytes read at once.

_HOP = frozenset(
    b"connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer upgrade expect".split()
)
# Headers that are said between two neighbours only.


class LimitReached(OSError):
    """The lease's bytes are used up."""


@dataclass(slots=True)
class Wire:
    """One side of the proxy."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    protocol: h11.Connection

    async def next(self) -> object:
        """Return the next event of HTTP."""
        while (event := self.protocol.next_event()) is h11.NEED_DATA:
            async with asyncio.timeout(IDLE_S):  # not `wait_for`, which in Python 3.11 may lose a cancellation
                data = await self.reader.read(CHUNK)
            self.protocol.receive_data(data)
        return event

    async def send(self, event: h11.Event) -> None:
        """Write an event of HTTP."""
        if data := self.protocol.send(event):
            await self.write(data)

    async def write(self, data: bytes) -> None:
        """Write bytes; a reader that does not read is left after a while."""
        self.writer.write(data)
        async with asyncio.timeout(IDLE_S):
            await self.writer.drain()


async def refuse(client: Wire, status: int, headers: Sequence[tuple[str, str]] = ()) -> None:
    """Answer in the proxy's own name."""
    await client.send(
        h11.Response(status_code=status, headers=[*headers, ("Content-Length", "0"), ("Connection", "close")])
    )
    await client.send(h11.EndOfMessage())


async def forward(client: Wire, upstream: Wire, request: h11.Request, target: Target, lease: Lease) -> None:
    """Pass one request on and its answer back; then both sides are closed."""
    async with asyncio.timeout(LIFE_S):
        headers = [
            (b"Host", target.authority.encode()),
            *_passed_on(request.headers, b"host"),
            (b"Connection", b"close"),
        ]
        await upstream.send(h11.Request(method=request.method, target=target.path, headers=headers))
        while isinstance(event := await client.next(), h11.Data):
            await upstream.send(event)
        await upstream.send(h11.EndOfMessage())
        await _answer(client, upstream, lease)


async def _answer(client: Wire, upstream: Wire, lease: Lease) -> None:
    while True:
        event = await upstream.next()
        if isinstance(event, h11.Response):
            headers = [*_passed_on(event.headers), (b"Connection", b"close")]
            await client.send(h11.Response(status_code=event.status_code, headers=headers, reason=event.reason))
        elif isinstance(event, h11.Data):
            _count(lease, len(event.data))
            await client.send(h11.Data(data=event.data))
        elif isinstance(event, h11.EndOfMessage):
            await client.send(h11.EndOfMessage())
            return
        elif not isinstance(event, h11.InformationalResponse):
            return


def _passed_on(headers: Iterable[tuple[bytes, bytes]], *more: bytes) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name not in _HOP and name not in more]


async def pump(client: Wire, upstream: Wire, lease: Lease) -> None:
    """Let bytes flow both ways until either side ends, is idle too long, or the lease is used up."""
    await client.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
    early, _ = client.protocol.trailing_data
    if early:
        await upstream.write(early)
    async with asyncio.timeout(LIFE_S), asyncio.TaskGroup() as group:
        upwards = group.create_task(_copy(client, upstream))
        await _copy(upstream, client, lease)
        upwards.cancel()


async def _copy(source: Wire, sink: Wire, lease: Lease | None = None) -> None:
    """Copy until the end, and hand the end on; silence of one side alone is no reason to hang up."""
    with suppress(OSError, TimeoutError):  # either side broke off: the tunnel is over
        while data := await source.reader.read(CHUNK):
            if lease is not None:
                _count(lease, len(data))
            await sink.write(data)
        if sink.writer.can_write_eof():
            sink.writer.write_eof()


def _count(lease: Lease, size: int) -> None:
    lease.received += size
    if lease.exhausted:
        raise LimitReached
