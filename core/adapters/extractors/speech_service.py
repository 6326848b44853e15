"""Ask an OpenAI-compatible `/audio/transcriptions` for the words of one piece of sound."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import structlog

from core.adapters.extractors.speech_text import Segment, as_segments
from core.adapters.sound_pieces import Span
from core.errors import KonspektError, PermanentError, RateLimited, TransientError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

log = structlog.get_logger()

Format = Literal["verbose_json", "json", "text"]
FORMATS: tuple[Format, ...] = ("verbose_json", "json", "text")
"""Richest first: only `verbose_json` has times. Endpoints refuse what their model cannot give with 400 or the like."""

TRIES = 5
"""Of one piece; the deadline may end them earlier."""
PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
"""Before the second try; it doubles. A service's own word counts instead, however long."""
JITTER = (0.5, 1.5)
"""Factors of the pause: random, so that pieces do not come back together."""

_REFUSED = frozenset({"speech-bad-request", "speech-unknown-model"})
"""What an endpoint may mean by "not in this format": 400, 415, 422; some answer 404."""


@dataclass(slots=True)
class Learned:
    """What an endpoint turned out to give, kept as long as the process.

    Attributes:
        answers_in: The first format that it did not refuse.
        too_long: It refused a piece for its size.
    """

    answers_in: Format = FORMATS[0]
    too_long: bool = False

    @property
    def wants_short_pieces(self) -> bool:
        """Short pieces are needed: to be accepted at all, or because their starts are the only times."""
        return self.too_long or self.answers_in != FORMATS[0]


@dataclass(frozen=True, slots=True)
class Transcriber:
    """One recording's conversation with the endpoint.

    Attributes:
        language: What is spoken (ISO 639-1); "": the model finds out, which it does better than we.
        until: The loop's time at which everything must be over.
    """

    client: AsyncOpenAI
    model: str
    learned: Learned
    until: float
    language: str = ""
    tries: int = TRIES
    pause_s: float = PAUSE_S

    async def words(self, sound: bytes, place: Span) -> list[Segment]:
        """Return what is said in a piece, with the recording's times.

        Raises:
            TransientError: Service or network would not, however often it was asked before the deadline.
            PermanentError: It refuses.
        """
        for number in range(self.tries):
            try:
                async with asyncio.timeout_at(self.until):
                    return await self._in_some_format(sound, place)
            except TimeoutError as error:
                raise TransientError("speech-timeout") from error
            except TransientError as error:
                pause = self._pause(number, error)
                if number + 1 == self.tries or asyncio.get_running_loop().time() + pause >= self.until:
                    raise
                log.info("speech_retried", code=error.text_key, attempt=number + 1)
                await asyncio.sleep(pause)
        raise AssertionError("no try was left")

    def _pause(self, number: int, error: TransientError) -> float:
        if isinstance(error, RateLimited):
            return float(error.retry_after_s)
        return min(self.pause_s * 2.0**number, LONGEST_PAUSE_S) * random.uniform(*JITTER)

    async def _in_some_format(self, sound: bytes, place: Span) -> list[Segment]:
        """Ask in the best format the endpoint takes; what it takes is learnt once it has taken it."""
        first: PermanentError | None = None
        for answers_in in FORMATS[FORMATS.index(self.learned.answers_in) :]:
            try:
                segments = await self._ask(sound, place, answers_in)
            except PermanentError as error:
                if error.text_key == "speech-context-too-long":
                    self.learned.too_long = True
                if error.text_key not in _REFUSED:
                    raise
                first = first or error
                continue
            self.learned.answers_in = answers_in
            return segments
        assert first is not None  # there is always a format to try
        raise first

    async def _ask(self, sound: bytes, place: Span, answers_in: Format) -> list[Segment]:
        from core.adapters.openai_errors import translated_errors

        more: dict[str, Any] = {"language": self.language} if self.language else {}
        with translated_errors("speech"):
            answer: object = await self.client.audio.transcriptions.create(
                file=("sound.flac", sound, "audio/flac"),
                model=self.model,
                response_format=answers_in,
                **more,
            )
        if answers_in == "text":
            return as_segments(_plain(answer), *place)
        return _heard(_fields(answer), place)


def _plain(answer: object) -> str:
    """Read an answer that should be a text and may be JSON all the same."""
    text = answer if isinstance(answer, str) else str(getattr(answer, "text", ""))
    if text.lstrip().startswith(("{", '"')):
        try:
            found = json.loads(text)
        except ValueError:
            return _not_html(text)
        return str(found.get("text") or "") if isinstance(found, dict) else str(found)
    return _not_html(text)


def _not_html(text: str) -> str:
    """Refuse a gateway's page that came with status 200."""
    if text.lstrip()[:15].lower().startswith(("<!doctype", "<html")):
        raise TransientError("speech-broken-reply")
    return text


def _fields(answer: object) -> Mapping[str, Any]:
    """Read an answer that should be JSON; what the client did not check may be anything."""
    if isinstance(answer, str):
        return {"text": _plain(answer)}
    dumped = getattr(answer, "model_dump", None)
    found = dumped(warnings=False) if dumped else None
    if not isinstance(found, dict) or not isinstance(found.get("text", found.get("segments")), str | list):
        raise TransientError("speech-broken-reply")
    return found


def _heard(found: Mapping[str, Any], place: Span) -> list[Segment]:
    """Take the segments of an answer, or its text where it has none."""
    given = found.get("segments")
    segments = [_segment(one, place) for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    if segments:
        return _ascending(segments)
    return as_segments(str(found.get("text") or ""), *place)


def _segment(one: Mapping[str, Any], place: Span) -> Segment:
    first, last = place
    start = min(first + _number(one.get("start"), 0.0), last)
    return Segment(
        start_s=start,
        end_s=min(max(start, first + _number(one.get("end"), last - first)), last),
        text=str(one.get("text") or ""),
        silent=_number(one.get("no_speech_prob"), 0.0),
        likely=_number(one.get("avg_logprob"), 0.0, least=-math.inf),
    )


def _ascending(segments: list[Segment]) -> list[Segment]:
    """Put segments in the order of their times: some endpoints answer out of order."""
    return sorted(segments, key=lambda one: one.start_s or 0.0)


def _number(value: object, otherwise: float, *, least: float = 0.0) -> float:
    if isinstance(value, int | float) and math.isfinite(value):
        return max(float(value), least)
    return otherwise


def is_final(error: KonspektError) -> bool:
    """Say whether no other piece will fare better: key, account or model are wrong."""
    return error.text_key in ("speech-auth", "speech-no-credit", "speech-unknown-model")
