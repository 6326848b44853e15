"""Jina Reader: a service that opens a page with its own browser and answers Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2

from core.adapters.killable import Limits, run_killable
from core.adapters.web.egress import Egress, Refused
from core.adapters.web.jina_answer import ReadAnswer
from core.adapters.web.lease import PRIVATE, UNKNOWN
from core.adapters.web.special import special_address
from core.errors import PermanentError, RateLimited, TransientError, UserError
from core.ingest.extraction_failures import ExtractionFailed
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

MAX_ANSWER = 20_000_000
# Bytes of JSON.

LIMITS = Limits(deadline_s=30.0, memory_bytes=1 << 30)


@dataclass(frozen=True, slots=True)
class JinaPage:
    """Reads a page through Jina Reader; only where its address is set.

    Attributes:
        url: Of the service, `https://r.jina.ai` or one's own.
        egress: Judges the page's address: a service of one's own stands inside and must not be sent to its neighbours.
    """

    url: str
    egress: Egress
    api_key: str = ""
    name: str = "jina"
    deadline_s: float = 90.0
    answer_s: float = 60.0

    def unavailable(self) -> str:
        """Say whether it is configured."""
        return "" if self.url else "not-configured"

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Ask the service and read its Markdown.

        Raises:
            UserError: `link-private`, `link-not-found`, `link-invalid`, `link-telegram-closed`.
            TransientError: The service is busy, out of reach or limited.
            PermanentError: It has no credit, refuses, or got junk.
        """
        address = special_address(request.url)
        await self._allow(address)
        answer = await self._ask(address)
        document = await run_killable(ReadAnswer(answer), LIMITS, progress)
        if not isinstance(document, Document):
            raise ExtractionFailed("extraction-failed", {"code": "no-document"})
        progress(1, 1)
        return document

    async def _allow(self, address: str) -> None:
        parts = urlsplit(address)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            await self.egress.check(parts.hostname or "", port)
        except Refused as refused:
            known = {PRIVATE: "link-private", UNKNOWN: "link-not-found"}
            if key := known.get(str(refused)):
                raise UserError(key) from refused
            raise TransientError("link-unreachable", {"code": str(refused)}) from refused

    async def _ask(self, address: str) -> bytes:
        headers = {"Accept": "application/json", "X-Return-Format": "markdown", "X-Timeout": "40"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        timeout = httpx2.Timeout(self.answer_s, connect=10.0)
        try:
            async with httpx2.AsyncClient(trust_env=False, timeout=timeout, headers=headers) as client:
                async with client.stream("GET", f"{self.url.rstrip('/')}/{address}") as response:
                    _check(response)
                    return await _body(response)
        except httpx2.HTTPError as error:
            raise TransientError("link-unreachable", {"code": type(error).__name__}) from error


async def _body(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MAX_ANSWER:
            raise PermanentError("link-refused", {"code": "answer-too-long"})
    return bytes(body)


def _check(response: httpx2.Response) -> None:
    status = response.status_code
    if status < 300:
        return
    code: dict[str, str | int] = {"code": f"http-{status}"}
    if status == 429:
        raise RateLimited("link-unreachable", code, 30.0)
    if status >= 500:
        raise TransientError("link-unreachable", code)
    raise PermanentError("link-refused", code)  # 401 and 402 say that the key or the credit is at an end
