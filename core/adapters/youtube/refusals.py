"""What YouTube says when it does not play a video, in the product's errors.

UserError        the cascade stops: `youtube-private`, `youtube-gone`, `youtube-age`, `youtube-members`,
                 `youtube-region`, `youtube-live-later`
PermanentError   `youtube-no-transcript`: this level found no captions, the next one may
TransientError   `youtube-blocked`: blocked, empty, unparsable; the next level, or a later try, may succeed
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import KonspektError, PermanentError, TransientError, UserError
from core.ingest.extraction_failures import ExtractionTimeout

BLOCKED = "blocked"
CONSENT = "consent"
_AGAINST_US = frozenset({BLOCKED, CONSENT})
# Codes of errors that say something of the address from which was asked, not of the video.

_BLOCKS = (
    "not a bot",
    "captcha",
    "unusual traffic",
    "too many requests",
    "error 429",
    "try again later",
    "likely being blocked",
)
_OLD_CLIENTS = ("on this app", "latest version of youtube", "update the app")
# The library pretends to be a program that is too old: says nothing of the video nor of our address.

_REFUSALS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("youtube-members", ("members-only", "members only", "join this channel", "requires payment", "music premium")),
    ("youtube-private", ("private",)),
    ("youtube-age", ("confirm your age", "age-restricted", "age restricted", "inappropriate for some users")),
    ("youtube-region", ("in your country", "in your region", "your location")),
    (
        "youtube-live-later",
        ("will begin", "premieres in", "live stream", "offline", "live event", "upcoming"),
    ),
    (
        "youtube-gone",
        (
            "removed",
            "terminated",
            "no longer available",
            "unavailable",
            "deleted",
            "does not exist",
            "isn't available",
            "not available",
        ),
    ),
)
# Looked for in this order in what YouTube says in English: the first that is found is meant.

_BY_STATUS = {
    "LIVE_STREAM_OFFLINE": "youtube-live-later",
    "LIVE_STREAM": "youtube-live-later",
    "AGE_CHECK_REQUIRED": "youtube-age",
    "AGE_VERIFICATION_REQUIRED": "youtube-age",
    "CONTENT_CHECK_REQUIRED": "youtube-age",
}


def blocked(code: str = BLOCKED) -> TransientError:
    """Say that this level did not get through, with a short code for operators."""
    return TransientError("youtube-blocked", {"code": code})


def counts_as_block(error: KonspektError) -> bool:
    """Say whether an error is a reason to leave its provider alone; so is an answer that never came."""
    return error.values.get("code") in _AGAINST_US or isinstance(error, ExtractionTimeout)


def no_transcript() -> PermanentError:
    """Say that this level saw the video and found no captions."""
    return PermanentError("youtube-no-transcript", {"code": "no-transcript"})


def refusal(said: str, status: str = "") -> KonspektError:
    """Turn words of YouTube (or of a library that repeats them) into an error.

    Args:
        said: Reason and details, in English, in any case.
        status: `playabilityStatus.status` where it is known.
    """
    words = said.lower().replace("’", "'")
    if any(sign in words for sign in _BLOCKS):
        return blocked()
    if any(sign in words for sign in _OLD_CLIENTS):
        return blocked("old-client")
    if status in _BY_STATUS:
        return UserError(_BY_STATUS[status])
    for text_key, signs in _REFUSALS:
        if any(sign in words for sign in signs):
            return UserError(text_key)
    return blocked("unplayable")


def check_playable(player: Mapping[str, Any]) -> None:
    """Look at an answer of YouTube's player.

    Raises:
        UserError, TransientError: As `refusal`; also for a video that is on air or has not begun.
    """
    status = player.get("playabilityStatus") or {}
    if status.get("status", "OK") != "OK":
        raise refusal(_said(status), str(status.get("status")))
    details = player.get("videoDetails") or {}
    if details.get("isLive") or details.get("isUpcoming"):
        raise UserError("youtube-live-later")


def _said(status: Mapping[str, Any]) -> str:
    """Collect reason and details."""
    screen = (status.get("errorScreen") or {}).get("playerErrorMessageRenderer") or {}
    runs = (screen.get("subreason") or {}).get("runs") or []
    details = [str(run.get("text", "")) for run in runs] + [str(message) for message in status.get("messages") or []]
    return " ".join([str(status.get("reason", "")), *details])
