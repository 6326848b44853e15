"""What a video says of itself: from the player's answer and the watch page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.model.source import About

_STAMP = re.compile(r"^\W{0,3}(?:(\d{1,2}):)?(\d{1,3}):(\d{2})\b[\s\-–—:.)\]|]*(\S.*)$", re.M)
_LEAST_CHAPTERS = 3
# YouTube takes the times in a description for chapters when there are so many, the first one at 0:00, ascending.


@dataclass(frozen=True, slots=True)
class Chapter:
    """A named part of a video, from this second on."""

    start_s: float
    title: str


@dataclass(frozen=True, slots=True)
class VideoFacts:
    """What is known of a video beside its words; everything but the id may be missing."""

    video_id: str
    title: str = ""
    channel: str = ""
    published: str = ""
    chapters: tuple[Chapter, ...] = ()

    @property
    def about(self) -> About:
        """The same in the product's terms."""
        url = f"https://www.youtube.com/watch?v={self.video_id}"
        return About(author=self.channel, published=self.published, site="YouTube", url=url)


def facts_of(video_id: str, player: Mapping[str, Any], page: str = "") -> VideoFacts:
    """Collect the facts.

    Args:
        player: The player's answer; the one for phones knows no date.
        page: HTML of the watch page, "" where none was got.
    """
    initial = embedded_json(page, "ytInitialPlayerResponse")
    details = {**_dict(initial.get("videoDetails")), **_dict(player.get("videoDetails"))}
    micro = _dict(_dict((initial or player).get("microformat")).get("playerMicroformatRenderer"))
    return VideoFacts(
        video_id,
        title=str(details.get("title") or ""),
        channel=str(details.get("author") or micro.get("ownerChannelName") or ""),
        published=str(micro.get("publishDate") or micro.get("uploadDate") or "")[:10],
        chapters=_marked(embedded_json(page, "ytInitialData"))
        or chapters_of_description(str(details.get("shortDescription") or "")),
    )


def embedded_json(page: str, name: str) -> dict[str, Any]:
    """Read the object that a script of a page assigns to a name; empty when it is not there."""
    found = re.search(rf"{name}[\"']?\]?\s*=\s*(?=\{{)", page)
    if found is None:
        return {}
    try:
        value, _ = json.JSONDecoder().raw_decode(page, found.end())
    except ValueError:
        return {}
    return _dict(value)


def chapters_of_description(description: str) -> tuple[Chapter, ...]:
    """Read `0:00 Title` lines as YouTube does; empty unless they form chapters."""
    found = [
        Chapter(int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds), title.strip())
        for hours, minutes, seconds, title in _STAMP.findall(description)
    ]
    starts = [chapter.start_s for chapter in found]
    if len(found) < _LEAST_CHAPTERS or starts[0] != 0 or starts != sorted(set(starts)):
        return ()
    return tuple(found)


def _marked(data: Mapping[str, Any]) -> tuple[Chapter, ...]:
    """Read the chapters that the player's bar shows."""
    overlay = _dict(_dict(data.get("playerOverlays")).get("playerOverlayRenderer"))
    bar = _dict(_dict(overlay.get("decoratedPlayerBarRenderer")).get("decoratedPlayerBarRenderer"))
    markers = _dict(_dict(bar.get("playerBar")).get("multiMarkersPlayerBarRenderer")).get("markersMap") or []
    for marker in markers:
        chapters = _dict(_dict(marker).get("value")).get("chapters") or []
        if found := tuple(_chapter(_dict(_dict(item).get("chapterRenderer"))) for item in chapters):
            return found
    return ()


def _chapter(renderer: Mapping[str, Any]) -> Chapter:
    title = str(_dict(renderer.get("title")).get("simpleText") or "")
    return Chapter(float(renderer.get("timeRangeStartMillis") or 0) / 1000, title)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
