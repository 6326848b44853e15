"""A playlist as the videos it holds: titles and addresses only, nothing of a video is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from redis.asyncio import Redis

from core.adapters.breaker import PATIENCE, Patience
from core.adapters.killable import Limits, run_killable
from core.adapters.youtube.gate import Gate
from core.adapters.youtube.guard import SLACK_S
from core.adapters.youtube.refusals import blocked
from core.adapters.youtube.request import address_name
from core.adapters.youtube.ytdlp import Said, open_ytdlp, translated
from core.errors import UserError
from core.library.youtube_links import YoutubeLink, parse_youtube
from core.model.source import Reason, SourceKind
from core.ports.documents import ExtractionRequest, Member, Opened, Progress

_NO_VIDEO = ("[private video]", "[deleted video]", "[unavailable]")
# Titles of what stands in a list and cannot be watched.


@dataclass(frozen=True, slots=True)
class PlaylistOpener:
    """See `core.ports.documents.ContainerOpener`.

    Attributes:
        redis: For breaker and turns, shared with the levels that read videos; None: without them.
        proxy: `http://user:password@host:port` of the operator, "" to ask directly.
        ca_file: Certificates of a proxy that opens TLS, "" for the usual ones.
    """

    redis: Redis | None
    proxy: str = field(default="", repr=False)
    ca_file: str = ""
    deadline_s: float = 90.0
    memory_bytes: int = 600 * 2**20
    patience: Patience = PATIENCE
    wait_s: float = 60.0
    rest_s: float = 1.0

    async def open(self, request: ExtractionRequest, folder: Path, *, limit: int) -> Opened:
        """List at most `limit` videos, each once, in the list's order.

        Raises:
            UserError: `youtube-list-empty`, `youtube-list-private`, `youtube-not-a-video`.
            TransientError: `youtube-blocked`, `youtube-busy`.
        """
        link = parse_youtube(request.url)
        if link is None or not link.playlist_id:
            raise UserError("youtube-not-a-video")
        task = _ListTask(link.playlist_id, limit, self.proxy, self.ca_file)
        address = address_name(self.proxy)
        gate = Gate(self.redis, "youtube-playlist", address, self.patience, self.wait_s, self.rest_s)
        limits = Limits(self.deadline_s, self.memory_bytes)
        found = await gate.through(lambda: run_killable(task, limits, _silent), hold_s=self.deadline_s + SLACK_S)
        return _opened(found)


def _silent(_done: int, _total: int) -> None:
    """Nobody watches a list being read."""


@dataclass(frozen=True, slots=True)
class _ListTask:
    """Reads a list in a child: returns pairs of id and title, and how many videos are left out."""

    playlist_id: str
    limit: int
    proxy: str = field(repr=False)
    ca_file: str

    def __call__(self, progress: Progress) -> tuple[list[tuple[str, str]], int]:
        said = Said()
        options = {"extract_flat": True, "lazy_playlist": True}
        with open_ytdlp(self.proxy, self.ca_file, said, **options) as library:
            return translated(lambda: self._read(library), said, about_list=True)  # type: ignore[no-any-return]

    def _read(self, library: Any) -> tuple[list[tuple[str, str]], int]:
        url = YoutubeLink(playlist_id=self.playlist_id).canonical
        info = library.extract_info(url, download=False, process=False)
        listed = [
            (str(entry.get("id") or ""), str(entry.get("title") or ""))
            for entry in islice(info.get("entries") or [], self.limit + 1)
        ]
        total = max(int(info.get("playlist_count") or 0), len(listed))
        videos = [(id_, title) for id_, title in listed[: self.limit] if _can_be_read(id_, title)]
        return list(dict(videos).items()), total - len(videos)


def _can_be_read(video_id: str, title: str) -> bool:
    return len(video_id) == 11 and title.lower() not in _NO_VIDEO


def _opened(found: object) -> Opened:
    """Check what the child sent, and make members of it.

    Raises:
        UserError: `youtube-list-empty`.
    """
    if not isinstance(found, tuple) or len(found) != 2:
        raise blocked("no-list")
    videos, left_out = found
    members = tuple(
        Member(str(title), SourceKind.YOUTUBE, url=YoutubeLink(str(video_id)).canonical) for video_id, title in videos
    )
    if not members:
        raise UserError("youtube-list-empty")
    return Opened(members, (Reason("lost-videos", {"count": int(left_out)}),) if left_out else ())
