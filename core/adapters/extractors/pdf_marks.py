"""What is drawn on a PDF page, and whether a reader can see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import c_float, c_uint
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypdfium2 import PdfMatrix, PdfPage
    from pypdfium2.raw import FPDF_PAGEOBJECT

Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points."""

MAX_DEPTH = 4
# Of forms in forms: deeper ones are hostile.

_WHITE = 250
# Of 255, in each colour.


@dataclass(frozen=True, slots=True)
class Mark:
    """One object on a page.

    Attributes:
        item: pdfium's handle.
        form: Handle of the form that draws it, None when the page does.
        kind: One of pdfium's FPDF_PAGEOBJ constants.
        box: Where it stands on the page.
    """

    item: FPDF_PAGEOBJECT
    form: FPDF_PAGEOBJECT | None
    kind: int
    box: Box

    @property
    def is_text(self) -> bool:
        """It draws characters."""
        return self.kind == 1  # FPDF_PAGEOBJ_TEXT

    @property
    def is_picture(self) -> bool:
        """It draws a bitmap."""
        return self.kind == 3  # FPDF_PAGEOBJ_IMAGE


def marks_of(page: PdfPage) -> list[Mark]:
    """List everything on a page in drawing order, also inside forms; forms themselves are not listed."""
    from pypdfium2 import PdfMatrix

    return list(_marks(page, None, PdfMatrix(), 0))


def picture_share(page: PdfPage, marks: Sequence[Mark]) -> float:
    """Return the area of all pictures on the page by the page's area, at most 1."""
    frame = page.get_bbox()
    area = sum(_area(_cut(mark.box, frame)) for mark in marks if mark.is_picture)
    return min(1.0, area / max(1.0, _area(frame)))


def is_seen(text: Mark, marks: Sequence[Mark], *, scanned: bool) -> bool:
    """Say whether a reader sees a text.

    Invisible text over the picture of its page is an OCR layer: the reader sees what it says. Otherwise a text is not
    seen in the invisible render mode, without opacity, or white on bare paper. What runs over the page's edge is no
    trick, but a slide that was too full: it is kept.
    """
    from pypdfium2 import raw

    mode = raw.FPDFTextObj_GetTextRenderMode(text.item)
    if mode == raw.FPDF_TEXTRENDERMODE_INVISIBLE:
        return scanned and any(mark.is_picture and _touches(text.box, mark.box) for mark in marks)
    if mode != raw.FPDF_TEXTRENDERMODE_FILL:
        return True
    color = [c_uint() for _ in range(4)]
    if not raw.FPDFPageObj_GetFillColor(text.item, *color):
        return True
    *paint, opacity = (part.value for part in color)
    if not opacity:
        return False
    return min(paint) < _WHITE or any(not mark.is_text and _touches(text.box, mark.box) for mark in marks)


def text_without(page: PdfPage, unseen: Sequence[Mark]) -> str:
    """Return the bare text of a page without some of its texts, with `\\n` line ends."""
    from ctypes import addressof

    from pypdfium2 import raw

    left_out = {addressof(mark.item.contents) for mark in unseen}
    text = page.get_textpage()
    shown: list[str] = []
    for index in range(raw.FPDFText_CountChars(text)):
        item = raw.FPDFText_GetTextObject(text, index)
        if not item or addressof(item.contents) not in left_out:
            shown.append(chr(raw.FPDFText_GetUnicode(text, index)))
    whole = "".join(shown).encode("utf-16", "surrogatepass").decode("utf-16", "ignore")  # pdfium counts in UTF-16
    return whole.replace("\r\n", "\n").replace("\0", "")


def remove(page: PdfPage, mark: Mark) -> None:
    """Take a text off a page, or out of the form that draws it (which pdfium may not save)."""
    from pypdfium2 import raw

    if mark.form is None:
        raw.FPDFPage_RemoveObject(page, mark.item)
    else:
        raw.FPDFFormObj_RemoveObject(mark.form, mark.item)
    raw.FPDFPageObj_Destroy(mark.item)


def _marks(page: PdfPage, form: FPDF_PAGEOBJECT | None, placed: PdfMatrix, depth: int) -> Iterator[Mark]:
    from pypdfium2 import raw

    count = raw.FPDFPage_CountObjects(page) if form is None else raw.FPDFFormObj_CountObjects(form)
    for index in range(count):
        item = raw.FPDFPage_GetObject(page, index) if form is None else raw.FPDFFormObj_GetObject(form, index)
        kind = raw.FPDFPageObj_GetType(item)
        if kind != raw.FPDF_PAGEOBJ_FORM:
            yield Mark(item, form, kind, _box(item, placed, moved=depth > 0))
        elif depth < MAX_DEPTH:
            yield from _marks(page, item, _matrix(item).multiply(placed), depth + 1)


def _matrix(item: FPDF_PAGEOBJECT) -> PdfMatrix:
    from pypdfium2 import PdfMatrix, raw

    found = raw.FS_MATRIX()
    return PdfMatrix.from_raw(found) if raw.FPDFPageObj_GetMatrix(item, found) else PdfMatrix()


def _box(item: FPDF_PAGEOBJECT, placed: PdfMatrix, *, moved: bool) -> Box:
    from pypdfium2 import raw

    edges = [c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(item, *edges):
        return (0.0, 0.0, 0.0, 0.0)
    left, bottom, right, top = (edge.value for edge in edges)
    if not moved:
        return (left, bottom, right, top)
    corners = [placed.on_point(x, y) for x in (left, right) for y in (bottom, top)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs), min(ys), max(xs), max(ys))


def _cut(box: Box, frame: Box) -> Box:
    return (max(box[0], frame[0]), max(box[1], frame[1]), min(box[2], frame[2]), min(box[3], frame[3]))


def _area(box: Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _touches(box: Box, frame: Box) -> bool:
    """Say whether the middle of one box lies in another."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3]
