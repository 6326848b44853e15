"""What the loopback YouTube knows of a video, and how it answers for it."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from typing import Any

KEY = "AIzaFakeKeyOfTheLoopback"
VISITOR = "CgtGYWtlVmlzaXRvcg%3D%3D"

BOT = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm you’re not a bot"}
PRIVATE = {
    "status": "LOGIN_REQUIRED",
    "reason": "Private video",
    "messages": ["This is a private video. Please sign in."],
}
REMOVED = {"status": "ERROR", "reason": "This video has been removed by the uploader"}
GONE = {"status": "ERROR", "reason": "This video is unavailable"}
AGE = {"status": "LOGIN_REQUIRED", "reason": "Sign in to confirm your age"}
AGE_OLD = {"status": "LOGIN_REQUIRED", "reason": "This video may be inappropriate for some users."}
MEMBERS = {
    "status": "UNPLAYABLE",
    "reason": "Join this channel to get access to members-only content like this video, and other exclusive perks.",
}
GEO = {
    "status": "UNPLAYABLE",
    "reason": "Video unavailable",
    "errorScreen": {
        "playerErrorMessageRenderer": {
            "subreason": {"runs": [{"text": "The uploader has not made this video available in your country"}]},
            "reason": {"simpleText": "Video unavailable"},
        }
    },
}
OLD_CLIENT = {
    "status": "ERROR",
    "reason": "The following content is not available on this app. Watch on the latest version of YouTube.",
}
UPCOMING = {"status": "LIVE_STREAM_OFFLINE", "reason": "This live event will begin in 2 hours."}


@dataclass(frozen=True)
class Caption:
    """One track; `cues` are pairs of a second and words."""

    language: str
    cues: tuple[tuple[float, str], ...]
    automatic: bool = False

    @property
    def id(self) -> str:
        return ("a." if self.automatic else ".") + self.language


@dataclass
class Video:
    """A video and its moods.

    Attributes:
        playability: The player's status; None: it plays.
        translations: Languages into which YouTube would translate by machine.
        moods: How the next requests for words are answered, one each: `empty`, `malformed`, `srv3`, `429`; then well.
        always: The mood of all requests for words.
        site: The mood of the page and the player: `consent`, `captcha`, `429`.
    """

    id: str = "dQw4w9WgXcQ"
    title: str = "Лекция 1: кассовый разрыв"
    channel: str = "Экономика для всех"
    published: str = "2024-03-01T07:00:00-08:00"
    description: str = ""
    captions: tuple[Caption, ...] = ()
    playability: dict[str, Any] | None = None
    chapters: tuple[tuple[float, str], ...] = ()
    translations: tuple[str, ...] = ()
    is_live: bool = False
    is_upcoming: bool = False
    moods: list[str] = field(default_factory=list)
    always: str = ""
    site: str = ""
    sound: bytes = b""

    def details(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "videoId": self.id,
            "title": self.title,
            "author": self.channel,
            "channelId": "UCaaaaaaaaaaaaaaaaaaaaaa",
            "lengthSeconds": "600",
            "shortDescription": self.description,
        }
        if self.is_live:
            values |= {"isLive": True, "isLiveContent": True}
        if self.is_upcoming:
            values |= {"isUpcoming": True, "isLiveContent": True}
        return values

    def player(self, *, web: bool) -> dict[str, Any]:
        """The answer of the player; the one for browsers knows the date, and its words come out empty."""
        status = self.playability or {"status": "OK"}
        params = [{"key": "visitor_data", "value": VISITOR}]
        answer: dict[str, Any] = {
            "responseContext": {"visitorData": VISITOR, "serviceTrackingParams": [{"params": params}]},
            "playabilityStatus": status,
        }
        if self.playability is None or self.playability["status"] == "LIVE_STREAM_OFFLINE":
            answer["videoDetails"] = self.details()
        if self.playability is None:
            answer["streamingData"] = {"adaptiveFormats": self._formats()}
            if self.captions:
                answer["captions"] = {"playerCaptionsTracklistRenderer": self._tracklist(web=web)}
        if web:
            renderer = {"publishDate": self.published, "uploadDate": self.published, "ownerChannelName": self.channel}
            answer["microformat"] = {"playerMicroformatRenderer": renderer}
        return answer

    def _formats(self) -> list[dict[str, Any]]:
        return [
            {
                "itag": 140,
                "url": f"https://rr1---sn-fake.googlevideo.com/videoplayback?id={self.id}&itag=140",
                "mimeType": 'audio/mp4; codecs="mp4a.40.2"',
                "bitrate": 128000,
                "contentLength": str(len(self.sound)),
                "audioQuality": "AUDIO_QUALITY_MEDIUM",
                "audioSampleRate": "44100",
                "approxDurationMs": "600000",
            }
        ]

    def _tracklist(self, *, web: bool) -> dict[str, Any]:
        tracks = [self._track(caption, web=web) for caption in self.captions]
        languages = [{"languageCode": code, "languageName": _text(code.upper())} for code in self.translations]
        return {"captionTracks": tracks, "translationLanguages": languages}

    def _track(self, caption: Caption, *, web: bool) -> dict[str, Any]:
        kind = "&kind=asr" if caption.automatic else ""
        pot = "&exp=xpe" if web else ""
        address = f"https://www.youtube.com/api/timedtext?v={self.id}&lang={caption.language}{kind}{pot}"
        track: dict[str, Any] = {
            "baseUrl": address if web else f"{address}&fmt=srv3",
            "name": _text(caption.language.upper()),
            "vssId": caption.id,
            "languageCode": caption.language,
            "isTranslatable": True,
        }
        return track | ({"kind": "asr"} if caption.automatic else {})

    def watch_page(self) -> str:
        """The page, as browsers get it."""
        config = {"INNERTUBE_API_KEY": KEY, "VISITOR_DATA": VISITOR, "INNERTUBE_CONTEXT_CLIENT_VERSION": "2.20260101"}
        return (
            f"<html><head><title>{html.escape(self.title)} - YouTube</title>"
            f"<script>ytcfg.set({json.dumps(config)});</script></head><body>"
            f"<script>var ytInitialPlayerResponse = {json.dumps(self.player(web=True), ensure_ascii=False)};</script>"
            f"<script>var ytInitialData = {json.dumps(self.page_data(), ensure_ascii=False)};</script></body></html>"
        )

    def page_data(self) -> dict[str, Any]:
        """What the page shows around the player."""
        owner = {"videoOwnerRenderer": {"title": _text(self.channel)}}
        contents = [
            {"videoPrimaryInfoRenderer": {"title": _text(self.title)}},
            {"videoSecondaryInfoRenderer": {"owner": owner}},
        ]
        chapters = [
            {"chapterRenderer": {"title": {"simpleText": title}, "timeRangeStartMillis": int(start * 1000)}}
            for start, title in self.chapters
        ]
        markers = [{"key": "DESCRIPTION_CHAPTERS", "value": {"chapters": chapters}}] if chapters else []
        bar = {"multiMarkersPlayerBarRenderer": {"markersMap": markers}}
        return {
            "responseContext": {
                "serviceTrackingParams": [{"params": [{"key": "visitor_data", "value": VISITOR}]}],
            },
            "contents": {"twoColumnWatchNextResults": {"results": {"results": {"contents": contents}}}},
            "engagementPanels": [{"engagementPanelSectionListRenderer": {"content": self._chapter_panel()}}],
            "playerOverlays": {
                "playerOverlayRenderer": {
                    "decoratedPlayerBarRenderer": {"decoratedPlayerBarRenderer": {"playerBar": bar}}
                }
            },
        }

    def _chapter_panel(self) -> dict[str, Any]:
        items = [
            {
                "macroMarkersListItemRenderer": {
                    "title": {"simpleText": title},
                    "timeDescription": {"simpleText": f"{int(start) // 60}:{int(start) % 60:02}"},
                }
            }
            for start, title in self.chapters
        ]
        return {"macroMarkersListRenderer": {"contents": items}}


def words(caption: Caption, form: str) -> tuple[bytes, str]:
    """Write a track in one of YouTube's formats: `json3`, `srv3` or its old XML."""
    if form == "json3":
        events = [
            {"tStartMs": int(start * 1000), "dDurationMs": 6000, "segs": [{"utf8": text}]}
            for start, text in caption.cues
        ]
        return json.dumps({"wireMagic": "pb3", "events": events}).encode(), "application/json; charset=UTF-8"
    if form == "srv3":
        lines = "".join(f'<p t="{int(s * 1000)}" d="6000"><s>{html.escape(t)}</s></p>' for s, t in caption.cues)
        body = f'<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><body>{lines}</body></timedtext>'
    else:
        lines = "".join(f'<text start="{s}" dur="6">{html.escape(html.escape(t))}</text>' for s, t in caption.cues)
        body = f'<?xml version="1.0" encoding="utf-8" ?><transcript>{lines}</transcript>'
    return body.encode(), "text/xml; charset=UTF-8"


def _text(words: str) -> dict[str, Any]:
    return {"runs": [{"text": words}], "simpleText": words}
