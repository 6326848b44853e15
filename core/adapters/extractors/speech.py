"""Voice, audio and the sound of videos, heard by an OpenAI-compatible transcription service; times are kept."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from core.adapters.extractors.speech_recording import Outcome, Recording, Split, gaps
from core.adapters.extractors.speech_service import TRIES, Learned, Transcriber, is_final
from core.adapters.extractors.speech_text import compose, without_inventions
from core.adapters.sound import sound_programs
from core.errors import KonspektError, TransientError, UserError
from core.model.document import Document
from core.model.source import About
from core.ports.documents import ExtractionRequest, Progress

log = structlog.get_logger()

LAST_SHARE = 0.97
"""Of the deadline: then what is there is kept, instead of losing all to the one who watches the clock."""

SHORT_ENOUGH = 1.5
"""Pieces up to so many short ones long are not cut anew."""


@dataclass(frozen=True, slots=True)
class SpeechToText:
    """About a tenth of the recording's length where the service is quick; long recordings in pieces.

    Attributes:
        base_url: With its `/v1`.
        api_key: "" for local servers that want none.
        deadline_s: Of everything; a lecture of two hours on a slow service.
        answer_s: Longest wait for a piece: services answer when they have heard it all.
        parallel: Pieces asked for at once.
        piece_s: Greatest length of a piece. 600 s are at most 19.2 MB, below every known limit.
        short_piece_s: The same where the service gives no times: then a piece's start is all that is known.
        max_s: Longest recording.
        tries: Of a piece, at most.
        pause_s: Before a piece is tried again; it doubles.
        learned: What the service turned out to give.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    model: str = ""
    name: str = "speech-to-text"
    deadline_s: float = 3600.0
    answer_s: float = 600.0
    parallel: int = 2
    piece_s: float = 600.0
    short_piece_s: float = 60.0
    max_s: float = 6 * 3600.0
    tries: int = TRIES
    pause_s: float = 1.0
    learned: Learned = field(default_factory=Learned, compare=False)

    def unavailable(self) -> str:
        """Say whether a service is configured and ffmpeg is installed."""
        if not (self.base_url and self.model):
            return "not-configured"
        return sound_programs()

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Write down what is said; a piece that the service would not hear is named in `lost`.

        Raises:
            UserError: `source-damaged`, `source-no-speech`, `source-sound-too-long` with `hours`.
            TransientError, PermanentError: The service gave nothing at all, `speech-…` as in `openai_errors`.
        """
        from core.adapters.openai_client import open_client

        until = asyncio.get_running_loop().time() + self.deadline_s * LAST_SHARE
        language = request.languages[0] if len(request.languages) == 1 else ""
        with tempfile.TemporaryDirectory(prefix="konspekt-", ignore_cleanup_errors=True) as folder:
            async with open_client(self.base_url, self.api_key, silence_s=self.answer_s) as client:
                hear = Transcriber(client, self.model, self.learned, until, language, self.tries, self.pause_s)
                recording = Recording(request.path, Path(folder), hear, progress, self.parallel)
                return _document(await self._hear(recording), recording.split)

    async def _hear(self, recording: Recording) -> list[Outcome]:
        """Have all pieces heard; the first one alone, since it shows what the service takes and gives."""
        piece_s = self._piece_s()
        await recording.cut(piece_s, self.max_s)
        first = await recording.piece(0)
        longest = max(end - start for start, end in recording.split.pieces)
        if self._piece_s() < piece_s and longest > SHORT_ENOUGH * self.short_piece_s:
            await recording.cut(self._piece_s(), self.max_s)
            first = await recording.piece(0)
        if isinstance(first, KonspektError) and is_final(first):
            log.error("speech_refused", code=first.text_key)
            raise first
        return [first, *await recording.rest()]

    def _piece_s(self) -> float:
        return self.short_piece_s if self.learned.wants_short_pieces else self.piece_s


def _document(outcomes: list[Outcome], split: Split) -> Document:
    """Put the pieces together.

    Raises:
        UserError: All was heard, and nothing was said.
        TransientError, PermanentError: Nothing was heard; time may help if it may help any piece.
    """
    heard = [segment for outcome in outcomes if isinstance(outcome, list) for segment in outcome]
    text, times = compose(without_inventions(heard))
    if not text:
        failures = [outcome for outcome in outcomes if isinstance(outcome, KonspektError)]
        failures.sort(key=lambda error: not isinstance(error, TransientError))
        raise failures[0] if failures else UserError("source-no-speech")
    lost = gaps(split, outcomes)
    return Document(text, times=times, title=split.title, about=About(author=split.artist), lost=lost)
