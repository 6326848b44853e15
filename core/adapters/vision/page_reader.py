"""One page's picture is read by a model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import base64
import json
import random
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import openai

from core.adapters.llm.request_shape import RequestShape
from core.adapters.openai_client import CONNECT_S, open_client
from core.adapters.openai_errors import translate
from core.adapters.vision.answers import BadAnswer, page_text
from core.adapters.vision.prompt import PROMPT
from core.errors import KonspektError, PermanentError, RateLimited, TransientError
from core.ingest.extraction_failures import ExtractionFailed

JITTER = (0.5, 1.5)
# Factors of a pause, so that pages that failed together do not come back together.

_FEWER = 4
# By so much the longest answer is shortened, once, when the endpoint says that all together is too long.

_TOO_LONG = "vision-context-too-long"


@dataclass(frozen=True, slots=True)
class VisionEndpoint:
    """Where a model that sees is and how to ask it.

    Attributes:
        base_url: With its `/v1`.
        api_key: "" for local servers that want none.
        parallel: Pages asked for at once.
        answer_tokens: Longest answer; a page of close print takes 3000.
        page_s: Longest wait for one answer.
        connect_s: Longest wait for a connection.
        tries: Requests for one page at most.
        pause_s: Mean pause before the second request for a page; it doubles.
    """

    base_url: str = ""
    model: str = ""
    api_key: str = field(default="", repr=False)
    parallel: int = 4
    answer_tokens: int = 6000
    page_s: float = 120.0
    connect_s: float = CONNECT_S
    tries: int = 3
    pause_s: float = 2.0


class PageReader:
    """Asks for pages one by one; may be used for several at once."""

    def __init__(self, endpoint: VisionEndpoint) -> None:
        self._endpoint = endpoint
        self._shape = RequestShape(endpoint.model, 0.0)
        self._tokens = endpoint.answer_tokens
        self._client = open_client(
            endpoint.base_url, endpoint.api_key, silence_s=endpoint.page_s, connect_s=endpoint.connect_s
        )

    async def __aenter__(self) -> PageReader:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def read(self, jpeg: bytes) -> str:
        """Return the page's text as Markdown, "" for one without text.

        What time may heal is asked again: a limit after the wait it names, a failure after a pause.

        Raises:
            TransientError, RateLimited: After the last try.
            PermanentError: The endpoint refuses: `vision-auth`, `vision-no-credit`, `vision-unknown-model`, …
            ExtractionFailed: The model answered with no transcription, every time.
        """
        talk = _talk(jpeg)
        for left in reversed(range(self._endpoint.tries)):
            try:
                return await self._ask(talk)
            except BadAnswer as error:
                failure: KonspektError = ExtractionFailed("extraction-failed", {"code": f"vision-{error.code}"})
                wait_s = 0.0
            except TransientError as error:
                failure, wait_s = error, self._wait_s(error, left)
            except PermanentError as error:
                if error.text_key != _TOO_LONG or self._tokens < self._endpoint.answer_tokens:
                    raise
                self._tokens //= _FEWER
                failure, wait_s = error, 0.0
            if left:
                await asyncio.sleep(wait_s)
        raise failure

    def _wait_s(self, error: TransientError, left: int) -> float:
        if isinstance(error, RateLimited):
            return error.retry_after_s
        return float(self._endpoint.pause_s * 2 ** (self._endpoint.tries - 1 - left) * random.uniform(*JITTER))

    async def _ask(self, talk: list[dict[str, Any]]) -> str:
        """Ask once; what the endpoint does not know is left out and asked again at once."""
        while True:
            request = self._shape.request(talk, {}, self._tokens)
            try:
                async with asyncio.timeout(self._endpoint.page_s):
                    reply = await self._client.chat.completions.create(**request)
                return _text(reply)
            except openai.APIStatusError as error:
                if not self._shape.learn(error, request):
                    raise translate(error, "vision") from error
            except (openai.OpenAIError, TimeoutError, json.JSONDecodeError, UnicodeDecodeError) as error:
                raise translate(error, "vision") from error


def _text(reply: object) -> str:
    """Take the answer out of a reply, which is whatever the endpoint sent."""
    choices = getattr(reply, "choices", None)
    if not choices:
        raise TransientError("vision-broken-reply")
    message = getattr(choices[0], "message", None)
    if getattr(message, "refusal", None):
        raise BadAnswer("refused")
    content = getattr(message, "content", None)
    return page_text(content if isinstance(content, str) else "", getattr(choices[0], "finish_reason", None))


def _talk(jpeg: bytes) -> list[dict[str, Any]]:
    url = "data:image/jpeg;base64," + base64.b64encode(jpeg).decode("ascii")
    picture = {"type": "image_url", "image_url": {"url": url, "detail": "high"}}
    return [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": [{"type": "text", "text": "The page:"}, picture]},
    ]
