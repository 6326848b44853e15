"""What a message shows of a file: document, photo, voice, audio, video."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.sandbox import files
from bot.sandbox.files import Kept
from bot.sandbox.media_info import MediaInfo, probe
from bot.sandbox.params import Upload, whole_number
from bot.sandbox.world import Obj, World

SMALL_SIDE = 320
"""Longest side, pixels, of a photo's small size."""


def content(world: World, kind: str, upload: Upload, given: Obj | None = None) -> Obj:
    """Keep a file and return the message fields that show it.

    Args:
        world: The emulator.
        kind: `document`, `photo`, `voice`, `audio`, `video`, `video_note` or `animation`.
        upload: The file.
        given: What the sender says of it: `duration`, `width`, `height`, `title`, `performer`.
    """
    info = probe(upload.path)
    if kind == "photo":
        return {"photo": _photo(world, upload, info)}
    kept = files.keep(world, upload, kind)
    shown = _BUILDERS[kind](kept, info, given or {}) | kept.ids()
    if kind == "animation":
        return {"animation": shown, "document": _document(kept, info, {}) | kept.ids()}
    return {kind: shown}


def _photo(world: World, upload: Upload, info: MediaInfo) -> list[Obj]:
    width, height = info.width or 800, info.height or 600
    scale = SMALL_SIDE / max(width, height)
    sizes = [("m", round(width * scale) or 1, round(height * scale) or 1)] if scale < 1 else []
    sizes.append(("x", width, height))
    return [
        files.keep(world, upload, "photo", variant=variant).ids() | {"width": wide, "height": high}
        for variant, wide, high in sizes
    ]


def _named(kept: Kept) -> Obj:
    return {"file_name": kept.name} if kept.name else {}


def _document(kept: Kept, info: MediaInfo, given: Obj) -> Obj:
    return {**_named(kept), "mime_type": kept.mime}


def _voice(kept: Kept, info: MediaInfo, given: Obj) -> Obj:
    mime = kept.mime if kept.mime.startswith("audio/") else "audio/ogg"
    return {"duration": _duration(info, given), "mime_type": mime}


def _audio(kept: Kept, info: MediaInfo, given: Obj) -> Obj:
    tags = {key: str(given[key]) for key in ("performer", "title") if given.get(key)}
    return {"duration": _duration(info, given), **_named(kept), "mime_type": kept.mime, **tags}


def _video(kept: Kept, info: MediaInfo, given: Obj) -> Obj:
    size = {side: _number(given.get(side)) or getattr(info, side) or 0 for side in ("width", "height")}
    return {"duration": _duration(info, given), **size, **_named(kept), "mime_type": kept.mime}


def _video_note(kept: Kept, info: MediaInfo, given: Obj) -> Obj:
    return {"length": _number(given.get("length")) or info.width or 240, "duration": _duration(info, given)}


_BUILDERS: dict[str, Callable[[Kept, MediaInfo, Obj], Obj]] = {
    "document": _document, "voice": _voice, "audio": _audio, "video": _video, "video_note": _video_note,
    "animation": _video,
}  # fmt: skip


def _duration(info: MediaInfo, given: Obj) -> int:
    return _number(given.get("duration")) or round(info.duration_s)


def _number(value: Any) -> int:
    return max(whole_number(value), 0)
