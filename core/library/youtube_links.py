"""Addresses of YouTube videos and playlists."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from core.errors import UserError

_HOSTS = frozenset({"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com", "youtu.be"})
_ID = re.compile(r"[A-Za-z0-9_-]{11}\Z")


@dataclass(frozen=True, slots=True)
class YoutubeLink:
    """A video, or a playlist when no video is named."""

    video_id: str = ""
    playlist_id: str = ""

    @property
    def is_playlist(self) -> bool:
        """It names no video."""
        return not self.video_id

    @property
    def canonical(self) -> str:
        """The one address of it."""
        if self.video_id:
            return f"https://www.youtube.com/watch?v={self.video_id}"
        return f"https://www.youtube.com/playlist?list={self.playlist_id}"


def parse_youtube(address: str) -> YoutubeLink | None:
    """Read an address; None for one that is not of YouTube.

    Raises:
        UserError: `youtube-bad-id`: it is of YouTube but names no video.
    """
    parts = urlsplit(address)
    if (parts.hostname or "").lower() not in _HOSTS:
        return None
    query = parse_qs(parts.query)
    pieces = [piece for piece in parts.path.split("/") if piece]
    video = pieces[-1] if pieces else ""
    if parts.path == "/watch":
        video = query.get("v", [""])[0]
    if _ID.match(video):
        return YoutubeLink(video)
    if parts.path == "/playlist" and query.get("list"):
        return YoutubeLink(playlist_id=query["list"][0])
    raise UserError("youtube-bad-id")
