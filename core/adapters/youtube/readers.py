"""Videos through services that read pages, for when YouTube serves our address no more. They lose the times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from core.adapters.killable import Limits, run_killable
from core.adapters.youtube.reader_answer import FIRECRAWL, JINA, AnswerTask
from core.adapters.youtube.refusals import BLOCKED, blocked
from core.adapters.youtube.request import video_of
from core.errors import KonspektError, RateLimited
from core.ingest.extraction_failures import ExtractionFailed
from core.library.youtube_links import YoutubeLink
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

CONNECT_S = 10.0
MAX_BYTES = 16 * 2**20
"""A transcript of a day is smaller."""
PARSING = Limits(deadline_s=20.0, memory_bytes=300 * 2**20)


@dataclass(frozen=True, slots=True)
class FirecrawlVideo:
    """Firecrawl's scrape, which puts a video's transcript under a heading of its own.

    Attributes:
        url: Of the service, with or without its `/v2`; "" turns the level off.
    """

    url: str
    api_key: str = field(default="", repr=False)
    name: str = "firecrawl"
    deadline_s: float = 90.0

    def unavailable(self) -> str:
        """It needs an address."""
        return "" if self.url else "not-configured"

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the transcript.

        Raises:
            TransientError: The service is away, busy, or refuses.
            ExtractionFailed: It does not accept the key, or found no transcript.
        """
        video_id = video_of(request)
        asked = {
            "url": YoutubeLink(video_id).canonical,
            "formats": ["markdown"],
            "location": {"languages": list(request.languages[:1])},
            "timeout": int((self.deadline_s - CONNECT_S) * 1000),
        }
        body = await _ask("POST", scrape_address(self.url), self.api_key, self.deadline_s, asked)
        return await _parsed(AnswerTask(FIRECRAWL, video_id, body), progress)


@dataclass(frozen=True, slots=True)
class JinaVideo:
    """Jina Reader on a video's page.

    Attributes:
        url: Of the service; "" turns the level off.
    """

    url: str
    api_key: str = field(default="", repr=False)
    name: str = "jina"
    deadline_s: float = 60.0

    def unavailable(self) -> str:
        """It needs an address."""
        return "" if self.url else "not-configured"

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the transcript; errors as those of `FirecrawlVideo`."""
        video_id = video_of(request)
        target = f"{self.url.rstrip('/')}/{YoutubeLink(video_id).canonical}"
        body = await _ask("GET", target, self.api_key, self.deadline_s, None)
        return await _parsed(AnswerTask(JINA, video_id, body), progress)


def scrape_address(url: str) -> str:
    """Name where Firecrawl reads a page, for its address with or without a version."""
    base = url.rstrip("/")
    return f"{base}/scrape" if base.endswith(("/v1", "/v2")) else f"{base}/v2/scrape"


async def _ask(method: str, url: str, api_key: str, silence_s: float, asked: Mapping[str, Any] | None) -> bytes:
    """Ask a service; its answer is returned unread."""
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {api_key}"} if api_key else {})
    timeout = httpx2.Timeout(silence_s, connect=CONNECT_S)
    try:
        async with httpx2.AsyncClient(timeout=timeout, trust_env=False) as client:
            async with client.stream(method, url, json=asked, headers=headers) as response:
                if response.status_code != 200:
                    raise _refused(response.status_code)
                return await _limited(response)
    except httpx2.HTTPError as error:
        raise blocked(type(error).__name__) from error


async def _limited(response: httpx2.Response) -> bytes:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) > MAX_BYTES:
            raise _failed("answer-too-long")
    return bytes(body)


def _refused(status: int) -> KonspektError:
    if status == 429:
        return RateLimited("youtube-blocked", {"code": BLOCKED}, 30.0)
    if status in (401, 402, 403):
        return _failed("auth" if status == 401 else "no-credit")
    return blocked(f"http-{status}")


def _failed(code: str) -> ExtractionFailed:
    return ExtractionFailed("extraction-failed", {"code": code})


async def _parsed(task: AnswerTask, progress: Progress) -> Document:
    """Read the answer in a child: strangers wrote what is in it."""
    found = await run_killable(task, PARSING, progress)
    if not isinstance(found, Document):
        raise _failed("no-document")
    return found
