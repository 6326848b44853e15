"""What extraction is measured with: the samples that have a truth, and formats made of them where none is there."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.integration.extraction.samples import FOLDER, LECTURE
from tests.quality.truths import Truth, truth_of

FOLDERS = ("synth", "docs", "books", "scans", "bad")
TOOL_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Sample:
    """A file with its truth.

    Attributes:
        origin: "" for a sample as it lies there, else what it was made of and with.
    """

    path: Path
    truth: Truth
    origin: str = ""

    @property
    def name(self) -> str:
        """As shown."""
        return self.path.name

    @property
    def format(self) -> str:
        """Its row in a table."""
        ending = self.path.suffix.lstrip(".").upper()
        if self.name.endswith(".fb2.zip"):
            return "FB2"
        if ending in ("PNG", "JPG", "TIFF", "WEBP"):
            return "picture"
        return f"{ending}, scan" if ending == "PDF" and self.is_picture else ending

    @property
    def is_picture(self) -> bool:
        """Its text has to be recognised."""
        return self.path.parent.name == "scans" or "_scan." in self.name or self.path.suffix in (".tiff", ".webp")


class ToolMissing(Exception):
    """A program that makes a format is not installed."""


def samples(folder: Path, part: str = "") -> Iterator[Sample]:
    """Give the samples whose name holds a part, those of each folder by name, then the made ones (into a folder)."""
    files = [file for name in FOLDERS for file in sorted((FOLDER / name).glob("*"))]
    for path in [*files, LECTURE]:
        truth = truth_of(path) if part in path.name else None
        if truth is not None:
            yield Sample(path, truth)
    yield from _made(folder, part)


def _made(folder: Path, part: str) -> Iterator[Sample]:
    for name, (source, make, how) in MADE.items():
        original = FOLDER / source
        truth = truth_of(original)
        if part not in name or truth is None:
            continue
        target = folder / name
        try:
            make(original, target)
        except ToolMissing as missing:
            print(f"{name}: not made, {missing} is not installed")
            continue
        yield Sample(target, truth, f"made of {original.name} with {how}")


def _copied(original: Path, target: Path) -> None:
    shutil.copy(original.with_name(original.stem + ".md"), target)


def _pictured(original: Path, target: Path) -> None:
    """Write a picture in another format; a PDF of it is a scan without a text layer."""
    from PIL import Image

    with Image.open(original) as picture:
        picture.convert("L").save(target, resolution=300.0)


def _bound(original: Path, target: Path) -> None:
    """Make a DJVU of a black and white picture, as scanners do."""
    from PIL import Image

    bitmap = target.with_suffix(".pbm")
    with Image.open(original) as picture:
        picture.convert("1").save(bitmap)
    _run("cjb2", "-dpi", "300", str(bitmap), str(target))
    bitmap.unlink()


def _layered(original: Path, target: Path) -> None:
    """Make a DJVU with its text as a layer."""
    _bound(original, target)
    truth = truth_of(original)
    assert truth is not None
    layer = target.with_suffix(".layer")
    words = " ".join(truth.text.split()).replace("\\", "").replace('"', "")
    layer.write_text(f'(page 0 0 2550 3301 "{words}")\n', "utf-8")
    _run("djvused", "-e", f"select 1; set-txt {layer}; save", str(target))
    layer.unlink()


def _run(*command: str) -> None:
    if shutil.which(command[0]) is None:
        raise ToolMissing(command[0])
    subprocess.run(command, check=True, capture_output=True, timeout=TOOL_TIMEOUT_S)


MADE: dict[str, tuple[str, Callable[[Path, Path], None], str]] = {
    "multi_page.md": ("docs/multi_page.pdf", _copied, "no program: its own reference text"),
    "ru1_scan.pdf": ("scans/ru1_300.png", _pictured, "Pillow"),
    "ru1_scan.djvu": ("scans/ru1_300.png", _bound, "cjb2"),
    "ru1_layer.djvu": ("scans/ru1_300.png", _layered, "cjb2 and djvused"),
    "ru1_300.tiff": ("scans/ru1_300.png", _pictured, "Pillow"),
    "ru1_300.webp": ("scans/ru1_300.png", _pictured, "Pillow"),
}
"""Name to the sample it is made of, by what, and with which program."""
