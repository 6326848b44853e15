"""A YouTube on loopback, for libraries as they are.

    async with FakeYoutube() as youtube:
        youtube.add(Video(captions=(Caption("ru", ((0.0, "Здравствуйте."),)),)))
        TranscriptApi(proxy=youtube.proxy.url, ca_file=youtube.proxy.ca_file)

It answers the watch page, the player, captions as XML, json3 and srv3, playlists and sound, can be in a mood (see
`Video.moods` and `mood`), and writes down who asked for what.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

from tests.fakes.youtube_list import Playlist
from tests.fakes.youtube_proxy import Reply, Request, TlsProxy
from tests.fakes.youtube_video import BOT, GONE, Video, words

CONSENT = '<html><form action="https://consent.youtube.com/s"><input name="w"></form></html>'
CAPTCHA = '<html><form><div class="g-recaptcha" data-sitekey="x"></div></form></html>'


class FakeYoutube:
    """The server.

    Attributes:
        words_of: How often the words of each video were asked for.
        mood: Of the whole site: `""`, `consent`, `captcha`, `429`, `bot`, `hang`.
        moods: The same for one kind of request: `watch`, `player`, `words`, `sound`.
        asked: Kind and client of each request in order: `watch`, `player:ANDROID`, `words:ru`, `list`, …
    """

    def __init__(self, *, user: str = "", password: str = "") -> None:
        self.proxy = TlsProxy(self._answer, user=user, password=password)
        self.videos: dict[str, Video] = {}
        self.lists: dict[str, Playlist] = {}
        self.mood = ""
        self.moods: dict[str, str] = {}
        self.blocked_clients: set[str] = set()
        self.hanging_clients: set[str] = set()
        self.asked: list[str] = []
        self.words_of: Counter[str] = Counter()
        self.at_once = self.most_at_once = 0

    def add(self, *things: Video | Playlist) -> None:
        """Put videos and playlists up."""
        for thing in things:
            if isinstance(thing, Video):
                self.videos[thing.id] = thing
            else:
                self.lists[thing.id] = thing

    def reset(self) -> None:
        """Forget everything."""
        self.videos.clear()
        self.lists.clear()
        self.moods.clear()
        self.blocked_clients.clear()
        self.hanging_clients.clear()
        self.asked.clear()
        self.words_of.clear()
        self.mood = ""
        self.at_once = self.most_at_once = 0
        self.proxy.unknown_hosts.clear()
        self.proxy.refused_logins = 0

    def count(self, kind: str) -> int:
        """Say how often a kind of request came."""
        return sum(asked.split(":")[0] == kind for asked in self.asked)

    async def __aenter__(self) -> FakeYoutube:
        await self.proxy.__aenter__()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.proxy.__aexit__(*exception)

    async def _answer(self, request: Request) -> Reply:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._routed(request)
        finally:
            self.at_once -= 1

    async def _routed(self, request: Request) -> Reply:
        path = request.path
        if path == "/watch":
            return await self._watch(request)
        if path.endswith("/youtubei/v1/player"):
            return await self._player(request)
        if path.endswith("/youtubei/v1/next"):
            self.asked.append("next")
            video = self.videos.get(json.loads(request.body).get("videoId", ""), Video())
            return self._moody("next", video.site) or _json(video.page_data())
        if path == "/api/timedtext":
            return await self._words(request)
        if path == "/playlist":
            self.asked.append("list")
            absent = Playlist("?", alert="The playlist does not exist.")
            found = self.lists.get(request.query.get("list", ""), absent)
            return self._moody("list") or Reply(found.page().encode())
        if path.endswith("/youtubei/v1/browse"):
            return self._browse(request)
        if path == "/videoplayback":
            return await self._sound(request)
        self.asked.append(f"other:{path}")
        return Reply(b"{}", 404, "application/json")

    async def _watch(self, request: Request) -> Reply:
        self.asked.append("watch")
        await self._hang("watch")
        video = self.videos.get(request.query.get("v", ""), Video(playability=GONE))
        return self._moody("watch", video.site) or Reply(video.watch_page().encode())

    async def _player(self, request: Request) -> Reply:
        body = json.loads(request.body)
        client = body["context"]["client"]["clientName"]
        self.asked.append(f"player:{client}")
        await self._hang("player", client in self.hanging_clients)
        video = self.videos.get(body["videoId"], Video(body["videoId"], playability=GONE))
        if moody := self._moody("player", video.site):
            return moody
        if client in self.blocked_clients or "bot" in (self.mood, self.moods.get("player")):
            video = Video(video.id, playability=BOT)
        return _json(video.player(web=client in ("WEB", "MWEB")))

    async def _words(self, request: Request) -> Reply:
        query = request.query
        self.asked.append(f"words:{query['lang']}" + (":translated" if "tlang" in query else ""))
        await self._hang("words")
        video = self.videos[query["v"]]
        self.words_of[video.id] += 1
        mood = video.moods.pop(0) if video.moods else video.always
        automatic = query.get("kind") == "asr"
        found = [one for one in video.captions if (one.language, one.automatic) == (query["lang"], automatic)]
        if mood == "empty" or "exp" in query or "tlang" in query or not found:
            return Reply(b"", media_type="text/html")
        if mood == "malformed":
            return Reply(b'<?xml version="1.0"?><transcript><text start="1"', media_type="text/xml")
        if mood == "429":
            return Reply(b"", 429)
        body, media_type = words(found[0], "srv3" if mood == "srv3" else query.get("fmt", ""))
        return self._moody("words") or Reply(body, media_type=media_type)

    def _browse(self, request: Request) -> Reply:
        list_id, _, start = json.loads(request.body).get("continuation", "").partition(":")
        self.asked.append("browse")
        return _json(self.lists[list_id].more(int(start))) if list_id in self.lists else Reply(b"{}", 404)

    async def _sound(self, request: Request) -> Reply:
        self.asked.append("sound")
        await self._hang("sound")
        sound = self.videos[request.query["id"]].sound
        return Reply(sound, media_type="audio/mp4")

    def _moody(self, kind: str, site: str = "") -> Reply | None:
        mood = site or self.moods.get(kind, self.mood)
        if mood == "consent" and kind in ("watch", "list"):
            return Reply(CONSENT.encode())
        if mood == "captcha" and kind in ("watch", "list"):
            return Reply(CAPTCHA.encode())
        return Reply(b"", 429) if mood in ("429", "captcha") else None

    async def _hang(self, kind: str, always: bool = False) -> None:
        if always or "hang" in (self.mood, self.moods.get(kind)):
            await asyncio.Event().wait()


def _json(value: dict[str, Any]) -> Reply:
    return Reply(json.dumps(value).encode(), media_type="application/json; charset=UTF-8")
