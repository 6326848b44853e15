"""A small Internet on loopback: names with public addresses, behind which one server answers for every host.

    async with Internet() as internet:
        internet.page("http://site.test/a", "<h1>…")
        egress = Egress(resolve=internet.resolve, dial=internet.dial)

The proxy's own `resolve` and `dial` are what is replaced, so that the unmodified browser and HTTP client meet what
they would meet outside. Every other address is really dialled: what gets past the proxy reaches real servers of this
machine, among them the canary.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import subprocess
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from aiohttp import web

Answer = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]

SITE = "93.184.216.34"
"""The public address of every name that nobody changed."""


def html(body: str | bytes, *, status: int = 200, content_type: str = "text/html", **headers: str) -> Answer:
    """Answer a fixed body."""
    data = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    async def answer(_request: web.BaseRequest) -> web.StreamResponse:
        given = {"Content-Type": content_type} if content_type else {}
        return web.Response(body=data, status=status, headers=given | named)

    return answer


def redirect(location: str, status: int = 302) -> Answer:
    """Send elsewhere."""
    return html("", status=status, Location=location)


def make_certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Make a certificate for a few names with the openssl command; give what a server and a client need."""
    names = ",".join(f"DNS:{name}" for name in ("site.test", "doi.org", "arxiv.org", "t.me", "cloud-api.yandex.net"))
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=tests"
        f" -addext subjectAltName={names} -addext extendedKeyUsage=serverAuth -keyout key.pem -out certificate.pem"
    )
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True, timeout=60)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return server, ssl.create_default_context(cafile=folder / "certificate.pem")


@dataclass
class Internet:
    """The names, the pages and what was asked for.

    Attributes:
        names: Host to its answers, one after the other; the last one stays.
        tls: With the certificate of `make_certificate`, for port 443.
        requests: `METHOD http://host/path?query` in the order they came, with their headers in `headers`.
        dialled: Address and port, in order.
    """

    names: dict[str, deque[list[str]]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)
    headers: dict[str, dict[str, str]] = field(default_factory=dict)
    dialled: list[tuple[str, int]] = field(default_factory=list)
    asked: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    tls: ssl.SSLContext | None = None
    _answers: dict[str, Answer] = field(default_factory=dict)
    _runner: web.ServerRunner | None = None
    port: int = 0
    tls_port: int = 0

    async def __aenter__(self) -> Self:
        self._runner = web.ServerRunner(web.Server(self._answer), handle_signals=False, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        if self.tls is not None:
            await web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self.tls).start()
            self.tls_port = self._runner.addresses[1][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.stopping.set()
        assert self._runner is not None
        await self._runner.cleanup()

    def page(self, url: str, answer: str | bytes | Answer, **options: str) -> str:
        """Put something at an address and return the address."""
        self._answers[url] = answer if callable(answer) else html(answer, **options)  # type: ignore[arg-type]
        return url

    def name(self, host: str, *answers: list[str]) -> None:
        """Let a name have these addresses, question by question."""
        self.names[host] = deque(answers)

    async def resolve(self, host: str, port: int) -> list[str]:
        """Stand in for the name servers; numbers in any spelling are read as the system reads them."""
        self.asked[host] += 1
        if host in self.names:
            answers = self.names[host]
            return answers.popleft() if len(answers) > 1 else answers[0]
        if host.endswith(".test"):
            return [SITE]
        loop = asyncio.get_running_loop()
        if _numeric(host) or host == "localhost":
            return [str(found[4][0]) for found in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    async def dial(self, address: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Lead the public address to the server here, and every other address where it really leads."""
        self.dialled.append((address, port))
        if address == SITE:
            return await asyncio.open_connection("127.0.0.1", self.tls_port if port == 443 else self.port)
        return await asyncio.open_connection(address, port)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        url = f"http://{request.host}{request.path_qs}"
        self.requests.append(f"{request.method} {url}")
        self.headers[url] = {name.lower(): value for name, value in request.headers.items()}
        plain = url.partition("?")[0]
        answer = self._answers.get(url) or self._answers.get(plain) or html("nothing here", status=404)
        return await answer(request)


def _numeric(host: str) -> bool:
    try:
        socket.inet_aton(host)
    except OSError:
        try:
            ipaddress.IPv6Address(host.strip("[]"))
        except ValueError:
            return False
    return True
