"""YouTube captions through pytubefix with the client for Android phones.

It changes state of the whole process, knows no time-outs and may start a node child: it must run in a process that is
killed. Its own `captions` are hard-wired to the client for browsers, whose addresses answer with nothing; the player's
answer for phones holds addresses that work.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.error import HTTPError

from core.adapters.youtube.cues import Cue, from_json3, twice
from core.adapters.youtube.facts import facts_of
from core.adapters.youtube.refusals import blocked, check_playable, no_transcript
from core.adapters.youtube.request import missing_library, video_of
from core.adapters.youtube.tracks import Track, choose
from core.adapters.youtube.transcript import to_document
from core.errors import KonspektError
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

SILENCE_S = 15.0
"""The longest wait for a byte."""

_NO_TOKEN = "not-needed"
# Stands where the library would put a token for downloads that it has node make: captions need none, and node takes a
# second and 200 MB. Should the library forget this attribute, it starts node again and all still works.


@dataclass(frozen=True, slots=True)
class PytubefixAndroid:
    """The third level: another client, another library.

    Attributes:
        proxy: `http://user:password@host:port` of the operator, "" to ask directly.
        ca_file: Certificates of a proxy that opens TLS, "" for the usual ones.
    """

    name: str = "pytubefix"
    deadline_s: float = 60.0
    memory_bytes: int = 900 * 2**20
    proxy: str = field(default="", repr=False)
    ca_file: str = ""

    def unavailable(self) -> str:
        """It needs its library."""
        return missing_library("pytubefix")

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the best track; to be run in a child only.

        Raises:
            UserError, PermanentError, TransientError: See `core.adapters.youtube.refusals`.
        """
        video_id = video_of(request)
        self._prepare_process()
        from pytubefix import Caption, YouTube

        proxies = {"http": self.proxy, "https": self.proxy} if self.proxy else None
        url = f"https://www.youtube.com/watch?v={video_id}"
        video = YouTube(url, client="ANDROID", proxies=proxies)
        video._pot = _NO_TOKEN
        player = _translated(lambda: video.vid_info)
        check_playable(player)
        _translated(video.check_availability)
        track = choose(_tracks(player), request.languages)
        if track is None:
            raise no_transcript()
        caption = Caption(track.handle)
        cues = twice(lambda: _fetch(caption))
        return to_document(facts_of(video_id, player, video.watch_html), cues)

    def _prepare_process(self) -> None:
        """Give this process and its node child time-outs, the proxy and its certificates."""
        socket.setdefaulttimeout(SILENCE_S)
        if self.ca_file:
            os.environ["SSL_CERT_FILE"] = os.environ["NODE_EXTRA_CA_CERTS"] = self.ca_file
        if self.proxy:
            os.environ["HTTP_PROXY"] = os.environ["HTTPS_PROXY"] = self.proxy
            os.environ["NODE_USE_ENV_PROXY"] = "1"


def _tracks(player: Mapping[str, Any]) -> list[Track]:
    """List the tracks that the player's answer names."""
    listed = (player.get("captions") or {}).get("playerCaptionsTracklistRenderer") or {}
    return [
        Track(str(track["languageCode"]), track.get("kind") == "asr", track)
        for track in listed.get("captionTracks") or []
        if track.get("baseUrl") and track.get("languageCode")
    ]


def _fetch(caption: Any) -> list[Cue]:
    return from_json3(json.dumps(_translated(lambda: caption.json_captions)).encode())


def _translated(call: Callable[[], Any]) -> Any:
    """Call the library and turn whatever it raises into an error of the product."""
    try:
        return call()
    except KonspektError:
        raise
    except HTTPError as error:
        raise blocked() if error.code in (403, 429) else blocked(f"http-{error.code}") from error
    except Exception as error:
        raise _meaning(error) from error


def _meaning(error: Exception) -> KonspektError:
    from pytubefix import exceptions

    if isinstance(error, exceptions.BotDetection):
        return blocked()
    return blocked(type(error).__name__)
