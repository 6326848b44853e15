"""The sound of a video without captions, heard by the speech recognition that is configured."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.adapters.killable import Limits, run_killable
from core.adapters.youtube.facts import VideoFacts
from core.adapters.youtube.refusals import blocked
from core.adapters.youtube.request import missing_library, video_of
from core.adapters.youtube.ytdlp import Said, facts_of_info, open_ytdlp, translated
from core.errors import UserError
from core.library.youtube_links import YoutubeLink
from core.model.document import Document
from core.model.source import SourceKind
from core.ports.documents import ExtractionRequest, Progress, ServiceExtractor

FORMATS = "bestaudio[abr<=80]/worstaudio/worst"
"""Speech needs no more; a lecture of an hour is about 25 MB."""


@dataclass(frozen=True, slots=True)
class YoutubeAudio:
    """The last level: costs money, so that it works only where it is switched on.

    Attributes:
        transcribe: Reads sound.
        enabled: Somebody has agreed to pay.
        download_s: After so many seconds the download is killed.
        max_bytes: A larger file is refused before it is downloaded.
        longest_s: A longer video is refused.
    """

    transcribe: ServiceExtractor
    enabled: bool = False
    proxy: str = field(default="", repr=False)
    ca_file: str = ""
    name: str = "youtube-audio"
    deadline_s: float = 1800.0
    download_s: float = 300.0
    memory_bytes: int = 600 * 2**20
    max_bytes: int = 200 * 2**20
    longest_s: float = 4 * 3600.0

    def unavailable(self) -> str:
        """It needs to be switched on, a library and a recognition."""
        if not self.enabled:
            return "not-enabled"
        return missing_library("yt_dlp") or self.transcribe.unavailable()

    async def read(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Download the sound and have it recognised.

        Raises:
            UserError: `youtube-too-long`, or as YouTube refuses.
            TransientError: It could not be downloaded; or as the recognition says.
        """
        video_id = video_of(request)
        with tempfile.TemporaryDirectory(prefix="konspekt-sound-", ignore_cleanup_errors=True) as folder:
            task = _DownloadTask(video_id, folder, self.max_bytes, self.longest_s, self.proxy, self.ca_file)
            found = await run_killable(task, Limits(self.download_s, self.memory_bytes), progress)
            path, facts = _checked(found, video_id, folder)
            sound = replace(request, kind=SourceKind.AUDIO, path=str(path), file_name=path.name, url="")
            document = await self.transcribe.read(sound, progress)
        return replace(document, title=facts.title or document.title, about=facts.about)


@dataclass(frozen=True, slots=True)
class _DownloadTask:
    """Downloads the sound in a child; returns the file's name, title, channel and day."""

    video_id: str
    folder: str
    max_bytes: int
    longest_s: float
    proxy: str = field(repr=False)
    ca_file: str

    def __call__(self, progress: Progress) -> tuple[str, str, str, str]:
        said = Said()
        options: dict[str, object] = {
            "format": FORMATS,
            "outtmpl": f"{self.folder}/sound.%(ext)s",
            "max_filesize": self.max_bytes,
            "ignore_no_formats_error": False,
            "retries": 2,
            "fixup": "never",
        }
        with open_ytdlp(self.proxy, self.ca_file, said, **options) as library:
            facts = translated(lambda: self._download(library), said)
        files = sorted(Path(self.folder).glob("sound.*"))
        if not files:
            raise self._too_long()
        return files[0].name, facts.title, facts.channel, facts.published

    def _download(self, library: Any) -> VideoFacts:
        info = library.extract_info(YoutubeLink(self.video_id).canonical, download=False)
        if float(info.get("duration") or 0) > self.longest_s:
            raise self._too_long()
        library.process_ie_result(info, download=True)
        return facts_of_info(self.video_id, info)

    def _too_long(self) -> UserError:
        return UserError("youtube-too-long", {"hours": int(self.longest_s // 3600)})


def _checked(found: object, video_id: str, folder: str) -> tuple[Path, VideoFacts]:
    """Check what the child sent: a file of this folder and three words."""
    if not isinstance(found, tuple) or len(found) != 4 or not all(isinstance(one, str) for one in found):
        raise blocked("no-sound")
    name, title, channel, published = found
    return Path(folder) / Path(name).name, VideoFacts(video_id, title, channel, published)
