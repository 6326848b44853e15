"""Which kind of source a link is, and the one address by which it is known."""

from __future__ import annotations

from dataclasses import dataclass

from core.library.web_links import canonical_page
from core.library.youtube_links import parse_youtube
from core.model.source import SourceKind


@dataclass(frozen=True, slots=True)
class Link:
    """An address to be read.

    Attributes:
        kind: `WEB`, `YOUTUBE` or `PLAYLIST`.
        url: As it was given, with a scheme.
        canonical: Equal for all addresses of the same thing: duplicates are found by it.
    """

    kind: SourceKind
    url: str
    canonical: str


def parse_link(address: str) -> Link:
    """Tell what an address leads to.

    Raises:
        UserError: `link-invalid`, or `youtube-bad-id` for a video's address without a video.
    """
    address = address.strip()
    if "://" not in address:
        address = f"https://{address}"
    video = parse_youtube(address)
    if video is not None:
        kind = SourceKind.PLAYLIST if video.is_playlist else SourceKind.YOUTUBE
        return Link(kind, address, video.canonical)
    return Link(SourceKind.WEB, address, canonical_page(address))
