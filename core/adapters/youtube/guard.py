"""What stands before each level that reads a video: memory, a breaker and turns, shared by all workers."""

from __future__ import annotations

from dataclasses import dataclass, field

from redis.asyncio import Redis

from core.adapters.breaker import PATIENCE, Patience
from core.adapters.youtube.findings import Findings
from core.adapters.youtube.gate import Gate
from core.adapters.youtube.memory import Memory
from core.adapters.youtube.refusals import no_transcript
from core.adapters.youtube.request import video_of
from core.errors import KonspektError
from core.model.document import Document
from core.ports.documents import ChildRunner, ExtractionRequest, Level, Progress

SLACK_S = 10.0
"""For starting a child and asking Redis, beside the level's own time and the wait for a turn."""


@dataclass(frozen=True, slots=True)
class Guarded:
    """A level that is asked only when it makes sense to.

    Attributes:
        extractor: The level.
        runner: Runs it: in a child, where it is a library.
        redis: Shared by all workers; None, or away: everything works without memory, breaker and turns.
        provider: Whom the breaker is about.
        address: From where is asked, see `address_name`.
        findings: Told what this level found; the same for all levels of a cascade.
    """

    extractor: Level
    runner: ChildRunner
    redis: Redis | None
    provider: str
    address: str = "direct"
    findings: Findings = field(default_factory=Findings)
    patience: Patience = PATIENCE
    wait_s: float = 60.0
    rest_s: float = 1.0

    @property
    def name(self) -> str:
        """The level's own."""
        return self.extractor.name

    @property
    def deadline_s(self) -> float:
        """The level's own and the wait for a turn."""
        return self.extractor.deadline_s + self.wait_s + SLACK_S

    def unavailable(self) -> str:
        """As the level says."""
        return self.extractor.unavailable()

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read from memory, or by the level.

        Raises:
            RateLimited: `youtube-blocked`: the provider is being left alone.
            TransientError: `youtube-busy`, or as the level says.
            UserError, PermanentError: As the level says.
        """
        video_id, memory = video_of(request), Memory(self.redis)
        document = await memory.text(video_id, request.languages)
        if document is None:
            document = await self._asked(video_id, memory, request, progress)
            await memory.keep_text(video_id, request.languages, document)
        self.findings.of(video_id).text = True
        return document

    async def _asked(self, video_id: str, memory: Memory, request: ExtractionRequest, progress: Progress) -> Document:
        gate = Gate(self.redis, self.provider, self.address, self.patience, self.wait_s, self.rest_s)
        if await memory.is_missing(video_id, self.provider):
            self.findings.of(video_id).missing = True
            raise no_transcript()
        try:
            return await gate.through(
                lambda: self.runner.run(self.extractor, request, progress), hold_s=self.extractor.deadline_s + SLACK_S
            )
        except KonspektError as error:
            if error.text_key == "youtube-no-transcript":
                self.findings.of(video_id).missing = True
                await memory.keep_missing(video_id, self.provider)
            raise
