"""YouTube captions through yt-dlp: several clients, and kept up best."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from core.adapters.youtube.cues import Cue, from_json3, twice
from core.adapters.youtube.facts import Chapter, VideoFacts
from core.adapters.youtube.refusals import BLOCKED, blocked, no_transcript, refusal
from core.adapters.youtube.request import missing_library, video_of
from core.adapters.youtube.tracks import Track, choose
from core.adapters.youtube.transcript import to_document
from core.errors import KonspektError, UserError
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress

SILENCE_S = 15.0
"""The longest wait for a byte."""

CLIENTS = ("visionos", "android_vr", "web")
"""Asked in this order; none of them needs a JavaScript engine for captions."""

_NOT_THERE = ("unable to download", "http error", "timed out", "failed to", "po token")
# In a warning: the library did not see everything, so that it proves nothing when it found no captions.


@dataclass(frozen=True, slots=True)
class YtDlp:
    """The second level.

    Attributes:
        proxy: `http://user:password@host:port` of the operator, "" to ask directly.
        ca_file: Certificates of a proxy that opens TLS, "" for the usual ones.
    """

    name: str = "yt-dlp"
    deadline_s: float = 60.0
    memory_bytes: int = 600 * 2**20
    proxy: str = field(default="", repr=False)
    ca_file: str = ""

    def unavailable(self) -> str:
        """It needs its library."""
        return missing_library("yt_dlp")

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the best track; to be run in a child only.

        Raises:
            UserError, PermanentError, TransientError: See `core.adapters.youtube.refusals`.
        """
        video_id = video_of(request)
        said = Said()
        with open_ytdlp(self.proxy, self.ca_file, said) as library:
            info = translated(lambda: _info(library, video_id), said)
            track = choose(_tracks(info), request.languages)
            if track is None:
                raise _no_track(info, said)
            cues = twice(lambda: _fetch(library, track.handle))
        return to_document(facts_of_info(video_id, info), cues)


class Said:
    """What the library would print."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def debug(self, _: str) -> None:
        """Progress, of no interest."""

    def warning(self, line: str) -> None:
        """Keep it: with no formats wanted, refusals come as warnings."""
        self.lines.append(line)

    error = warning


def open_ytdlp(proxy: str, ca_file: str, said: Said, **options: object) -> Any:
    """Open the library for YouTube alone, with time-outs, in the operator's proxy, without files of its own.

    Args:
        options: More of its options.
    """
    import os

    from yt_dlp import YoutubeDL
    from yt_dlp.extractor.youtube import YoutubeIE, YoutubePlaylistIE, YoutubeTabIE

    if ca_file:
        os.environ["SSL_CERT_FILE"] = ca_file
    parameters = {
        "logger": said,
        "proxy": proxy or None,
        "compat_opts": {"no-certifi", "no-youtube-unavailable-videos"},
        "socket_timeout": SILENCE_S,
        "extractor_retries": 1,
        "cachedir": False,
        "ignore_no_formats_error": True,
        "noprogress": True,
        "extractor_args": {"youtube": {"player_client": list(CLIENTS), "player_skip": ["js", "configs"]}},
        **options,
    }
    library = YoutubeDL(parameters, auto_init=False)
    for extractor in (YoutubeIE, YoutubePlaylistIE, YoutubeTabIE):
        library.add_info_extractor(extractor())
    return library


def translated(call: Callable[[], Any], said: Said, *, about_list: bool = False) -> Any:
    """Call the library and turn whatever it raises into an error of the product.

    Args:
        about_list: It was asked about a playlist: whatever it is refused for, the list cannot be read.
    """
    try:
        return call()
    except KonspektError:
        raise
    except Exception as error:
        meant = refusal(f"{error} {' '.join(said.lines)}")
        if about_list and isinstance(meant, UserError):
            raise UserError("youtube-list-private") from error
        raise meant if _is_told(meant) else blocked(type(error).__name__) from error


def _is_told(error: KonspektError) -> bool:
    return isinstance(error, UserError) or error.values.get("code") == BLOCKED


def _info(library: Any, video_id: str) -> dict[str, Any]:
    info = library.extract_info(f"https://www.youtube.com/watch?v={video_id}", download=False, process=False)
    if info.get("live_status") in ("is_live", "is_upcoming"):
        raise UserError("youtube-live-later")
    return dict(info)


def _tracks(info: Mapping[str, Any]) -> list[Track]:
    """List the tracks that are no translations, written ones first."""
    found = []
    for name, automatic in (("subtitles", False), ("automatic_captions", True)):
        for language, forms in (info.get(name) or {}).items():
            address = next((form["url"] for form in forms if form.get("ext") == "json3" and form.get("url")), "")
            if address and "tlang" not in parse_qs(urlsplit(address).query):
                found.append(Track(language.removesuffix("-orig"), automatic, address))
    return found


def _no_track(info: Mapping[str, Any], said: Said) -> KonspektError:
    """Say why there is no track: the video is refused, or was not seen whole, or has none."""
    lines = " ".join(said.lines)
    if not any(form.get("vcodec") or form.get("acodec") for form in info.get("formats") or []):
        meant = refusal(lines)
        if _is_told(meant):
            return meant
    return blocked("incomplete") if any(sign in lines.lower() for sign in _NOT_THERE) else no_transcript()


def _fetch(library: Any, address: str) -> list[Cue]:
    from yt_dlp.networking import Request
    from yt_dlp.networking.exceptions import HTTPError

    try:
        body: bytes = library.urlopen(Request(address)).read()
    except HTTPError as error:
        raise blocked() if error.status in (403, 429) else blocked(f"http-{error.status}") from error
    except Exception as error:
        raise blocked(type(error).__name__) from error
    return from_json3(body)


def facts_of_info(video_id: str, info: Mapping[str, Any]) -> VideoFacts:
    """Read the facts from the library's own names for them."""
    day = str(info.get("upload_date") or "")
    return VideoFacts(
        video_id,
        title=str(info.get("title") or ""),
        channel=str(info.get("channel") or info.get("uploader") or ""),
        published=f"{day[:4]}-{day[4:6]}-{day[6:8]}" if len(day) == 8 else "",
        chapters=tuple(
            Chapter(float(chapter.get("start_time") or 0), str(chapter.get("title") or ""))
            for chapter in info.get("chapters") or []
        ),
    )
