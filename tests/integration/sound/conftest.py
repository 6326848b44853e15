"""A transcription service that listens, and everything left behind in a folder of the test's own."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.transcription import FakeTranscription


@pytest.fixture(autouse=True)
def left(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go; empty again when a recording was read."""
    folder = tmp_path_factory.mktemp("left")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
async def service() -> AsyncIterator[FakeTranscription]:
    async with FakeTranscription() as server:
        yield server
