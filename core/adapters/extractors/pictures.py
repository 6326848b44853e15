"""Files that are pictures: one image, a TIFF of pages, or a ZIP of images in the order of their names.

They are opened only in a child process: an image may be made to crash or to flood what decodes it.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import IO, TYPE_CHECKING

from core.errors import UserError

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 40_000_000
# A picture is made smaller than this before anything looks at it: A3 at 300 dpi, 120 MB in colour.

MAX_DECODED_PIXELS = 120_000_000
# What an image may hold before it is made smaller: 360 MB in colour. The largest cameras make 200 million, but as JPEG,
# which is decoded at a half or a quarter.

MAX_JPEG_PIXELS = 300_000_000
# A progressive JPEG keeps all its coefficients in memory, whatever size it is decoded at.

_ORIENTATION = 0x0112
_TURNS = {
    2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE", 6: "ROTATE_270", 7: "TRANSVERSE",
    8: "ROTATE_90",
}  # fmt: skip
# What makes a picture upright, by the mark that its camera set (EXIF 2.3, 4.6.4); TIFFs are turned as they are loaded.

MAX_PACKED_BYTES = 64 * 1024 * 1024
# For one image of an album.

FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "DIB", "TIFF", "AVIF", "PPM", "JPEG2000")
# None that calls a program (EPS) or that nobody sends; MPO, two views in one file, is opened as a JPEG.

_LOCAL_HEADER = b"PK"


@dataclass(frozen=True, slots=True)
class Picture:
    """One page of a file of pictures.

    Attributes:
        number: 1-based.
        image: Upright by its EXIF mark, grey or RGB, of at most `MAX_PIXELS`; None when it could not be decoded.
        cut: The file ends early: the lower part is missing.
    """

    number: int
    image: Image | None
    cut: bool = False


def count_pictures(path: str) -> int:
    """Return how many pages a file of pictures has.

    Raises:
        UserError: `source-damaged`.
    """
    from PIL import Image as Images

    if _is_album(path):
        return len(_names(path))
    with _damage_named(), open(path, "rb") as file, _any_size(), Images.open(file, formats=FORMATS) as image:
        return _frames(image)


def open_pictures(path: str, numbers: Sequence[int]) -> Iterator[Picture]:
    """Give the pages asked for, one decoded at a time.

    Args:
        numbers: 1-based.

    Raises:
        UserError: `source-picture-too-large` for more pixels than can be decoded, `source-damaged` for a file that is
            no image; an image of an album or a page of a TIFF that is damaged is given without `image` instead.
    """
    if _is_album(path):
        yield from _album(path, numbers)
        return
    alone = count_pictures(path) == 1
    for number in numbers:
        with open(path, "rb") as file:
            if not alone:
                yield _one_of_many(file, number, frame=number - 1)
                continue
            picture = _decoded(file, number, frame=0)
        if picture.image is None:
            raise UserError("source-damaged")
        yield picture


def _is_album(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(2) == _LOCAL_HEADER


def _names(path: str) -> list[str]:
    """List the files of an album in their order; folders and what systems add are left out."""
    with _damage_named(), zipfile.ZipFile(path) as archive:
        names = [part.filename for part in archive.infolist() if not part.is_dir()]
    pictures = (name for name in names if not name.startswith("__MACOSX") and name.rpartition("/")[2][:1] != ".")
    return sorted(pictures, key=_in_order)


def _in_order(name: str) -> list[tuple[int, str]]:
    """Order names as a person does: `2.jpg` before `10.jpg`."""
    return [(int(part or 0), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]


def _album(path: str, numbers: Sequence[int]) -> Iterator[Picture]:
    names = _names(path)
    with _damage_named(), zipfile.ZipFile(path) as archive:
        for number in numbers:
            yield _one_of_many(BytesIO(_unpacked(archive, names[number - 1])), number, frame=0)


def _unpacked(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return an image's bytes, b"" for one that is broken, locked or unpacks to too much."""
    try:
        with archive.open(name) as part:
            data = part.read(MAX_PACKED_BYTES + 1)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, OSError):
        return b""
    return data if len(data) <= MAX_PACKED_BYTES else b""


def _one_of_many(file: IO[bytes], number: int, *, frame: int) -> Picture:
    """Decode one image; what would end the reading of a single one only leaves a gap among others."""
    try:
        return _decoded(file, number, frame=frame)
    except UserError:
        return Picture(number, None)


def _decoded(file: IO[bytes], number: int, *, frame: int) -> Picture:
    """Decode one image; what is cut off is decoded as far as it goes."""
    for cut in (False, True):
        file.seek(0)
        try:
            with _any_size(), _cut_allowed(cut):
                return Picture(number, _decode(file, frame), cut)
        except _UNDECODABLE:
            continue
    return Picture(number, None)


_UNDECODABLE = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, AttributeError)
# What Pillow raises on broken images; zlib's and struct's errors come out as one of these.


def _decode(file: IO[bytes], frame: int) -> Image:
    from PIL import Image as Images

    with Images.open(file, formats=FORMATS) as image:
        if frame:
            image.seek(frame)
        if image.format in ("JPEG", "MPO") and _pixels(image) <= MAX_JPEG_PIXELS:
            _decode_smaller(image)
        if _pixels(image) > MAX_DECODED_PIXELS:
            raise UserError("source-picture-too-large")
        image.load()
        turn = _TURNS.get(image.getexif().get(_ORIENTATION, 1))
        bounded = _bounded(_plain(image))
        return bounded if turn is None else bounded.transpose(Images.Transpose[turn])


def _decode_smaller(image: Image) -> None:
    """Let the JPEG decoder leave out detail that would be thrown away: it halves the sides."""
    halved = 1
    while _pixels(image) > MAX_PIXELS * halved**2 and halved < 8:
        halved *= 2
    if halved > 1:
        image.draft(None, (image.width // halved, image.height // halved))


def _plain(image: Image) -> Image:
    """Put transparent images on white, bring 16 bits a pixel down to 8, and turn CMYK and palettes into RGB."""
    from PIL import Image as Images

    if image.mode.startswith(("I", "F")):
        return _eight_bits(image)
    if image.mode in ("L", "RGB") and "transparency" not in image.info:
        return image.copy() if _pixels(image) <= MAX_PIXELS else image
    if image.mode == "1":
        return image.convert("L")
    if image.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in image.info:
        solid = image.convert("RGBA")
        white = Images.new("RGBA", solid.size, "white")
        return Images.alpha_composite(white, solid).convert("RGB")
    return image.convert("RGB")


def _eight_bits(image: Image) -> Image:
    """Spread the values that occur over 0 to 255: scanners use 12 or 16 bits, measuring devices any."""
    import numpy as np
    from PIL import Image as Images

    values = np.nan_to_num(np.asarray(image, dtype=np.float32))
    low, high = float(values.min()), float(values.max())
    low, high = (0.0, 65535.0) if low >= 0 and 255 < high <= 65535 else (low, max(high, low + 1.0))
    return Images.fromarray(((values - low) * (255.0 / (high - low))).astype(np.uint8))


def _bounded(image: Image) -> Image:
    """Make a picture smaller until it has at most `MAX_PIXELS`."""
    from PIL import Image as Images

    side = (MAX_PIXELS / max(1, _pixels(image))) ** 0.5
    if side >= 1:
        return image
    size = (max(1, int(image.width * side)), max(1, int(image.height * side)))
    return image.resize(size, Images.Resampling.BOX, reducing_gap=2.0)


def _pixels(image: Image) -> int:
    return int(image.width * image.height)


def _frames(image: Image) -> int:
    """Count the pages of a TIFF; an animation or a camera's second view is one page."""
    return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


@contextmanager
def _damage_named() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, NotImplementedError, *_UNDECODABLE) as error:
        raise UserError("source-damaged") from error


@contextmanager
def _cut_allowed(allowed: bool) -> Iterator[None]:
    """Let Pillow decode as far as a file goes; its switch is one for the whole process."""
    from PIL import ImageFile

    before, ImageFile.LOAD_TRUNCATED_IMAGES = ImageFile.LOAD_TRUNCATED_IMAGES, allowed
    try:
        yield
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = before


@contextmanager
def _any_size() -> Iterator[None]:
    """Keep Pillow from refusing by its own limit: what is large is looked at here before it is decoded."""
    from PIL import Image as Images

    before, Images.MAX_IMAGE_PIXELS = Images.MAX_IMAGE_PIXELS, None
    try:
        yield
    finally:
        Images.MAX_IMAGE_PIXELS = before
