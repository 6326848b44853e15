"""A CONNECT proxy on loopback that opens TLS for every host with certificates of a throw-away authority.

    async with TlsProxy(answer) as proxy:
        ... a client with proxy=proxy.url and proxy.ca_file ...

`answer` is given each request and returns a reply. Hosts that are not served are recorded and refused, so that nothing
a client does reaches the Internet.
"""

from __future__ import annotations

import asyncio
import base64
import ssl
import subprocess
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

SERVED = ("youtube.com", "youtu.be", "googlevideo.com", "ytimg.com")
HEAD_LIMIT = 256 * 1024


@dataclass(frozen=True)
class Request:
    """One request as the host got it."""

    host: str
    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def query(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}


@dataclass(frozen=True)
class Reply:
    """What the host answers."""

    body: bytes = b""
    status: int = 200
    media_type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


Answer = Callable[[Request], Awaitable[Reply]]


class TlsProxy:
    """The proxy; `user` and `password` are asked for when they are set."""

    def __init__(self, answer: Answer, *, user: str = "", password: str = "") -> None:
        self._answer = answer
        self._login = f"{user}:{password}" if user else ""
        self._folder = tempfile.TemporaryDirectory(prefix="konspekt-ca-")
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.unknown_hosts: list[str] = []
        self.refused_logins = 0
        self.url = ""
        self.ca_file = ""

    async def __aenter__(self) -> TlsProxy:
        folder = Path(self._folder.name)
        await asyncio.to_thread(make_certificates, folder)
        self.ca_file = str(folder / "ca.pem")
        self._context.load_cert_chain(folder / "host.pem", folder / "host.key")
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_LIMIT)
        login = f"{self._login}@" if self._login else ""
        self.url = f"http://{login}127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._folder.cleanup()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                await self._tunnel(reader, writer)
        except asyncio.CancelledError:
            pass  # the test is over, and so are those who still wait for an answer
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, headers = await _head(reader)
        host = line.split()[1].rsplit(":", 1)[0].lower()
        if self._login and headers.get("proxy-authorization") != _basic(self._login):
            self.refused_logins += 1
            await _say(writer, "407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="x"\r\n')
        elif not line.startswith("CONNECT ") or not _is_served(host):
            self.unknown_hosts.append(host)
            await _say(writer, "403 Forbidden")
        else:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await writer.drain()
            await writer.start_tls(self._context)
            while await self._exchange(host, reader, writer):
                pass

    async def _exchange(self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; say whether another may follow on this connection."""
        line, headers = await _head(reader)
        method, target, _ = line.split(" ", 2)
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        reply = await self._answer(Request(host, method, target, headers, body))
        extra = "".join(f"{name}: {value}\r\n" for name, value in reply.headers.items())
        head = f"HTTP/1.1 {reply.status} X\r\nContent-Type: {reply.media_type}\r\nContent-Length: {len(reply.body)}\r\n"
        writer.write((head + extra + "\r\n").encode() + reply.body)
        await writer.drain()
        return headers.get("connection", "").lower() != "close"


async def _head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]]:
    first, *rest = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.split(":", 1) for line in rest if ":" in line)
    return first, {name.strip().lower(): value.strip() for name, value in pairs}


async def _say(writer: asyncio.StreamWriter, status: str, header: str = "") -> None:
    writer.write(f"HTTP/1.1 {status}\r\n{header}Content-Length: 0\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()


def _basic(login: str) -> str:
    return "Basic " + base64.b64encode(login.encode()).decode()


def _is_served(host: str) -> bool:
    return any(host == served or host.endswith(f".{served}") for served in SERVED)


def make_certificates(folder: Path) -> None:
    """Write `ca.pem`, and `host.pem` with `host.key` for all served hosts, with the openssl command."""
    names = ",".join(f"DNS:{name},DNS:*.{name}" for name in SERVED)
    (folder / "names").write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n")
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    usage = "-addext keyUsage=critical,keyCertSign,cRLSign"
    for command in (
        f"req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=throw-away {usage}",
        f"req -new {key} -keyout host.key -out host.csr -subj /CN=loopback",
        "x509 -req -in host.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out host.pem",
    ):
        subprocess.run(["openssl", *command.split()], cwd=folder, check=True, capture_output=True, timeout=60)
