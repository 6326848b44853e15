"""Pictures of print, made for one test each."""

from __future__ import annotations

import io
import textwrap
import zipfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tests.integration.extraction.made import FONT

PARKS = (
    "Городские парки охлаждают воздух в летние месяцы, удерживают дождевую воду и дают жителям место для отдыха. "
    "Обследование проводилось в два этапа: сначала описали деревья, затем измерили влажность почвы."
)
BRIDGES = (
    "Каменный мост через Волхов построили за четыре года. Его опоры стоят на дубовых сваях, а своды выложены из "
    "известняка, который возили по воде из соседнего уезда зимой и летом."
)
LIGHTS = (
    "Фонари в переулках зажигали в сумерках и гасили на рассвете. Сторож записывал в тетрадь каждый погасший огонь, "
    "и по этой тетради теперь видно, где ветер дул сильнее."
)


def page(text: str, *, size: int = 30, ink: int = 20, paper: int = 250, width: int = 1100) -> Image.Image:
    """Draw print as a scanner would see it, grey."""
    font = ImageFont.truetype(str(FONT), size)
    lines = textwrap.wrap(text, int((width - 4 * size) / (0.62 * size)))
    picture = Image.new("L", (width, int((len(lines) + 3) * 1.6 * size)), paper)
    draw = ImageDraw.Draw(picture)
    for index, line in enumerate(lines):
        draw.text((2 * size, int((index + 1) * 1.6 * size)), line, fill=ink, font=font)
    return picture


def turned(picture: Image.Image, mark: int) -> tuple[Image.Image, Image.Exif]:
    """Lay a picture as a camera does that was held otherwise, with the EXIF mark that says so."""
    stored = {3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90, 8: Image.Transpose.ROTATE_270}
    exif = Image.Exif()
    exif[0x0112] = mark
    return picture.transpose(stored[mark]), exif


def photographed(picture: Image.Image) -> Image.Image:
    """Lay a page on a dark table under a lamp that shines from one side, three degrees aslant."""
    width, height = picture.size
    table = Image.new("L", (width + 300, height + 300), 60)
    table.paste(picture, (150, 150))
    slanted = table.rotate(3, Image.Resampling.BICUBIC, fillcolor=60)
    shade = Image.linear_gradient("L").rotate(90).resize(slanted.size).point(lambda value: 110 + value * 140 // 255)
    from PIL import ImageChops

    return ImageChops.multiply(slanted, shade)


def encoded(picture: Image.Image, form: str = "PNG", **options: object) -> bytes:
    """The bytes of an image file."""
    buffer = io.BytesIO()
    picture.save(buffer, form, **options)
    return buffer.getvalue()


def album(path: Path, files: dict[str, bytes]) -> Path:
    """A ZIP of images, in the order given: that of their names decides."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path
