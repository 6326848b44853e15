"""Small PDFs, pictures and DOCX files, built for one test each."""

from __future__ import annotations

import io
import textwrap
import zipfile
from collections.abc import Sequence
from ctypes import c_uint8, cast, create_string_buffer
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageDraw, ImageFont
from pypdfium2 import raw

FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
A4 = (595, 842)
PROSE = (
    "Городские парки выполняют сразу несколько задач: они охлаждают воздух в летние месяцы, удерживают дождевую воду "
    "и дают жителям место для отдыха. Обследование проводилось в два этапа. Сначала специалисты описали деревья, "
    "затем измерили влажность почвы, уровень шума и освещённость дорожек."
)


@dataclass(frozen=True)
class Line:
    """Words on a page: `mode` is the PDF render mode, 3 for invisible; colour as red, green, blue, opacity."""

    text: str
    y: int
    mode: int = 0
    color: tuple[int, int, int, int] = (0, 0, 0, 255)


@dataclass(frozen=True)
class Picture:
    """A bitmap over a box: left, bottom, width, height."""

    image: Image.Image
    box: tuple[int, int, int, int] = (0, 0, *A4)


def prose(y: int = 760, text: str = PROSE) -> list[Line]:
    """Set a paragraph, its first line at a height."""
    return [Line(line, y - 18 * index) for index, line in enumerate(textwrap.wrap(text, 70))]


def pdf(path: Path, pages: Sequence[Sequence[Line | Picture]], size: tuple[int, int] = A4) -> Path:
    """Write a PDF of pages of one size."""
    document = pdfium.PdfDocument.new()
    data = FONT.read_bytes()
    font = raw.FPDFText_LoadFont(document, (c_uint8 * len(data)).from_buffer_copy(data), len(data), 2, True)
    for marks in pages:
        page = document.new_page(*size)
        for mark in marks:
            if isinstance(mark, Line):
                raw.FPDFPage_InsertObject(page, _text(document, font, mark))
            else:
                page.insert_obj(_image(document, mark))
        page.gen_content()
    document.save(path)
    return path


def many_pages(path: Path, lines: Sequence[str]) -> Path:
    """Write a PDF with one line of ASCII a page, byte by byte: quick for a thousand pages."""
    count = len(lines)
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(count))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {count}/Kids[{kids}]/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for index, line in enumerate(lines):
        drawn = f"BT /F 12 Tf 50 700 Td ({line}) Tj ET"
        objects.append(f"<</Type/Page/Parent 2 0 R/Contents {5 + 2 * index} 0 R>>")
        objects.append(f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream")
    data = "%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    tail = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{len(data)}\n%%EOF"
    )
    path.write_text(data + tail, "ascii")
    return path


def as_form(path: Path, source: Path) -> Path:
    """Write a PDF whose only page draws the first page of another as a form."""
    inner, document = pdfium.PdfDocument(source), pdfium.PdfDocument.new()
    page = document.new_page(*A4)
    form = raw.FPDF_NewFormObjectFromXObject(raw.FPDF_NewXObjectFromPage(document, inner, 0))
    raw.FPDFPage_InsertObject(page, form)
    page.gen_content()
    document.save(path)
    return path


def _text(document: pdfium.PdfDocument, font: object, line: Line) -> object:
    item = raw.FPDFPageObj_CreateTextObj(document, font, 11.0)
    encoded = create_string_buffer((line.text + "\0").encode("utf-16-le"))
    raw.FPDFText_SetText(item, cast(encoded, raw.FPDF_WIDESTRING))
    raw.FPDFTextObj_SetTextRenderMode(item, line.mode)
    raw.FPDFPageObj_SetFillColor(item, *line.color)
    raw.FPDFPageObj_Transform(item, 1, 0, 0, 1, 50, line.y)
    return item


def _image(document: pdfium.PdfDocument, picture: Picture) -> pdfium.PdfImage:
    item = pdfium.PdfImage.new(document)
    item.set_bitmap(pdfium.PdfBitmap.from_pil(picture.image.convert("RGB")))
    left, bottom, width, height = picture.box
    item.set_matrix(pdfium.PdfMatrix().scale(width, height).translate(left, bottom))
    return item


CARD = (420, 300)


def scan(text: str = PROSE, *, turned: int = 0) -> Picture:
    """Draw a small page of print at 200 dpi, as a scanner would see it; it fills a page of the size `CARD`."""
    page = Image.new("L", (1167, 833), 250)
    draw = ImageDraw.Draw(page)
    font = ImageFont.truetype(str(FONT), 30)
    for index, line in enumerate(textwrap.wrap(text, 58)):
        draw.text((60, 60 + 50 * index), line, fill=20, font=font)
    return Picture(page.rotate(turned), (0, 0, *CARD))


def docx(path: Path, body: str) -> Path:
    """Write a DOCX with this inside its body element."""
    names = " ".join(
        f'xmlns:{prefix}="{url}"'
        for prefix, url in {
            "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
            "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
            "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
            "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
            "v": "urn:schemas-microsoft-com:vml",
        }.items()
    )
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        'officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f"<w:document {names}><w:body>{body}</w:body></w:document>",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + text)
    return path


def paragraph(text: str) -> str:
    """A paragraph of WordprocessingML."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def text_box(text: str) -> str:
    """A paragraph with a text box as Word writes it: the drawing, and its old-style double for old programs."""
    content = f"<w:txbxContent>{paragraph(text)}</w:txbxContent>"
    return (
        "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:inline><wp:extent cx='100' cy='100'/>"
        "<a:graphic><a:graphicData uri='http://schemas.microsoft.com/office/word/2010/wordprocessingShape'><wps:wsp>"
        f"<wps:txbx>{content}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
    )


def packed(files: dict[str, bytes]) -> bytes:
    """A ZIP with these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()
