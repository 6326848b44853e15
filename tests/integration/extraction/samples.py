"""Where the measured sample files are, or an honest skip."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FOLDER = Path(os.environ.get("SAMPLES_DIR") or ROOT.parent / "shared" / "samples")
LECTURE = ROOT / "tests" / "data" / "ru_lecture.pdf"


def sample(name: str) -> Path:
    """Return a sample file, or skip the test that asks for it."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"the sample {name} is absent: set SAMPLES_DIR")
    return path


def truth(name: str) -> str:
    """Return the text that a sample holds."""
    return sample(name).read_text("utf-8-sig")
