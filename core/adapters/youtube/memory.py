"""Transcripts remembered for a day, and for a while that there is none: a video that many people send is read once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from core.model.document import Document, TimeStart
from core.model.source import About

TEXT_S = 24 * 3600
"""For so long a transcript is taken from memory."""
MISSING_S = 15 * 60
"""For so long a video is not asked again for captions it has not: automatic ones come some time after the upload."""
MAX_BYTES = 8 * 2**20
"""A transcript of twenty hours is smaller; what is larger is not kept."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered of videos; without Redis nothing is."""

    redis: Redis | None

    async def text(self, video_id: str, languages: Sequence[str]) -> Document | None:
        """Return the transcript for this order of languages, None when it is not remembered."""
        kept = await self._get(_text_key(video_id, languages))
        try:
            return None if kept is None else _document(json.loads(kept))
        except (ValueError, KeyError, TypeError):  # written by another version
            return None

    async def keep_text(self, video_id: str, languages: Sequence[str], document: Document) -> None:
        """Remember a transcript; one that lost its times is not, since the next try may bring them."""
        if not document.lost:
            await self._set(_text_key(video_id, languages), json.dumps(_values(document), ensure_ascii=False), TEXT_S)

    async def is_missing(self, video_id: str, provider: str) -> bool:
        """Say whether a provider found no captions a short while ago."""
        return await self._get(f"konspekt:youtube:none:{provider}:{video_id}") is not None

    async def keep_missing(self, video_id: str, provider: str) -> None:
        """Remember that a provider found none."""
        await self._set(f"konspekt:youtube:none:{provider}:{video_id}", "1", MISSING_S)

    async def _get(self, key: str) -> bytes | str | None:
        if self.redis is None:
            return None
        try:
            kept: bytes | str | None = await self.redis.get(key)
        except (RedisError, OSError):
            return None
        return kept

    async def _set(self, key: str, value: str, seconds: int) -> None:
        body = value.encode("utf-8", "replace")
        if self.redis is None or len(body) > MAX_BYTES:
            return
        try:
            await self.redis.set(key, body, ex=seconds)
        except (RedisError, OSError):
            return


def _text_key(video_id: str, languages: Sequence[str]) -> str:
    return f"konspekt:youtube:text:{video_id}:{','.join(languages)}"


def _values(document: Document) -> dict[str, Any]:
    return {
        "text": document.text,
        "times": [[time.offset, time.seconds] for time in document.times],
        "title": document.title,
        "about": asdict(document.about),
    }


def _document(values: dict[str, Any]) -> Document:
    times = tuple(TimeStart(int(offset), float(seconds)) for offset, seconds in values["times"])
    return Document(text=values["text"], times=times, title=values["title"], about=About(**values["about"]))
