"""What a person's client makes of a text or of files: one message or several."""

from __future__ import annotations

from bot.sandbox import media
from bot.sandbox.bot_api.media import album_id
from bot.sandbox.cleaning import clean
from bot.sandbox.entities import read_entities
from bot.sandbox.errors import SandboxError
from bot.sandbox.limits import ALBUM_MAX, CAPTION_MAX, TEXT_MAX
from bot.sandbox.params import Params, Upload
from bot.sandbox.world import Obj, World

FILE_KINDS = frozenset({"document", "photo", "voice", "audio", "video", "video_note", "animation"})


def contents_of(world: World, params: Params) -> list[Obj]:
    """Return the fields of each message that a person sends.

    Raises:
        SandboxError: There is neither a text nor a file, or a caption is too long.
    """
    uploads = [upload for _, upload in params.files]
    if uploads:
        return _files(world, params, uploads)
    marks = read_entities(params.json("entities", "entities"))
    parts = [params.text("text")] if marks else split(params.text("text"))
    contents = [_text(part, marks) for part in parts]
    if not all(contents):
        raise SandboxError("text or a file must be given")
    return contents


def _text(text: str, marks: list[Obj]) -> Obj:
    text, entities = clean(text, marks)
    if len(text) > TEXT_MAX:
        raise SandboxError(f"a message with entities has at most {TEXT_MAX} characters")
    return {"text": text, **({"entities": entities} if entities else {})} if text else {}


def split(text: str) -> list[str]:
    """Cut a long text as Telegram's clients do: at the last white space before the limit, or at the limit."""
    parts = []
    text = text.strip()
    while len(text) > TEXT_MAX:
        head = text[: TEXT_MAX + 1]
        cut = max(head.rfind("\n"), head.rfind(" "))
        cut = cut if cut > 0 else TEXT_MAX
        parts.append(text[:cut])
        text = text[cut:].strip()
    return [*parts, text]


def _files(world: World, params: Params, uploads: list[Upload]) -> list[Obj]:
    kind = params.text("kind") or "document"
    if kind not in FILE_KINDS:
        raise SandboxError(f"kind must be one of {', '.join(sorted(FILE_KINDS))}")
    contents = [media.content(world, kind, upload, params.values) for upload in uploads]
    marks = read_entities(params.json("entities", "entities"))
    caption, marks = clean(params.text("caption") or params.text("text"), marks)
    if len(caption) > CAPTION_MAX:
        raise SandboxError(f"a caption has at most {CAPTION_MAX} characters")
    if caption:
        contents[0] |= {"caption": caption, **({"caption_entities": marks} if marks else {})}
    albums = [contents[at : at + ALBUM_MAX] for at in range(0, len(contents), ALBUM_MAX)]
    return [item for album in albums for item in _together(world, album)]


def _together(world: World, album: list[Obj]) -> list[Obj]:
    """Give several files one `media_group_id`; one file alone has none."""
    group = {"media_group_id": album_id(world)} if len(album) > 1 else {}
    return [{**group, **item} for item in album]
