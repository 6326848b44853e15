"""F1, F5, photos, scans and albums, read by tesseract in its child process."""

from __future__ import annotations

import asyncio
import zlib
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from core.adapters.extractors.picture_cleanup import slant
from core.adapters.extractors.pictures import MAX_PIXELS, count_pictures, open_pictures
from core.adapters.extractors.tesseract_pages import TesseractPages
from core.adapters.extractors.tesseract_pictures import TesseractPictures
from core.errors import UserError
from core.ingest.cascade import Reading
from core.ingest.pages import split_pages
from core.model.source import Outcome, Reason, SourceKind
from core.ports.documents import Cascade
from tests.integration.extraction.made import CARD, Picture, pdf
from tests.integration.extraction.pictured import BRIDGES, LIGHTS, PARKS, album, encoded, page, photographed, turned
from tests.integration.extraction.reading import read_file, recall
from tests.integration.extraction.samples import sample

needs_tesseract = pytest.mark.skipif(
    bool(TesseractPictures().unavailable()), reason="tesseract with rus is not installed"
)
LOCAL = Cascade((TesseractPictures(),), (TesseractPictures(),))


async def _read(path: Path, data: bytes | None = None) -> Reading:
    if data is not None:
        await asyncio.to_thread(path.write_bytes, data)
    return await read_file(path, SourceKind.IMAGE, LOCAL)


def _text(reading: Reading) -> str:
    assert reading.document is not None, reading
    return reading.document.text


# What is read


@needs_tesseract
async def test_f5_printed_russian_comes_out_in_cyrillic_letters(tmp_path: Path) -> None:
    words = "ОСНОВА СОСТАВ ТЕХНИКА. Вера в себя, КРАСНОЕ СУКНО и Ваша АТАКА; В. Х. Рокоссовский НАТАША"
    reading = await _read(tmp_path / "f5.png", encoded(page(words)))
    assert recall(_text(reading), words) > 0.9
    assert not any("A" <= letter <= "z" and letter.isalpha() for letter in _text(reading))


@needs_tesseract
async def test_lines_of_prose_are_joined_and_paragraphs_are_not(tmp_path: Path) -> None:
    one, two = page(PARKS), page(BRIDGES)
    both = Image.new("L", (1100, one.height + two.height), 250)
    both.paste(one, (0, 0))
    both.paste(two, (0, one.height))
    text = _text(await _read(tmp_path / "two.png", encoded(both)))
    paragraphs = text.split("\n\n")
    assert [recall(paragraph, truth) > 0.95 for paragraph, truth in zip(paragraphs, (PARKS, BRIDGES), strict=True)]
    assert "\n" not in paragraphs[0]


@needs_tesseract
@pytest.mark.parametrize("mark", [3, 6, 8])
async def test_the_camera_s_own_mark_of_how_it_was_held_is_followed(mark: int, tmp_path: Path) -> None:
    stored, exif = turned(page(PARKS), mark)
    reading = await _read(tmp_path / "turned.jpg", encoded(stored, "JPEG", exif=exif))
    assert recall(_text(reading), PARKS) > 0.95


@needs_tesseract
@pytest.mark.parametrize("degrees", [90, 180, 270])
async def test_a_picture_that_lies_is_turned_by_its_print(degrees: int, tmp_path: Path) -> None:
    text = f"{PARKS} {BRIDGES}"
    reading = await _read(tmp_path / "lies.png", encoded(page(text).rotate(degrees, expand=True)))
    assert recall(_text(reading), text) > 0.95


@needs_tesseract
async def test_a_shaded_slanted_photo_is_read_like_a_scan(tmp_path: Path) -> None:
    reading = await _read(tmp_path / "photo.jpg", encoded(photographed(page(PARKS)), "JPEG", quality=80))
    assert recall(_text(reading), PARKS) > 0.95


@needs_tesseract
async def test_light_letters_on_a_dark_screen_are_read(tmp_path: Path) -> None:
    screen = page(PARKS, ink=215, paper=24).convert("RGB")
    assert recall(_text(await _read(tmp_path / "night.png", encoded(screen))), PARKS) > 0.95


@needs_tesseract
async def test_small_letters_of_a_screenshot_are_enlarged_first(tmp_path: Path) -> None:
    reading = await _read(tmp_path / "small.png", encoded(page(PARKS, size=12, width=520)))
    assert recall(_text(reading), PARKS) > 0.9


@needs_tesseract
async def test_an_album_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    files = {
        f"{number:04}.jpg": encoded(page(text), "JPEG") for number, text in ((3, LIGHTS), (1, PARKS), (2, BRIDGES))
    }
    reading = await _read(album(tmp_path / "album.zip", files))
    assert reading.document is not None
    pages = split_pages(reading.document)
    assert all(recall(pages[number], text) > 0.95 for number, text in ((1, PARKS), (2, BRIDGES), (3, LIGHTS)))
    assert (reading.document.page_count, reading.document.missing_pages) == (3, ())


@needs_tesseract
async def test_one_broken_image_of_an_album_is_missing_and_the_others_are_read(tmp_path: Path) -> None:
    files = {"0001.jpg": encoded(page(PARKS), "JPEG"), "0002.jpg": b"\xff\xd8\xff no picture"}
    document = (await _read(album(tmp_path / "album.zip", files))).document
    assert document is not None
    assert (document.page_count, document.missing_pages) == (2, (2,))


@needs_tesseract
async def test_every_page_of_a_tiff_is_read(tmp_path: Path) -> None:
    first, *others = (page(text).convert("1") for text in (PARKS, BRIDGES))
    path = tmp_path / "fax.tiff"
    first.save(path, save_all=True, append_images=others, compression="group4")
    document = (await _read(path)).document
    assert document is not None
    assert [
        recall(text, truth) > 0.9 for text, truth in zip(split_pages(document).values(), (PARKS, BRIDGES), strict=True)
    ]
    assert document.page_count == 2


@needs_tesseract
async def test_a_jpeg_that_ends_early_is_read_as_far_as_it_goes_and_the_loss_is_said(tmp_path: Path) -> None:
    whole = encoded(page(f"{PARKS} {BRIDGES} {LIGHTS}"), "JPEG")
    document = (await _read(tmp_path / "cut.jpg", whole[: len(whole) * 2 // 3])).document
    assert document is not None
    assert recall(document.text, PARKS) > 0.9
    assert "ветер" not in document.text
    assert document.lost == (Reason("lost-picture-cut", {"page": 1}),)


# Kinds of images


def _one(path: Path) -> Image.Image:
    (picture,) = open_pictures(str(path), (1,))
    assert picture.image is not None
    return picture.image


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF", "AVIF"])
def test_every_form_of_image_is_opened(form: str, tmp_path: Path) -> None:
    path = tmp_path / "picture"
    path.write_bytes(encoded(page(PARKS).convert("RGB"), form))
    assert count_pictures(str(path)) == 1
    assert _one(path).size == page(PARKS).size


def test_numbered_names_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    sizes = {"2.png": 20, "10.png": 30, "1.png": 10, "__MACOSX/._1.png": 40}
    path = album(tmp_path / "a.zip", {name: encoded(Image.new("L", (size, 9))) for name, size in sizes.items()})
    assert count_pictures(str(path)) == 3
    assert [picture.image.width for picture in open_pictures(str(path), (1, 2, 3)) if picture.image] == [10, 20, 30]


def test_of_an_animation_the_first_frame_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "moving.gif"
    frames = [Image.new("L", (60, 40), value) for value in (250, 10, 10)]
    frames[0].save(path, save_all=True, append_images=frames[1:])
    assert count_pictures(str(path)) == 1
    assert _one(path).convert("L").getpixel((5, 5)) == 250


def test_cmyk_sixteen_bits_and_transparency_become_plain_pictures(tmp_path: Path) -> None:
    cmyk, deep, clear = tmp_path / "cmyk.jpg", tmp_path / "deep.png", tmp_path / "clear.png"
    Image.new("CMYK", (40, 40), (0, 0, 0, 0)).save(cmyk)
    Image.new("I;16", (40, 40), 51400).save(deep)
    Image.new("RGBA", (40, 40), (0, 0, 0, 0)).save(clear)
    assert _one(cmyk).getpixel((9, 9)) == (255, 255, 255)
    assert _one(deep).getpixel((9, 9)) == 200
    assert _one(clear).getpixel((9, 9)) == (255, 255, 255)


def test_a_large_picture_is_made_smaller(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    Image.new("L", (9000, 9000), 200).save(path)
    image = _one(path)
    assert image.width * image.height <= MAX_PIXELS
    assert image.width == image.height


@pytest.mark.parametrize("mark", range(1, 9))
def test_all_eight_marks_of_a_camera_are_followed(mark: int, tmp_path: Path) -> None:
    corner = Image.new("L", (60, 40), 0)
    corner.paste(255, (0, 0, 20, 20))
    exif = Image.Exif()
    exif[0x0112] = mark
    path = tmp_path / "marked.png"
    corner.save(path, exif=exif)
    with Image.open(path) as stored:
        expected = ImageOps.exif_transpose(stored)
        assert _one(path).tobytes() == expected.tobytes()
        assert _one(path).size == ((60, 40) if mark < 5 else (40, 60))


# What cannot be read


async def test_a_picture_of_a_billion_pixels_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    header = encoded(Image.new("1", (8, 8), 1))
    giant = header[:16] + (40_000).to_bytes(4, "big") * 2 + header[24:29]
    path = tmp_path / "giant.png"
    path.write_bytes(giant + zlib.crc32(giant[12:29]).to_bytes(4, "big") + header[33:])
    reading = await _read(path)
    assert reading.reason == Reason("source-picture-too-large", {})


async def test_the_measured_giant_is_refused_too() -> None:
    reading = await _read(sample("bad/giant.png"))
    assert reading.reason == Reason("source-picture-too-large", {})


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n no more", b"\xff\xd8\xff", b"PK\x03\x04 broken", b"GIF89a"])
async def test_what_is_no_image_is_called_damaged(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken"
    path.write_bytes(data)
    with pytest.raises(UserError, match="source-damaged"):
        list(open_pictures(str(path), (1,)))


@needs_tesseract
@pytest.mark.parametrize("seed", [1, 2])
async def test_a_photo_without_text_ends_with_a_clear_reason(seed: int, tmp_path: Path) -> None:
    rough = Image.effect_noise((80 * seed, 60), 120).resize((1200, 900), Image.Resampling.BICUBIC)
    reading = await _read(tmp_path / "leaves.jpg", encoded(rough, "JPEG"))
    assert (reading.document, reading.reason) == (None, Reason("source-photo-no-text", {}))
    assert [attempt.outcome for attempt in reading.attempts] == [Outcome.FAILED]


@needs_tesseract
async def test_a_picture_of_one_pixel_has_no_text(tmp_path: Path) -> None:
    reading = await _read(tmp_path / "dot.png", encoded(Image.new("RGB", (1, 1))))
    assert reading.reason == Reason("source-photo-no-text", {})


@needs_tesseract
async def test_f1_a_pdf_that_is_one_slanted_photo_is_read(tmp_path: Path) -> None:
    path = pdf(tmp_path / "photo.pdf", [[Picture(photographed(page(PARKS)), (0, 0, *CARD))]], CARD)
    reading = await read_file(path, SourceKind.PDF, Cascade((TesseractPages(),)))
    assert recall(_text(reading), PARKS) > 0.95


@pytest.mark.parametrize("degrees", [-5.0, -1.25, 0.0, 3.5])
def test_the_slant_of_lines_is_measured(degrees: float) -> None:
    assert slant(page(f"{PARKS} {BRIDGES}").rotate(-degrees, fillcolor=250)) == pytest.approx(degrees, abs=0.3)
