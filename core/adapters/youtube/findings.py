"""What the levels of one reading found, and the last word on it when none of them brought a text."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from core.adapters.youtube.refusals import blocked
from core.adapters.youtube.request import video_of
from core.errors import UserError
from core.ingest.extraction_failures import ExtractionFailed
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

FRESH_S = 20 * 60.0
# Longer than all levels together may take; what an earlier reading of the video left is of no use to the next one.
_MOST = 256
# Videos remembered at once: more than any worker reads at a time; the oldest is forgotten.


@dataclass(slots=True)
class Finding:
    """Of one video: a level brought a text; a level saw it and it has no captions."""

    text: bool = False
    missing: bool = False
    since_s: float = field(default_factory=time.monotonic)

    @property
    def fresh(self) -> bool:
        """It belongs to a reading that may still go on."""
        return time.monotonic() - self.since_s < FRESH_S


@dataclass(frozen=True, slots=True)
class Findings:
    """Of the videos that this worker is reading."""

    videos: dict[str, Finding] = field(default_factory=dict)

    def of(self, video_id: str) -> Finding:
        """Return what is known of a video, to be added to."""
        finding = self.take(video_id)
        if len(self.videos) >= _MOST:
            del self.videos[next(iter(self.videos))]
        self.videos[video_id] = finding
        return finding

    def take(self, video_id: str) -> Finding:
        """Return what is known of a video and forget it."""
        finding = self.videos.pop(video_id, None)
        return finding if finding is not None and finding.fresh else Finding()


@dataclass(frozen=True, slots=True)
class LastWord:
    """The last level: reads nothing, and says what it means that no other one could.

    A single level that saw the video and found no captions settles it: the others were blocked or found none either.
    Otherwise it was not seen at all, and a later try may see it.
    """

    findings: Findings
    name: str = "verdict"
    deadline_s: float = 5.0

    def unavailable(self) -> str:
        """It always can speak."""
        return ""

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Never return.

        Raises:
            UserError: `youtube-no-transcript`.
            TransientError: `youtube-blocked`: nobody got through.
            ExtractionFailed: There was a text, and the gate keeps the best of it.
        """
        finding = self.findings.take(video_of(request))
        if finding.text:
            raise ExtractionFailed("extraction-failed", {"code": "text-rejected"})
        if finding.missing:
            raise UserError("youtube-no-transcript", {"code": "no-transcript"})
        raise blocked("no-level-left")
