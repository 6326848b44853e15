"""Captions as pairs of a second and what is said from then on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

from core.adapters.youtube.refusals import blocked, counts_as_block
from core.errors import TransientError

_SOUNDS = (
    "music|applause|laughter|laughs?|cheering|silence|foreign|inaudible|"
    "музыка|аплодисменты|смех|смеется|смеётся|тишина|неразборчиво|звук|"
    "música|musica|aplausos|risas|risos|musik|applaus|musique|applaudissements"
)
_SOUND = re.compile(rf"\[\s*♪*\s*(?:{_SOUNDS})\b[^\]]{{0,40}}\]|\(\s*(?:{_SOUNDS})\s*\)", re.I)
ECHO_S = 10.0
ECHO_WORDS = 2
# So many words, the same so soon again, were shown twice, not said twice.

_NOTES = re.compile(r"[♪♫♬]+")
_TURN = re.compile(r"(?:^|(?<=\s))>>+\s*|^[ \t]*-\s+", re.M)
# A change of speaker; as it is Markdown would take it for a quotation or a list.


@dataclass(frozen=True, slots=True)
class Cue:
    """Words, and the second at which they begin; where they end is not asked, since automatic captions overlap."""

    start_s: float
    text: str


def spoken(cues: Iterable[Cue]) -> list[Cue]:
    """Drop music, applause and what is shown twice; order by time."""
    kept: list[Cue] = []
    for cue in sorted(cues, key=lambda cue: cue.start_s):
        text = without_sounds(cue.text)
        if text and not (kept and _is_echo(kept[-1], text, cue.start_s)):
            kept.append(Cue(max(cue.start_s, 0.0), text))
    return kept


def _is_echo(last: Cue, text: str, start_s: float) -> bool:
    return text == last.text and start_s - last.start_s < ECHO_S and len(text.split()) >= ECHO_WORDS


def from_json3(body: bytes) -> list[Cue]:
    """Read YouTube's json3.

    Raises:
        TransientError: It is empty or malformed, which is how YouTube answers those it does not trust.
    """
    if not body.strip():
        raise blocked("empty-transcript")
    try:
        events = json.loads(body)["events"]
        cues = spoken(Cue(float(event.get("tStartMs", 0)) / 1000, _joined(event)) for event in events)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise blocked("unparsable") from error
    if not cues:
        raise blocked("empty-transcript")
    return cues


def _joined(event: Mapping[str, Any]) -> str:
    return "".join(str(segment.get("utf8", "")) for segment in event.get("segs") or [])


def without_sounds(text: str) -> str:
    """Drop music and applause, and what Markdown would take for its own."""
    text = _NOTES.sub(" ", _SOUND.sub(" ", unescape(text)))
    return " ".join(_TURN.sub("— ", text).split()).strip("\u200b\ufeff ")


def twice(fetch: Callable[[], list[Cue]]) -> list[Cue]:
    """Fetch, and once more when what came was empty or malformed: the second answer often is whole.

    Raises:
        TransientError: As the second try says, or the first one when it was blocked.
    """
    try:
        return fetch()
    except TransientError as error:
        if counts_as_block(error):
            raise
    return fetch()
