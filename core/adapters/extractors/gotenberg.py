"""An office file printed to PDF by Gotenberg (LibreOffice as a service), then read as a PDF in a child.

Source:
    Gotenberg 8, "Convert with LibreOffice": POST /forms/libreoffice/convert.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx2

from core.adapters.extractors.soffice import ENDINGS
from core.errors import TransientError
from core.ingest.cascade import ExtractionFailed, read
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import Cascade, ChildRunner, ExtractionRequest, Progress

ROUTE = "/forms/libreoffice/convert"

CONNECT_S = 5.0
"""A service that does not accept a connection by then is down."""

SILENCE_S = 100.0
"""Gotenberg says nothing while LibreOffice works; its own limit is 30 s unless it was told otherwise."""

MAX_PDF_BYTES = 200 * 1024 * 1024
_BUSY = frozenset({429, 502, 503, 504})
# What Gotenberg, or a proxy before it, answers when the queue is full or LibreOffice is restarted.


@dataclass(frozen=True, slots=True)
class GotenbergDocuments:
    """The second way to read an office file; gives page numbers, loses notes and part of the structure.

    Attributes:
        url: Of the service, without the route; "" turns it off.
        readers: What reads the PDF, in children.
        runner: Runs them.
        max_pdf_bytes: A longer answer is dropped.
        silence_s: Longest wait for the next byte.
    """

    url: str
    readers: Cascade
    runner: ChildRunner
    name: str = "gotenberg"
    deadline_s: float = 300.0
    max_pdf_bytes: int = MAX_PDF_BYTES
    silence_s: float = SILENCE_S

    def unavailable(self) -> str:
        """Say whether an address is set."""
        return "" if self.url else "not-configured"

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Print and read.

        Raises:
            TransientError: The service is away, busy or too slow.
            ExtractionFailed: It refused the file, or what came back is no PDF that can be read.
        """
        with tempfile.TemporaryDirectory(prefix="konspekt-", ignore_cleanup_errors=True) as folder:
            target = Path(folder) / "printed.pdf"
            await self._print(request, target)
            printed = replace(request, path=str(target), kind=SourceKind.PDF, pages=None)
            reading = await read(self.readers, printed, runner=self.runner, progress=progress)
        if reading.document is None:
            raise _failed("pdf-not-read")
        if reading.document.page_count > request.max_pages:  # the rest would be lost without a word
            raise _failed("too-many-pages")
        return reading.document

    async def _print(self, request: ExtractionRequest, target: Path) -> None:
        ending = ENDINGS.get(request.kind)
        if ending is None:
            raise _failed("kind-not-printed")
        try:
            async with self._answer(request.path, f"document.{ending}") as response:
                await _refuse(response)
                await self._save(response, target)
        except httpx2.TransportError as error:
            raise TransientError("document-service-away") from error

    @asynccontextmanager
    async def _answer(self, path: str, file_name: str) -> AsyncIterator[httpx2.Response]:
        """Send the file and wait for the beginning of the answer."""
        timeout = httpx2.Timeout(self.silence_s, connect=CONNECT_S)
        with open(path, "rb") as file:  # noqa: ASYNC230 - only opened; its bytes are read while they are sent
            async with httpx2.AsyncClient(timeout=timeout, trust_env=False, follow_redirects=False) as client:
                form = {"files": (file_name, file, "application/octet-stream")}
                async with client.stream("POST", self.url.rstrip("/") + ROUTE, files=form) as response:
                    yield response

    async def _save(self, response: httpx2.Response, target: Path) -> None:
        """Write the answer to a file as it comes, and see that it is a PDF."""
        size = 0
        with target.open("wb") as file:
            async for piece in response.aiter_bytes(1 << 20):
                size += len(piece)
                if size > self.max_pdf_bytes:
                    raise _failed("pdf-too-large")
                if size == len(piece) and not piece.startswith(b"%PDF-"):
                    raise _failed("not-a-pdf")
                await asyncio.to_thread(file.write, piece)
        if not size:
            raise _failed("not-a-pdf")


async def _refuse(response: httpx2.Response) -> None:
    """Turn a refusal into an error.

    "A password may be required" is what Gotenberg says of everything that LibreOffice cannot open: whether a file is
    locked has been looked at before.
    """
    if response.status_code in _BUSY:
        raise TransientError("document-service-busy")
    if response.status_code != 200:
        raise _failed(f"http-{response.status_code}")


def _failed(code: str) -> ExtractionFailed:
    return ExtractionFailed("extraction-failed", {"code": f"gotenberg-{code}"})
