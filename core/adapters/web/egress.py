"""The one way out for what strangers' links name: a proxy that dials only addresses that are open to the world.

It resolves the name itself, refuses unless every address is public, and dials an address that it checked, so that
neither a redirect, nor a script, nor a name that changes its mind between two questions leads inside. The browser
and the HTTP client both have no other way. It listens on loopback on a port of the system's choice and serves only
those who show the password of a living lease, so that no other program of the machine can use it.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import h11
import structlog

from core.adapters.web.addresses import is_public
from core.adapters.web.egress_wire import Wire, forward, pump, refuse
from core.adapters.web.lease import PRIVATE, UNKNOWN, UNREACHABLE, Lease
from core.adapters.web.targets import Target, target_of

log = structlog.get_logger()

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""All addresses of a name, in the order of preference; raises OSError when there is none."""

Dial = Callable[[str, int], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]

WEB_PORTS = frozenset({80, 443, 8000, 8080, 8443})
# Where web servers of the public Internet are; a link must not make us speak to somebody's mail or database server.

HEAD_S = 15.0
# For a request's head: both clients are ours and on this machine.

RESOLVE_S = 6.0
DIAL_S = 6.0
# An address; two are tried. A person waits for an answer.

ADDRESSES_TRIED = 2
CONNECTIONS = 512
# At once: three pages with forty hosts each stay far below.


async def resolve_name(host: str, port: int) -> list[str]:
    """Ask the system's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


async def dial_address(address: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a connection to an address that was checked."""
    return await asyncio.open_connection(address, port)


class Refused(Exception):
    """Nothing was dialled; the argument is one of the reasons of `core.adapters.web.lease`."""


@dataclass(slots=True)
class Egress:
    """The proxy: `async with Egress() as egress` or `start` and `close`; `lease` gives a pass."""

    resolve: Resolve = resolve_name
    dial: Dial = dial_address
    ports: frozenset[int] = WEB_PORTS
    _leases: dict[bytes, Lease] = field(default_factory=dict)
    _running: dict[asyncio.Task[None], Lease | None] = field(default_factory=dict)
    _server: asyncio.Server | None = None

    async def __aenter__(self) -> Egress:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def address(self) -> str:
        """`http://127.0.0.1:port`, to be called after the start."""
        assert self._server is not None, "not started"
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def start(self) -> None:
        """Listen; a second call does nothing."""
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def close(self) -> None:
        """Stop listening and cut every connection."""
        if self._server is None:
            return
        self._server.close()
        tasks = tuple(self._running)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    @contextmanager
    def lease(self, max_bytes: int) -> Iterator[Lease]:
        """Give a pass that is void afterwards; what still flows then is cut."""
        lease = Lease(self.address, max_bytes)
        self._leases[lease.header] = lease
        try:
            yield lease
        finally:
            del self._leases[lease.header]
            for task, holder in tuple(self._running.items()):
                if holder is lease:
                    task.cancel()

    async def check(self, host: str, port: int) -> list[str]:
        """Return the public addresses of a host.

        Raises:
            Refused: It has none, or one that is not public, or the port is not one of the web.
        """
        if port not in self.ports:
            raise Refused(PRIVATE)
        try:
            async with asyncio.timeout(RESOLVE_S):
                addresses = await self.resolve(host, port)
        except socket.gaierror as error:
            raise Refused(UNREACHABLE if error.errno == socket.EAI_AGAIN else UNKNOWN) from error
        except (OSError, TimeoutError, UnicodeError) as error:
            raise Refused(UNREACHABLE) from error
        if not addresses:
            raise Refused(UNKNOWN)
        if not all(map(is_public, addresses)):
            raise Refused(PRIVATE)
        return addresses

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection: one request, or one tunnel."""
        task = asyncio.current_task()
        assert task is not None
        if len(self._running) >= CONNECTIONS:
            writer.transport.abort()
            return
        self._running[task] = None
        try:
            await self._handle(task, Wire(reader, writer, h11.Connection(h11.SERVER)))
        except (OSError, TimeoutError, h11.ProtocolError):
            writer.transport.abort()  # either side broke off or spoke no HTTP: nothing to tell and nobody to tell it
        except asyncio.CancelledError:  # only `lease` and `close` cancel: the task ends here, nobody waits for more
            writer.transport.abort()
        finally:
            del self._running[task]
            writer.close()

    async def _handle(self, task: asyncio.Task[None], client: Wire) -> None:
        async with asyncio.timeout(HEAD_S):
            request = await client.next()
        if not isinstance(request, h11.Request):
            return
        lease = self._lease_of(request)
        if lease is None:
            await refuse(client, 407, (("Proxy-Authenticate", 'Basic realm="egress"'),))
            return
        self._running[task] = lease
        target = target_of(request)
        if target is None:
            await refuse(client, 400)
            return
        try:
            upstream = await self._reach(target)
        except Refused as refused:
            lease.refused[target.host] = str(refused)
            log.info("egress_refused", reason=str(refused), port=target.port)
            await refuse(client, 403 if str(refused) == PRIVATE else 502)
            return
        try:
            await (
                pump(client, upstream, lease) if target.tunnel else forward(client, upstream, request, target, lease)
            )
        finally:
            upstream.writer.close()

    def _lease_of(self, request: h11.Request) -> Lease | None:
        """Find the lease whose password was shown; compared in constant time."""
        shown = next((value for name, value in request.headers if name == b"proxy-authorization"), b"")
        return next((lease for header, lease in self._leases.items() if hmac.compare_digest(header, shown)), None)

    async def _reach(self, target: Target) -> Wire:
        """Dial a checked address."""
        for address in (await self.check(target.host, target.port))[:ADDRESSES_TRIED]:
            with suppress(OSError, TimeoutError):
                async with asyncio.timeout(DIAL_S):
                    reader, writer = await self.dial(address, target.port)
                return Wire(reader, writer, h11.Connection(h11.CLIENT))
        raise Refused(UNREACHABLE)
