"""Files: kept once by content, named by ids as Telegram names them."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from bot.sandbox.params import Upload
from bot.sandbox.world import Obj, World

FOLDERS = {
    "document": ("BQAC", "documents"), "photo": ("AgAC", "photos"), "voice": ("AwAC", "voice"),
    "audio": ("CQAC", "music"), "video": ("BAAC", "videos"), "video_note": ("DQAC", "video_notes"),
    "animation": ("CgAC", "animations"), "sticker": ("CAAC", "stickers"), "thumbnail": ("AAMC", "thumbnails"),
}  # fmt: skip
"""Kind of file to the first letters of its ids and the folder of its path."""


@dataclass(frozen=True)
class Kept:
    """A kept file."""

    file_id: str
    unique_id: str
    kind: str
    size: int
    name: str
    mime: str
    path: str
    blob: Path

    def ids(self) -> Obj:
        """Return the fields that every kind of file shows."""
        return {"file_id": self.file_id, "file_unique_id": self.unique_id, "file_size": self.size}


def _digest(*parts: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256("\0".join(parts).encode()).digest()).decode()


def keep(world: World, upload: Upload, kind: str, *, variant: str = "") -> Kept:
    """Keep a received file; the same content and kind has the same `file_unique_id`.

    Args:
        world: The emulator.
        upload: The file; its bytes move out of the uploads directory.
        kind: A key of `FOLDERS`.
        variant: Distinguishes the sizes of one picture.
    """
    blob = world.data / "files" / upload.sha
    if upload.path.exists() and upload.path != blob:
        upload.path.replace(blob)
    prefix, folder = FOLDERS[kind]
    file_id = f"{prefix}AgIAAx{_digest(kind, upload.sha, upload.name, variant)[:43]}AAzYE"
    unique_id = f"AgAD{_digest(kind, upload.sha, variant)[:11]}"
    if not world.store.row("SELECT 1 FROM files WHERE file_id = ?", file_id):
        number = world.store.next_number(f"file {folder}", 0)
        suffix = ".jpg" if kind in {"photo", "thumbnail"} else Path(upload.name).suffix.lower()
        world.store.run(
            "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?)", file_id, unique_id, kind, upload.sha, upload.size,
            upload.name, upload.mime, f"{folder}/file_{number}{suffix}",
        )  # fmt: skip
    found = find(world, file_id)
    assert found is not None
    return found


def find(world: World, file_id: str) -> Kept | None:
    """Return a kept file by its id."""
    return _one(world, "file_id", file_id)


def find_by_path(world: World, path: str) -> Kept | None:
    """Return a kept file by the path getFile gave."""
    return _one(world, "path", path)


def _one(world: World, column: str, value: str) -> Kept | None:
    row = world.store.row(f"SELECT * FROM files WHERE {column} = ?", value)
    if row is None:
        return None
    blob = world.data / "files" / row["sha"]
    return Kept(row["file_id"], row["unique_id"], row["kind"], row["size"], row["name"], row["mime"], row["path"], blob)


def on_disk(world: World, kept: Kept) -> str:
    """Put a file where a server in local mode has it, `<its directory>/<token>/<path>`, and return what it says."""
    place = world.data / "server" / world.token / kept.path
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists():
        os.link(kept.blob, place)
    return f"{world.local_as}/{world.token}/{kept.path}" if world.local_as else str(place.resolve())


def as_upload(kept: Kept) -> Upload:
    """Return a kept file as if it were received again."""
    return Upload(kept.name, kept.mime, kept.blob, kept.size, kept.blob.name)
