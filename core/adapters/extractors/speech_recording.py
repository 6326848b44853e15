"""One recording on its way through the service: cut into pieces in a child, heard piece by piece."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import structlog

from core.adapters.extractors.speech_service import Transcriber
from core.adapters.extractors.speech_text import Segment, clock
from core.adapters.killable import Limits, run_killable
from core.adapters.sound import Answer, SplitSound, read_piece
from core.adapters.sound_pieces import Span
from core.errors import KonspektError, TransientError
from core.ingest.extraction_failures import ExtractionFailed
from core.model.source import Reason
from core.ports.documents import Progress

log = structlog.get_logger()

CONVERSION = Limits(deadline_s=900.0, memory_bytes=1 << 30)
"""ffmpeg reads two hours in a minute and needs 100 MB."""

GIVE_UP_AFTER = 3
"""So many pieces in a row that failed though each was asked for often: the service is away, the rest is not tried."""

Outcome = list[Segment] | KonspektError
"""Of a piece: what was said in it, or why that is not known."""


@dataclass(frozen=True, slots=True)
class Split:
    """A recording that was cut.

    Attributes:
        lost_end: Where the file breaks off, empty where it does not.
    """

    title: str
    artist: str
    pieces: tuple[Span, ...]
    lost_end: Span


@dataclass(slots=True)
class Recording:
    """A recording and what was heard of it.

    Attributes:
        folder: Of its own; holds the pieces of the last cut.
    """

    path: str
    folder: Path
    hear: Transcriber
    progress: Progress
    parallel: int = 2
    done: int = 0
    failed_in_a_row: int = 0
    split: Split = field(default_factory=lambda: Split("", "", (), (0.0, 0.0)))

    async def cut(self, piece_s: float, max_s: float) -> None:
        """Convert the recording and cut it, anew if it was cut before.

        Raises:
            UserError: It is damaged, silent or too long.
            ExtractionFailed, ExtractionTimeout, ExtractionOutOfMemory: The child broke or was killed.
        """
        answer = await run_killable(SplitSound(self.path, str(self.folder), piece_s, max_s), CONVERSION, _no_progress)
        self.split = _split(answer)
        self.progress(0, len(self.split.pieces))

    async def piece(self, number: int) -> Outcome:
        """Have one piece heard; what the service does to it breaks nothing else."""
        if self.failed_in_a_row >= GIVE_UP_AFTER:
            return TransientError("speech-unavailable")
        try:
            sound = await asyncio.to_thread(read_piece, self.folder, number)
            heard = await self.hear.words(sound, self.split.pieces[number])
        except KonspektError as error:
            self.failed_in_a_row += isinstance(error, TransientError)
            log.warning("sound_piece_lost", piece=number, code=error.text_key)
            return error
        self.failed_in_a_row = 0
        self.done += 1
        self.progress(self.done, len(self.split.pieces))
        return heard

    async def rest(self) -> list[Outcome]:
        """Have all pieces but the first one heard, a few at once."""
        places = asyncio.Semaphore(self.parallel)

        async def one(number: int) -> Outcome:
            async with places:
                return await self.piece(number)

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(number)) for number in range(1, len(self.split.pieces))]
        return [task.result() for task in tasks]


def gaps(split: Split, outcomes: list[Outcome]) -> tuple[Reason, ...]:
    """Name the times that nobody heard; neighbours are one gap."""
    lost: list[Span] = []
    for place, outcome in zip(split.pieces, outcomes, strict=True):
        if isinstance(outcome, KonspektError):
            lost.append(place)
    if split.lost_end[1] > 0:
        lost.append(split.lost_end)
    joined: list[Span] = []
    follows = {(one, other) for one, other in pairwise((*split.pieces, split.lost_end))}
    for index, span in enumerate(lost):
        if index and (lost[index - 1], span) in follows:
            joined[-1] = (joined[-1][0], span[1])
        else:
            joined.append(span)
    return tuple(Reason("lost-sound", {"from": clock(start), "to": clock(round(end))}) for start, end in joined)


def _split(answer: object) -> Split:
    """Believe of a child's answer only what has the right form."""
    try:
        given: Answer = answer  # type: ignore[assignment]
        _, title, artist, pieces, lost_end = given
        spans = tuple((float(start), float(end)) for start, end in pieces)
        split = Split(str(title), str(artist), spans, (float(lost_end[0]), float(lost_end[1])))
    except (TypeError, ValueError, IndexError) as error:
        raise ExtractionFailed("extraction-failed", {"code": "answer-malformed"}) from error
    if not split.pieces:
        raise ExtractionFailed("extraction-failed", {"code": "no-pieces"})
    return split


def _no_progress(_done: int, _total: int) -> None:
    """The cutting is quick; pieces heard are the progress that is shown."""
