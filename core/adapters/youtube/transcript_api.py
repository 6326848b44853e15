"""YouTube captions through youtube-transcript-api: three small requests, no JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.adapters.youtube.cues import Cue, spoken, twice
from core.adapters.youtube.facts import facts_of
from core.adapters.youtube.refusals import CONSENT, blocked, check_playable, no_transcript, refusal
from core.adapters.youtube.request import missing_library, video_of
from core.adapters.youtube.tracks import Track, choose
from core.adapters.youtube.transcript import to_document
from core.errors import KonspektError, UserError
from core.model.document import Document
from core.ports.documents import ExtractionRequest, Progress


@dataclass(frozen=True, slots=True)
class TranscriptApi:
    """The first level: light, and usually enough.

    Attributes:
        proxy: `http://user:password@host:port` of the operator, "" to ask directly.
        ca_file: Certificates of a proxy that opens TLS, "" for the usual ones.
    """

    name: str = "youtube-transcript-api"
    deadline_s: float = 40.0
    memory_bytes: int = 400 * 2**20
    proxy: str = field(default="", repr=False)
    ca_file: str = ""

    def unavailable(self) -> str:
        """It needs its library."""
        return missing_library("youtube_transcript_api")

    def extract(self, request: ExtractionRequest, progress: Progress) -> Document:
        """Read the best track.

        Raises:
            UserError, PermanentError, TransientError: See `core.adapters.youtube.refusals`.
        """
        from youtube_transcript_api import YouTubeTranscriptApi

        from core.adapters.youtube.session import open_session

        video_id = video_of(request)
        session, seen = open_session(self.proxy, self.ca_file)
        api = YouTubeTranscriptApi(http_client=session)
        listed = _translated(lambda: list(api.list(video_id)), seen.player)
        check_playable(seen.player())
        track = choose([Track(one.language_code, one.is_generated, one) for one in listed], request.languages)
        if track is None:
            raise no_transcript()
        cues = twice(lambda: _fetch(track.handle))
        return to_document(facts_of(video_id, seen.player(), seen.page), cues)


def _fetch(transcript: Any) -> list[Cue]:
    """Fetch a track; a body in another format than asked for gives no snippets and no error: a failure."""
    snippets = _translated(transcript.fetch, dict)
    cues = spoken(Cue(snippet.start, snippet.text) for snippet in snippets)
    if not cues:
        raise blocked("empty-transcript")
    return cues


def _translated(call: Callable[[], Any], player: Callable[[], dict[str, Any]]) -> Any:
    """Call the library and turn whatever it raises into an error of the product.

    It leaks its parsers' and its HTTP client's errors, so everything is caught; the player's own words, where they were
    received, tell more than the library's exception.
    """
    try:
        return call()
    except Exception as error:
        check_playable(player())
        raise _meaning(error) from error


def _meaning(error: Exception) -> KonspektError:
    import youtube_transcript_api as api

    known: tuple[tuple[type[Exception], Callable[[], KonspektError]], ...] = (
        (api.RequestBlocked, blocked),  # IpBlocked too
        (api.FailedToCreateConsentCookie, lambda: blocked(CONSENT)),
        (api.PoTokenRequired, lambda: blocked("po-token")),
        (api.AgeRestricted, lambda: UserError("youtube-age")),
        (api.VideoUnavailable, lambda: UserError("youtube-gone")),
        (api.VideoUnplayable, lambda: refusal(str(getattr(error, "reason", "")))),
        (api.TranscriptsDisabled, no_transcript),
        (api.NoTranscriptFound, no_transcript),
    )
    for kind, meaning in known:
        if isinstance(error, kind):
            return meaning()
    return blocked(type(error).__name__)
