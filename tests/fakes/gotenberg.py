"""A stand-in for Gotenberg: its route, its form, its words, and a real LibreOffice behind them.

    async with GotenbergStandIn() as server:
        server.fail_next(busy)
        ... GotenbergDocuments(server.url, ...) ...

It is not Gotenberg: run the tests with `GOTENBERG_URL` to try the real one.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path, PurePath

from aiohttp import web

Failure = Callable[["GotenbergStandIn", web.Request], Awaitable[web.StreamResponse]]

REFUSED = (
    "LibreOffice failed to process a document: a password may be required, or, if one has been given, it is invalid. "
    "In any case, the exact cause is uncertain."
)
_READ = frozenset(
    {
        ".doc", ".docm", ".docx", ".dot", ".dotm", ".dotx", ".odp", ".ods", ".odt", ".otp", ".ots", ".ott",
        ".pps", ".ppt", ".pptm", ".pptx", ".rtf", ".xls", ".xlsb", ".xlsm", ".xlsx", ".xlt", ".xltm", ".xltx",
        ".csv", ".html", ".txt",
    }
)  # fmt: skip
CONVERT_S = 60


class GotenbergStandIn:
    """The server: `url` to give to a client, `file_names` that came in, scripted failures."""

    def __init__(self) -> None:
        self.url = ""
        self.file_names: list[str] = []
        self.stopping = asyncio.Event()
        self._failures: deque[Failure] = deque()
        self._runner: web.AppRunner | None = None

    def fail_next(self, *failures: Failure) -> None:
        """Answer the next requests like this, one failure each, then as usual."""
        self._failures.extend(failures)

    async def __aenter__(self) -> GotenbergStandIn:
        app = web.Application(client_max_size=256 * 2**20)
        app.router.add_post("/forms/libreoffice/convert", self._convert)
        app.router.add_get("/health", self._health)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.stopping.set()
        assert self._runner is not None
        await self._runner.cleanup()

    async def _health(self, _request: web.Request) -> web.Response:
        return web.json_response({"status": "up", "details": {"libreoffice": {"status": "up"}}})

    async def _convert(self, request: web.Request) -> web.StreamResponse:
        if self._failures:
            return await self._failures.popleft()(self, request)
        with tempfile.TemporaryDirectory(prefix="gotenberg-") as folder:
            source = await _uploaded(request, Path(folder))
            if source is None or source.suffix not in _READ:
                words = f"Invalid form data: no form file found for extensions: [{' '.join(sorted(_READ))}]"
                return web.Response(status=400, text=words)
            self.file_names.append(source.name)
            printed = await _print(source)
        if printed is None:
            return web.Response(status=400, text=REFUSED)
        headers = {"Content-Disposition": 'attachment; filename="document.pdf"'}
        return web.Response(body=printed, content_type="application/pdf", headers=headers)


async def _uploaded(request: web.Request, folder: Path) -> Path | None:
    """Keep the file of the form's field `files`."""
    async for part in await request.multipart():
        if getattr(part, "name", "") == "files" and getattr(part, "filename", ""):
            path = folder / PurePath(str(part.filename)).name  # type: ignore[union-attr]
            path.write_bytes(await part.read())  # type: ignore[union-attr]
            return path
    return None


async def _print(source: Path) -> bytes | None:
    """Have LibreOffice write a PDF beside the file."""
    process = await asyncio.create_subprocess_exec(
        "soffice", f"-env:UserInstallation={(source.parent / 'profile').as_uri()}", "--headless", "--norestore",
        "--convert-to", "pdf", "--outdir", str(source.parent), str(source),
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    async with asyncio.timeout(CONVERT_S):
        await process.wait()
    target = source.with_suffix(".pdf")
    return target.read_bytes() if target.is_file() else None


async def busy(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """As when its queue is full or LibreOffice took longer than it may."""
    await request.read()
    return web.Response(status=503, text="Service Unavailable")


async def too_many(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """As a proxy before it, or a queue with a limit."""
    await request.read()
    return web.Response(status=429, text="Too Many Requests")


async def refused(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """As for a file that LibreOffice cannot open."""
    await request.read()
    return web.Response(status=400, text=REFUSED)


async def broke(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """As when LibreOffice crashes on a file."""
    await request.read()
    return web.Response(status=500, text="Internal Server Error")


async def hangs(server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """Take the file and never answer."""
    await request.read()
    await server.stopping.wait()
    return web.Response(status=503)


async def hangs_up(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """End the connection while the file is sent."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def broken_pdf(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """Say that all is well, and send the beginning of a PDF."""
    await request.read()
    return web.Response(body=b"%PDF-1.7\n1 0 obj\n<</Type/Catalog", content_type="application/pdf")


async def no_pdf(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """Say that all is well, and send a page of a proxy."""
    await request.read()
    return web.Response(text="<html>Welcome to the network</html>", content_type="text/html")


def endless(size: int) -> Failure:
    """Send a PDF that is longer than it should be."""

    async def answer(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
        await request.read()
        return web.Response(body=b"%PDF-1.7\n" + b"0" * size, content_type="application/pdf")

    return answer


async def moved(_server: GotenbergStandIn, request: web.Request) -> web.StreamResponse:
    """Send the client elsewhere: it must not carry somebody's file there."""
    await request.read()
    return web.Response(status=307, headers={"Location": "http://127.0.0.1:9/forms/libreoffice/convert"})
