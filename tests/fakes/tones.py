"""Speech for machines: a word is a tone of a frequency of its own, played here and heard again from any encoding."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

RATE = 16_000
_WORDS = """
    берег ветер город дождь ежевика журавль зима иней камень ледник море небо озеро парус река снег трава утро
    фонарь холм цветок чайка шторм щука эхо юг якорь аист буря волна гора дерево ель жара закат искра
"""
WORDS = tuple(_WORDS.split())
LOWEST_HZ, STEP_HZ = 300.0, 60.0
WINDOW = RATE // 20
LOUD = 0.02

Samples = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Heard:
    """A word and when it was said."""

    word: str
    start_s: float
    end_s: float


def tone(word: str, seconds: float, *, volume: float = 0.4) -> Samples:
    """Say a word."""
    at = np.arange(round(seconds * RATE)) / RATE
    wave = volume * np.sin(2 * np.pi * (LOWEST_HZ + STEP_HZ * WORDS.index(word)) * at)
    return np.asarray(wave, dtype=np.float32)


def silence(seconds: float) -> Samples:
    """Say nothing."""
    return np.zeros(round(seconds * RATE), dtype=np.float32)


def speech(words: Sequence[str], word_s: float = 0.6, pause_s: float = 0.4) -> Samples:
    """Say words with pauses between them; word `n` begins at `n * (word_s + pause_s)`."""
    return np.concatenate([part for word in words for part in (tone(word, word_s), silence(pause_s))])


def write(samples: Samples, path: Path, *options: str) -> Path:
    """Encode sound by the ending of the file's name; `options` are ffmpeg's, before the output."""
    source = ("-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", "-")
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", *source, *options, "-y", str(path)],
        input=samples.tobytes(), check=True, timeout=120, capture_output=True,
    )  # fmt: skip
    return path


def listen(sound: bytes) -> tuple[tuple[Heard, ...], float]:
    """Decode a file and hear its words; returns its length too (0 for what is no sound)."""
    command = ["ffmpeg", "-v", "error", "-i", "-", "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-"]
    pcm = subprocess.run(command, input=sound, capture_output=True, check=False, timeout=120).stdout
    samples = np.frombuffer(pcm[: len(pcm) // 4 * 4], dtype=np.float32)
    return tuple(_runs(_windows(samples))), len(samples) / RATE


def _windows(samples: Samples) -> list[str]:
    """Name the word of each twentieth of a second, "" for silence."""
    whole = samples[: len(samples) // WINDOW * WINDOW].reshape(-1, WINDOW)
    loud = np.sqrt((whole**2).mean(axis=1)) > LOUD
    strongest = np.abs(np.fft.rfft(whole * np.hanning(WINDOW), axis=1)).argmax(axis=1) * RATE / WINDOW
    places = np.clip(np.rint((strongest - LOWEST_HZ) / STEP_HZ).astype(int), 0, len(WORDS) - 1)
    return [WORDS[place] if is_loud else "" for place, is_loud in zip(places, loud, strict=True)]


def _runs(names: list[str]) -> list[Heard]:
    found: list[Heard] = []
    start = 0
    for at in range(1, len(names) + 1):
        if at == len(names) or names[at] != names[start]:
            if names[start] and at - start > 1:  # one window alone is an edge
                found.append(Heard(names[start], start * WINDOW / RATE, at * WINDOW / RATE))
            start = at
    return found
