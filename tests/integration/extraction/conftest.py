"""Everything that a test of extraction leaves behind is left in its own folder."""

import tempfile
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("left")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder
