"""A cable between the product and Postgres that a test can pull out and plug in again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import make_url

PIECE = 2**16


@dataclass
class Cable:
    """Carries bytes between a socket of its own and the server's.

    Attributes:
        url: Where the product finds the database.
    """

    url: str
    socket: Path
    server: tuple[str, int]
    _listening: asyncio.Server | None = None
    _ends: set[asyncio.StreamWriter] = field(default_factory=set)

    async def plug_in(self) -> None:
        """Let connections through."""
        self._listening = await asyncio.start_unix_server(self._carry, self.socket)

    async def pull_out(self) -> None:
        """Break every connection and refuse new ones: no such socket, as when the server is down."""
        assert self._listening is not None
        self._listening.close()
        self.socket.unlink(missing_ok=True)
        for end in self._ends:
            end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await _connect(self.server)
        ends = {writer, far_writer}
        self._ends |= ends
        with suppress(ConnectionError):
            async with asyncio.TaskGroup() as group:
                group.create_task(_copy(reader, far_writer))
                group.create_task(_copy(far_reader, writer))
        self._ends -= ends


async def _connect(server: tuple[str, int]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port = server
    if host.startswith("/"):
        return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
    return await asyncio.open_connection(host, port)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def cable(url: str, folder: Path) -> AsyncIterator[Cable]:
    """Lay a cable to the database of an address, plugged in."""
    address = make_url(url)
    server = (str(address.query.get("host") or address.host), address.port or 5432)
    through = address.set(host=None, port=None, query={"host": str(folder)})
    laid = Cable(through.render_as_string(hide_password=False), folder / ".s.PGSQL.5432", server)
    await laid.plug_in()
    yield laid
    await laid.pull_out()
