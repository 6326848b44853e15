"""The video that a request is about, and the way out to it."""

from __future__ import annotations

import hashlib
import importlib.util
from urllib.parse import urlsplit

from core.errors import UserError
from core.library.youtube_links import parse_youtube
from core.ports.documents import ExtractionRequest


def video_of(request: ExtractionRequest) -> str:
    """Return the id of the video.

    Raises:
        UserError: `youtube-bad-id`, `youtube-not-a-video`.
    """
    link = parse_youtube(request.url)
    if link is None or link.is_playlist:
        raise UserError("youtube-not-a-video")
    return link.video_id


def address_name(proxy: str) -> str:
    """Name the address from which is asked, for keys and logs: holds neither host nor password."""
    if not proxy:
        return "direct"
    parts = urlsplit(proxy)
    return hashlib.sha256(f"{parts.username}@{parts.hostname}:{parts.port}".encode()).hexdigest()[:12]


def missing_library(name: str) -> str:
    """Say `not-installed` of a library that is not; "" otherwise. Loads nothing."""
    return "" if importlib.util.find_spec(name) else "not-installed"
