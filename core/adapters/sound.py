"""Make pieces that a speech endpoint takes out of any recording: to be run in a child, since codecs are often broken.

ffmpeg gets only plain containers and no protocol but `file`: a playlist in a stranger's file could make it read other
files or the network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.adapters.extractor_child import die_with_parent
from core.adapters.sound_pieces import Span, cut
from core.errors import TransientError, UserError
from core.ports.documents import Progress

RATE = 16_000
"""Samples a second: what speech models hear."""
BYTES_A_SECOND = 2 * RATE
HEADER_BYTES = 44
"""Of the plainest WAV file."""

QUIET_DB = -60.0
"""A recording whose loudest sample is below this holds no voice."""
PAUSE_S = 0.25
"""Pauses between words are shorter."""
LOUD_DB, QUIETER_DB, MOST_GAIN_DB = -3.0, -12.0, 45.0
"""A recording whose loudest sample is below the second is amplified to the first: models overhear what is quiet."""
BELOW_MEAN_DB, PAUSE_DB = 10.0, (-55.0, -30.0)
"""A pause is so much quieter than the mean, within these bounds."""

SHORT_BY_S, SHORT_BY = 5.0, 0.05
"""A recording of which less was decoded than its container says, by both, has lost its end."""

_CONTAINERS = (
    "ogg,mp3,wav,w64,flac,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,aac,amr,aiff,caf,asf,avi,mpegts,mpeg,flv,ape,ac3,au"
)
_TRUE_LENGTHS = frozenset({"mov", "matroska", "flac"})
"""Containers whose stated length is no guess."""

_VOLUME = re.compile(r"(mean|max)_volume: (-?[\d.]+|-?inf) dB")
_SILENCE = re.compile(r"silence_(start|end): (-?[\d.]+)")

Answer = tuple[float, str, str, tuple[Span, ...], Span]
"""Length, title, artist, the pieces' places and the lost end (empty: none): plain values, as a child may send them."""


@dataclass(frozen=True, slots=True)
class SplitSound:
    """The task: write `piece-000.flac`, `piece-001.flac`, … into a folder, 16 kHz, mono.

    Attributes:
        piece_s: Greatest length of a piece.
        max_s: A longer recording is refused.
        title: How the file's own tags call it, in the answer.
    """

    path: str
    folder: str
    piece_s: float
    max_s: float

    def __call__(self, progress: Progress) -> Answer:
        """Return where the pieces belong.

        Raises:
            UserError: `source-damaged`, `source-no-speech`, `source-sound-too-long` with `hours`.
        """
        length, true, title, artist = _probe(self.path)
        if true and length > self.max_s:
            raise self._too_long()
        whole = os.path.join(self.folder, "whole.wav")
        mean_db, max_db = _decode(self.path, whole, self.max_s + 1)
        duration = _seconds(whole)
        if duration > self.max_s:
            raise self._too_long()
        if max_db <= QUIET_DB:
            raise UserError("source-no-speech")
        pieces = cut(duration, _silences(whole, mean_db, duration), self.piece_s)
        for number, piece in enumerate(pieces):
            _write(whole, os.path.join(self.folder, piece_name(number)), piece, _gain(max_db))
        os.unlink(whole)
        if not pieces:
            raise UserError("source-no-speech")
        short = true and length - duration > max(SHORT_BY_S, SHORT_BY * length)
        return duration, title, artist, tuple(pieces), (duration, length) if short else (0.0, 0.0)

    def _too_long(self) -> UserError:
        return UserError("source-sound-too-long", {"hours": int(self.max_s // 3600)})


def piece_name(number: int) -> str:
    """Name the file of a piece."""
    return f"piece-{number:03}.flac"


@cache
def sound_programs() -> str:
    """Say why sound cannot be converted here; "" when it can."""
    return "" if shutil.which("ffmpeg") and shutil.which("ffprobe") else "not-installed"


def _probe(path: str) -> tuple[float, bool, str, str]:
    """Return a recording's length (0: unknown), whether that is true, its title and artist.

    Raises:
        UserError: It is no recording, or holds no sound.
    """
    shown = "format=duration,format_name:format_tags=title,artist:stream=codec_type,codec_name"
    told = _run("ffprobe", "-v", "error", *_SAFE, "-show_entries", shown, "-of", "json", "-i", f"file:{path}")
    try:
        found: dict[str, Any] = json.loads(told.stdout)
    except ValueError as error:
        raise UserError("source-damaged") from error
    if told.returncode or not found.get("streams"):
        raise UserError("source-damaged")
    if not any(one.get("codec_type") == "audio" for one in found["streams"]):
        raise UserError("source-no-speech")
    about = found.get("format", {})
    names = set(str(about.get("format_name", "")).split(","))
    tags = {name.lower(): str(value) for name, value in about.get("tags", {}).items()}
    length = _number(str(about.get("duration", "")))
    return length, bool(names & _TRUE_LENGTHS), tags.get("title", ""), tags.get("artist", "")


def _decode(path: str, whole: str, max_s: float) -> tuple[float, float]:
    """Write a recording as one WAV whose seconds are those a player shows; return its mean and its greatest volume.

    A file that breaks off in the middle is decoded up to there.

    Raises:
        UserError: Nothing of it could be decoded.
        TransientError: The disk is full.
    """
    told = _run(
        "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-v", "info", *_SAFE, "-i", f"file:{path}",
        "-map", "0:a:0", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact", "-t", f"{max_s:g}",
        "-af", f"aresample={RATE}:async=1:first_pts=0,aformat=channel_layouts=mono,volumedetect",
        "-ar", str(RATE), "-ac", "1", "-c:a", "pcm_s16le", "-f", "wav", "-y", whole,
    )  # fmt: skip
    if b"No space left on device" in told.stderr:
        raise TransientError("sound-no-space")
    if not os.path.exists(whole) or os.path.getsize(whole) <= HEADER_BYTES:
        raise UserError("source-damaged")
    volumes = {name: float(value) for name, value in _VOLUME.findall(told.stderr.decode("utf-8", "replace"))}
    return volumes.get("mean", 0.0), volumes.get("max", 0.0)


def _seconds(whole: str) -> float:
    return (os.path.getsize(whole) - HEADER_BYTES) / BYTES_A_SECOND


def _silences(whole: str, mean_db: float, duration: float) -> list[Span]:
    noise = min(max(mean_db - BELOW_MEAN_DB, PAUSE_DB[0]), PAUSE_DB[1])
    told = _run(
        "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-v", "info", "-i", whole,
        "-af", f"silencedetect=noise={noise:g}dB:d={PAUSE_S}", "-f", "null", "-",
    )  # fmt: skip
    found: list[Span] = []
    start: float | None = None
    for name, value in _SILENCE.findall(told.stderr.decode("utf-8", "replace")):
        if name == "start":
            start = max(0.0, float(value))
        elif start is not None:
            found.append((start, min(float(value), duration)))
            start = None
    return found if start is None else [*found, (start, duration)]


def _gain(max_db: float) -> float:
    return min(LOUD_DB - max_db, MOST_GAIN_DB) if max_db < QUIETER_DB else 0.0


def _write(whole: str, target: str, piece: Span, gain_db: float) -> None:
    start, end = piece
    told = _run(
        "ffmpeg", "-nostdin", "-hide_banner", "-nostats", "-v", "error", "-ss", f"{start:.4f}", "-i", whole,
        "-t", f"{end - start:.4f}", "-af", f"volume={gain_db:g}dB", "-c:a", "flac", "-f", "flac", "-y", target,
    )  # fmt: skip
    told.check_returncode()


_SAFE = ("-protocol_whitelist", "file", "-format_whitelist", _CONTAINERS)


def _run(*command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a program; the deadline of the child that this is in ends it."""
    parent = os.getpid()
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        preexec_fn=lambda: die_with_parent(parent),  # safe: this process has no other thread
    )


def _number(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


def read_piece(folder: Path, number: int) -> bytes:
    """Read a piece that the child wrote: never through a link that it may have put there."""
    with os.fdopen(os.open(folder / piece_name(number), os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        return file.read()
