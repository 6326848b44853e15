"""Addresses of YouTube videos and playlists."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from urllib.parse import SplitResult, parse_qs, unquote, urljoin, urlsplit

from core.errors import UserError

_HOSTS = frozenset(
    {
        "youtube.com",
        "www.youtube.com",
        "m.youtube.com",
        "music.youtube.com",
        "gaming.youtube.com",
        "youtube-nocookie.com",
        "www.youtube-nocookie.com",
        "consent.youtube.com",
    }
)
_SHORT_HOSTS = frozenset({"youtu.be", "www.youtu.be"})
_VIDEO_PATHS = frozenset({"watch", "shorts", "live", "embed", "v", "vi", "e"})
# The first piece of a path that is followed by a video's id.

_DETOURS = {"attribution_link": "u", "redirect": "q", "m": "continue", "ml": "continue", "oembed": "url"}
# The first piece of a path whose parameter of this name holds the real address.
_MAX_DETOURS = 3

_ID = re.compile(r"[A-Za-z0-9_-]{11}\Z")
_NO_IDS = frozenset({"videoseries", "live_stream"})
# What stands in the place of an id, and has as many characters.

_LIST = re.compile(r"[A-Za-z0-9_-]{2,64}\Z")
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,4}):(\d{1,2})\Z")
_UNITS = re.compile(r"(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})(?:\.\d+)?s?)?\Z")


@dataclass(frozen=True, slots=True)
class YoutubeLink:
    """A video, or a playlist when no video is named.

    Attributes:
        video_id: 11 characters, "" for a playlist.
        playlist_id: Also set when a video is named as a part of a list.
        start_s: The second at which it shall begin, 0 where none is named.
    """

    video_id: str = ""
    playlist_id: str = ""
    start_s: int = 0

    @property
    def is_playlist(self) -> bool:
        """It names no video."""
        return not self.video_id

    @property
    def canonical(self) -> str:
        """The one address of it, without list and time."""
        if self.video_id:
            return f"https://www.youtube.com/watch?v={self.video_id}"
        return f"https://www.youtube.com/playlist?list={self.playlist_id}"


def parse_youtube(address: str) -> YoutubeLink | None:
    """Read an address; None for one that is not of YouTube, however much it looks like it.

    Raises:
        UserError: `youtube-bad-id`: it is a video's address without a video's id; `youtube-not-a-video`: it is a
            channel, a search or another page of YouTube.
    """
    return _parse(address, _MAX_DETOURS)


def _parse(address: str, detours: int) -> YoutubeLink | None:
    parts = _split(address)
    if parts is None:
        return None
    host = (parts.hostname or "").lower().rstrip(".")
    pieces = [unquote(piece) for piece in parts.path.split("/") if piece]
    if host in _SHORT_HOSTS:
        return _video(pieces[:1], parts)
    if host not in _HOSTS:
        return None
    first = pieces[0].lower() if pieces else ""
    target = _query(parts, _DETOURS[first]) if first in _DETOURS else ""
    if target and detours:
        return _parse(urljoin("https://www.youtube.com/", target), detours - 1)
    if first in _VIDEO_PATHS:
        return _video([_query(parts, "v")] if first == "watch" and len(pieces) == 1 else pieces[1:2], parts)
    if first == "playlist" and _list_id(parts):
        return YoutubeLink(playlist_id=_list_id(parts))
    raise UserError("youtube-not-a-video")


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address.strip())
        return parts if parts.scheme.lower() in ("http", "https") and parts.hostname else None
    except ValueError:  # brackets that hold no address
        return None


def _video(found: list[str], parts: SplitResult) -> YoutubeLink:
    """Make a link of what stands where the id should be.

    Raises:
        UserError: `youtube-bad-id`.
    """
    named = re.split("[?&#=]", found[0], maxsplit=1)[0] if found else ""  # a second ? where & was meant
    link = YoutubeLink(playlist_id=_list_id(parts))
    if _ID.match(named) and named not in _NO_IDS:
        return replace(link, video_id=named, start_s=_start(parts))
    if link.playlist_id and named in ("", *_NO_IDS):
        return link
    raise UserError("youtube-bad-id")


def _query(parts: SplitResult, name: str) -> str:
    return parse_qs(parts.query).get(name, [""])[0]


def _list_id(parts: SplitResult) -> str:
    named = _query(parts, "list")
    return named if _LIST.match(named) else ""


def _start(parts: SplitResult) -> int:
    """Find the second at which the video shall begin."""
    for query in (parts.query, parts.fragment):
        for name in ("t", "start", "time_continue"):
            for value in parse_qs(query).get(name, []):
                return _seconds(value.strip().lower())
    return 0


def _seconds(written: str) -> int:
    """Read `90`, `90s`, `1m30s`, `1:30`; 0 for anything else."""
    found = _CLOCK.match(written) or _UNITS.match(written)
    if found is None:
        return 0
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds
