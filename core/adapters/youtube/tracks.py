"""Which of a video's caption tracks is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Track:
    """One track of captions in the language in which it was written or recognised, never a translation by machine.

    Attributes:
        language: As YouTube names it: `ru`, `pt-BR`, `zh-Hans`.
        automatic: Recognised from the sound, which tells in what language the video is.
        handle: Whatever its library needs to fetch it: an address or an object.
    """

    language: str
    automatic: bool
    handle: Any


def choose(tracks: Sequence[Track], languages: Sequence[str]) -> Track | None:
    """Choose the track to read; None when there is none.

    The order of languages beats the kind: automatic captions in the first language win over written ones in the second.
    Within a language written ones win. When no wanted language is there, the language that is spoken is taken.

    Args:
        tracks: In YouTube's order.
        languages: Wanted ones (ISO 639-1), best first; `pt` is satisfied by `pt-BR`.
    """
    for language in [*languages, *_spoken(tracks)]:
        found = [track for track in tracks if _is(track.language, language)]
        if found:
            return min(found, key=lambda track: (track.automatic, track.language.lower() != language.lower()))
    return tracks[0] if tracks else None


def _spoken(tracks: Sequence[Track]) -> list[str]:
    return [track.language for track in tracks if track.automatic]


def _is(language: str, wanted: str) -> bool:
    """Compare the part before the region."""
    return language.lower().split("-")[0] == wanted.lower().split("-")[0]
