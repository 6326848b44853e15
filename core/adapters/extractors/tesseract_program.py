"""The program tesseract: which way up a picture is, and the words on it with how sure it is of each."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from core.adapters.extractor_child import die_with_parent
from core.ingest.extraction_failures import ExtractionFailed

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 300
# What tesseract is told of every picture: it is drawn or scaled to letters of this density.

LANGUAGES = "rus+eng"
# `rus` alone destroys English.

PICTURE_TIMEOUT_S = 60.0
# A page takes 1-3 s.

_ROTATE = re.compile(r"^Rotate: (\d+)$", re.M)
_SURE = re.compile(r"^Orientation confidence: ([\d.]+)$", re.M)
_LIKELY = 2.0
# tesseract's own scale; below it a wrong turn is likelier than a page that lies.

_WORD_LEVEL = "5"
# Of tesseract's rows: page, block, paragraph, line, word.


@dataclass(frozen=True, slots=True)
class Word:
    """A word where it stands, in pixels; `line` names its block, paragraph and line, `sure` is 0 to 100."""

    text: str
    sure: float
    line: tuple[int, int, int]
    left: int
    top: int
    right: int
    bottom: int


@cache
def lack() -> str:
    """Say why the program cannot be used: `not-installed`, `no-russian`, or ""; it is asked once a process."""
    try:
        listed = subprocess.run(
            ["tesseract", "--list-langs"], capture_output=True, text=True, timeout=10, check=True
        ).stdout.split()
    except (OSError, subprocess.SubprocessError):
        return "not-installed"
    return "" if {"rus", "eng"} <= set(listed) else "no-russian"


def turn_of(picture: Image) -> int:
    """Return by how many degrees clockwise the picture must be turned, 0 when tesseract is not sure."""
    try:
        told = _run(picture, "--psm", "0", "-l", "osd")
    except ExtractionFailed:  # too few characters to tell
        return 0
    turn, sure = _ROTATE.search(told), _SURE.search(told)
    return int(turn.group(1)) if turn and sure and float(sure.group(1)) >= _LIKELY else 0


def recognise(picture: Image) -> list[Word]:
    """Return the words of an upright grey picture in reading order.

    Raises:
        ExtractionFailed: The program failed, or took longer than a minute.
    """
    told = _run(picture, "--psm", "3", "-l", LANGUAGES, "tsv")
    rows = (line.split("\t") for line in told.splitlines()[1:])
    return [_word(row) for row in rows if len(row) == 12 and row[0] == _WORD_LEVEL and row[11].strip()]


def _word(row: list[str]) -> Word:
    """Read a row: level, page, block, paragraph, line, word, left, top, width, height, confidence, text."""
    block, paragraph, line = (int(value) for value in row[2:5])
    left, top, width, height = (int(value) for value in row[6:10])
    return Word(row[11].strip(), float(row[10]), (block, paragraph, line), left, top, left + width, top + height)


def _run(picture: Image, *options: str) -> str:
    buffer = BytesIO()
    picture.save(buffer, "PNG", dpi=(DPI, DPI), compress_level=1)
    parent = os.getpid()
    try:
        done = subprocess.run(
            ["tesseract", "stdin", "stdout", "--dpi", str(DPI), *options],
            input=buffer.getvalue(),
            capture_output=True,
            timeout=PICTURE_TIMEOUT_S,
            check=True,
            env=os.environ | {"OMP_THREAD_LIMIT": "1"},
            preexec_fn=lambda: die_with_parent(parent),  # safe: this process has no other thread
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise ExtractionFailed("extraction-failed", {"code": f"tesseract-{type(error).__name__}"}) from error
    return done.stdout.decode("utf-8", errors="ignore")
