"""Playlists of the loopback YouTube."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from tests.fakes.youtube_video import KEY, VISITOR

PAGE = 100
"""Videos on the page; the rest comes piece by piece."""


@dataclass(frozen=True)
class Playlist:
    """A list of pairs of an id and a title; `alert`: what the page says instead."""

    id: str
    title: str = "Курс лекций"
    videos: tuple[tuple[str, str], ...] = ()
    alert: str = ""

    def page(self) -> str:
        config = {"INNERTUBE_API_KEY": KEY, "VISITOR_DATA": VISITOR}
        data = json.dumps(self._data(), ensure_ascii=False)
        scripts = f"<script>ytcfg.set({json.dumps(config)});</script><script>var ytInitialData = {data};</script>"
        return f"<html>{scripts}</html>"

    def more(self, start: int) -> dict[str, Any]:
        """The piece that begins at this video."""
        items = self._items(start)
        return {
            "responseContext": {"visitorData": VISITOR},
            "onResponseReceivedActions": [{"appendContinuationItemsAction": {"continuationItems": items}}],
        }

    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "responseContext": {"visitorData": VISITOR},
            "metadata": {"playlistMetadataRenderer": {"title": self.title}},
        }
        if self.alert:
            return data | {"alerts": [{"alertRenderer": {"type": "ERROR", "text": {"simpleText": self.alert}}}]}
        videos = {"playlistVideoListRenderer": {"contents": self._items(0), "playlistId": self.id}}
        section = {"itemSectionRenderer": {"contents": [videos]}}
        tab = {"tabRenderer": {"selected": True, "content": {"sectionListRenderer": {"contents": [section]}}}}
        count = {"runs": [{"text": f"{len(self.videos)}"}, {"text": " videos"}]}
        primary = {"playlistSidebarPrimaryInfoRenderer": {"stats": [count], "title": {"simpleText": self.title}}}
        return data | {
            "contents": {"twoColumnBrowseResultsRenderer": {"tabs": [tab]}},
            "sidebar": {"playlistSidebarRenderer": {"items": [primary]}},
        }

    def _items(self, start: int) -> list[dict[str, Any]]:
        end = start + PAGE
        items: list[dict[str, Any]] = [
            {"playlistVideoRenderer": {"videoId": id_, "title": {"runs": [{"text": title}]}, "isPlayable": True}}
            for id_, title in self.videos[start:end]
        ]
        if end < len(self.videos):
            command = {
                "continuationCommand": {"token": f"{self.id}:{end}", "request": "CONTINUATION_REQUEST_TYPE_BROWSE"}
            }
            items.append({"continuationItemRenderer": {"continuationEndpoint": command}})
        return items
