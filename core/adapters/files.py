"""Originals on a disk that all processes share."""

import asyncio
import os
import shutil
from collections.abc import Iterable
from pathlib import Path


class DiskBlobs:
    """Files below one folder, by key; see `core.ports.BlobStore`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    async def put_file(self, key: str, path: Path) -> None:
        """Store a copy: written beside its place first, so that a half-written file is never seen."""
        await asyncio.to_thread(_place, path, self.path(key))

    def path(self, key: str) -> Path:
        """Say where a key's bytes are; keys are ours and never hold a person's words."""
        path = (self._folder / key).resolve()
        if not path.is_relative_to(self._folder):
            raise ValueError(key)
        return path

    async def delete(self, keys: Iterable[str]) -> None:
        """Remove keys; unknown ones are fine."""
        await asyncio.to_thread(_remove, [self.path(key) for key in keys])


def _place(origin: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{target.name}.{os.getpid()}.part")
    shutil.copyfile(origin, beside)
    beside.replace(target)


def _remove(paths: list[Path]) -> None:
    for path in paths:
        path.unlink(missing_ok=True)
