"""Office files and books, built for one test each."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.integration.extraction.made import packed

FB2 = """<?xml version="1.0" encoding="{encoding}"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info><author>
<first-name>Анна</first-name><last-name>Смирнова</last-name></author><book-title>О реках</book-title>
<date value="2021-01-01">2021</date></title-info></description><body><title><p>О реках</p></title>
<section><title><p>Глава 1</p></title><epigraph><p>Всё течёт.</p></epigraph><p>Река <emphasis>быстрая</emphasis>.</p>
<section><title><p>Истоки</p></title><p>Родник у леса.</p><poem><stanza><v>Вода бежит</v><v>с горы</v></stanza></poem>
</section></section></body><body name="notes"><section id="n1"><title><p>1</p></title><p>Сноска о роднике.</p></section>
</body><binary id="1.jpg" content-type="image/jpeg">{picture}</binary></FictionBook>"""


def fb2(path: Path, encoding: str = "utf-8") -> Path:
    """Write a book of one chapter with a section in it, a note and a picture."""
    path.write_bytes(FB2.format(encoding=encoding, picture="QUJD" * 50).encode(encoding))
    return path


def epub(path: Path, *, mimetype_first: bool = True) -> Path:
    """Write a book of two chapters, the second one first in the ZIP."""
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'
    package = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>О реках</dc:title><dc:creator>Анна Смирнова</dc:creator>'
        '<dc:date>2021-03-04T00:00:00Z</dc:date></metadata><manifest><item id="a" href="text/a%201.xhtml" '
        'media-type="application/xhtml+xml"/><item id="b" href="text/b.xhtml" media-type="application/xhtml+xml"/>'
        '</manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    container = (
        '<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
        '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>"
    )
    parts = {
        "OEBPS/text/b.xhtml": page.format("<h2>Глава 2</h2><ul><li>мост</li><li>брод</li></ul>"),
        "OEBPS/text/a 1.xhtml": page.format("<h1>Глава 1</h1><p>Река быстрая.</p>"),
        "META-INF/container.xml": container,
        "OEBPS/book.opf": package,
    }
    with zipfile.ZipFile(path, "w") as archive:
        if mimetype_first:
            archive.writestr("mimetype", "application/epub+zip")
        for name, text in parts.items():
            archive.writestr(name, text, zipfile.ZIP_DEFLATED)
        if not mimetype_first:
            archive.writestr("mimetype", "application/epub+zip", zipfile.ZIP_DEFLATED)
    return path


def xlsx(path: Path, sheets: dict[str, Iterable[Sequence[object]]]) -> Path:
    """Write a workbook by openpyxl: formulas get no stored result."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def bare_xlsx(path: Path, rows: str, *, dimension: str = "A1:C3", sheets: int = 1) -> Path:
    """Write a workbook whose sheets hold these rows of SpreadsheetML."""
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    numbers = range(1, sheets + 1)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
        f'ContentType="{kind}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{kind}.worksheet+xml"/>'
            for number in numbers
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{links}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        + "".join(
            f'<Relationship Id="r{number}" Type="{links}/worksheet" Target="worksheets/sheet{number}.xml"/>'
            for number in numbers
        )
        + "</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{space}" xmlns:r="{links}"><sheets>'
        + "".join(f'<sheet name="Лист {number}" sheetId="{number}" r:id="r{number}"/>' for number in numbers)
        + "</sheets></workbook>",
    }
    sheet = f'<worksheet xmlns="{space}"><dimension ref="{dimension}"/><sheetData>{rows}</sheetData></worksheet>'
    parts |= {f"xl/worksheets/sheet{number}.xml": sheet for number in numbers}
    path.write_bytes(packed({name: text.encode() for name, text in parts.items()}))
    return path


def pptx(path: Path) -> Path:
    """Write five slides: words with notes, a table and a group, a hidden one, a picture, a title."""
    from PIL import Image, ImageDraw, ImageFont
    from pptx import Presentation
    from pptx.util import Inches

    from tests.integration.extraction.made import FONT

    show = Presentation()
    blank, titled = show.slide_layouts[6], show.slide_layouts[1]
    first = show.slides.add_slide(titled)
    first.shapes.title.text = "Реки"
    first.placeholders[1].text = "Река быстрая\nРека глубокая"
    first.notes_slide.notes_text_frame.text = "Сказать о паводке"
    second = show.slides.add_slide(blank)
    table = second.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for place, word in enumerate(("Река", "Длина", "Ока", "1500")):
        table.cell(place // 2, place % 2).text = word
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(3), Inches(3), Inches(1)).text_frame.text = "Слова в группе"
    hidden = show.slides.add_slide(blank)
    hidden.shapes.add_textbox(0, 0, Inches(3), Inches(1)).text_frame.text = "Скрытый слайд"
    hidden._element.set("show", "0")
    picture = Image.new("RGB", (1400, 500), "white")
    font = ImageFont.truetype(str(FONT), 70)
    ImageDraw.Draw(picture).text((60, 180), "Схема водосбора реки", fill="black", font=font)
    picture.save(path.with_suffix(".png"))
    show.slides.add_slide(blank).shapes.add_picture(str(path.with_suffix(".png")), 0, 0, Inches(9))
    last = show.slides.add_slide(titled)
    last.shapes.title.text = "Выводы"
    show.save(str(path))
    return path


def with_part(path: Path, changed: dict[str, bytes]) -> Path:
    """Write a ZIP anew with some parts changed or added."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    path.write_bytes(packed(parts | changed))
    return path
