"""What a speech model heard becomes a text that can be read: without what it made up, in paragraphs, with times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.model.document import TimeStart

PARAGRAPH_S = (30.0, 60.0)
"""A paragraph ends with the first sentence after the one, and at the other in any case."""
PAUSE_S = 2.0
"""So long a pause after the shorter time ends a paragraph even without a full stop."""
PARAGRAPH_CHARACTERS = 900
"""About a minute of speech, where times are not known."""

LOOP_TIMES = 3
"""Segments repeated so often in a row are a model that is stuck; people repeat themselves twice."""
LOOP_SEGMENTS = 4
"""Longest loop looked for, in segments."""
LOOP_WORDS = re.compile(r"\b(\w+)(?:\W+\1\b){6,}|\b(\w+(?:\W+\w+){1,11}?)(?:\W+\2\b){3,}", re.IGNORECASE)
"""A word seven times running ("да, да, да" stays), or a phrase four times."""

SURELY_SILENT, UNLIKELY = 0.6, -1.0
"""Whisper's own rule: probably no speech, and not sure of the words either."""

_MADE_UP = re.compile(
    r"(?:(?:субтитры|титры|перевод)\s+(?:и\s+\w+\s+)?(?:сделал|делал|создавал|создал|подготовил|подогнал|добавил)а?(?:\s+\S+){1,3}"
    r"|(?:редактор\s+субтитров|корректор)\b.*"
    r"|.*\bdimatorzok\b.*|.*\bamara\.org\b.*"
    r"|продолжение\s+следует|спасибо\s+за\s+просмотр|подписывайтесь\s+на\s+(?:мой\s+|наш\s+|этот\s+)?канал"
    r"|subtitles\s+(?:by|created)\b.*|transcription\s+by\b.*|translated\s+by\b.*"
    r"|thanks?(?:\s+you)?\s+(?:so\s+much\s+)?for\s+watching)[\s.!…]*",
    re.IGNORECASE,
)
"""What speech models learnt from subtitles and say into silence; only where it is all that was said."""

_NOISES = re.compile(
    r"[\[(*♪]+\s*(?:[\w ]*(?:музык|аплодис|смех|тишин|шум|music|applause|laughter|silence|noise|blank_audio|inaudible)"
    r"[\w ]*)\s*[\])*♪]+|[♪♫]+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…][»\"')]*$")
_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_MARKDOWN = re.compile(r"^(?:[#>|+*-]+\s+|[#>|]+)")


@dataclass(frozen=True, slots=True)
class Segment:
    """Words with their time in the recording; `start_s` None: said right after the one before."""

    start_s: float | None
    end_s: float
    text: str
    silent: float = 0.0
    likely: float = 0.0

    @property
    def key(self) -> str:
        """What two segments that say the same have in common."""
        return " ".join(re.findall(r"\w+", self.text.lower()))


def without_inventions(segments: Iterable[Segment]) -> list[Segment]:
    """Take out what nobody said: noises in brackets, subtitlers' signatures, loops, words heard in silence."""
    said: list[Segment] = []
    for segment in segments:
        text = LOOP_WORDS.sub(lambda found: found[1] or found[2], _NOISES.sub(" ", segment.text))
        text = " ".join(text.split())
        silent = segment.silent > SURELY_SILENT and segment.likely < UNLIKELY
        cleaned = replace(segment, text=text)
        if cleaned.key and not silent and not _MADE_UP.fullmatch(text):
            said.append(cleaned)
    return _without_loops(said)


def as_segments(text: str, start_s: float, end_s: float) -> list[Segment]:
    """Cut a piece's text that came without times into sentences; only the first one's time is known."""
    sentences = [one for one in _SENTENCE.split(" ".join(text.split())) if one]
    return [Segment(None if number else start_s, end_s, one) for number, one in enumerate(sentences)]


def compose(segments: Sequence[Segment]) -> tuple[str, tuple[TimeStart, ...]]:
    """Write paragraphs of 30–60 seconds; the times are those of the segments."""
    paragraphs: list[str] = []
    times: list[TimeStart] = []
    offset = 0
    for group in _paragraphs(segments):
        words = [_MARKDOWN.sub("", group[0].text), *(one.text for one in group[1:])]
        at = offset
        for segment, said in zip(group, words, strict=True):
            if segment.start_s is not None:
                times.append(TimeStart(at, round(segment.start_s, 2)))
            at += len(said) + 1
        paragraphs.append(" ".join(words))
        offset += len(paragraphs[-1]) + 2
    return "\n\n".join(paragraphs), tuple(times)


def clock(seconds: float) -> str:
    """Write a time as a player shows it: `12:30`, `1:02:03`."""
    whole = int(seconds)
    hours, minutes = divmod(whole // 60, 60)
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def _without_loops(segments: list[Segment]) -> list[Segment]:
    """Keep one round of every loop, of one to four segments."""
    kept: list[Segment] = []
    at = 0
    while at < len(segments):
        length, times = _loop(segments, at)
        kept += segments[at : at + length]
        at += length * times
    return kept


def _loop(segments: Sequence[Segment], at: int) -> tuple[int, int]:
    """Return a loop's length and how often it runs from here on; (1, 1) where there is none."""
    for length in range(1, LOOP_SEGMENTS + 1):
        first = [one.key for one in segments[at : at + length]]
        times = 1
        while [one.key for one in segments[at + length * times : at + length * (times + 1)]] == first:
            times += 1
        if times >= LOOP_TIMES:
            return length, times
    return 1, 1


def _paragraphs(segments: Sequence[Segment]) -> Iterable[list[Segment]]:
    group: list[Segment] = []
    begun = 0.0
    for segment in segments:
        if group and _ends(group, segment, begun):
            yield group
            group = []
        if not group:
            begun = segment.start_s if segment.start_s is not None else begun
        group.append(segment)
    if group:
        yield group


def _ends(group: Sequence[Segment], segment: Segment, begun: float) -> bool:
    """Say whether a paragraph that began then ends before the next segment."""
    last = group[-1]
    full_stop = bool(_SENTENCE_END.search(last.text))
    if segment.start_s is None:
        return full_stop and sum(len(one.text) for one in group) > PARAGRAPH_CHARACTERS
    lasted, pause = segment.start_s - begun, segment.start_s - last.end_s
    shortest, longest = PARAGRAPH_S
    return segment.end_s - begun > longest or (lasted >= shortest and (full_stop or pause >= PAUSE_S))
