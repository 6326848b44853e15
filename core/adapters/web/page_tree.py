"""A page's tree without what no reader of the article sees, and with its formulas as text."""

from __future__ import annotations

import re
from typing import Any

from core.adapters.decoding import decode_marked

Element = Any
"""An element of lxml, which has no types."""

_DECLARED = re.compile(rb"""<(?:meta|\?xml)[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]{3,24})""", re.I)
_DECLARATION = re.compile(r"""<meta[^>]{0,200}?charset[^>]{0,100}>|<\?xml[^>]{0,200}\?>""", re.I)
_HIDDEN = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.I)
_NOISE = re.compile(
    r"cookie|consent|gdpr|onetrust|didomi|mw-editsection|navbox|\bnoprint\b|\bsr-only\b|visually-hidden|share-?buttons",
    re.I,
)
_REFERENCE = re.compile(r"(?:^|\s)reference(?:\s|$)")
MAX_NOISE = 4000
# Characters of an element that is taken for a banner by its name: a body may bear such a name too.

_FRAME = (
    "//body//*[self::nav or self::footer or self::aside or @role='navigation' or @role='contentinfo']"
    "[not(ancestor::article or ancestor::main)]"
)
FRAME_SHARE = 0.3
# Of a page's text: a marked element with more of it is the page.

_FORMULA_BOX = re.compile(r"mwe-math-element|katex(?!-)|MathJax|mjx-container", re.I)
_TEX = re.compile(r"(?:application|text)/x-tex", re.I)


def decode_page(data: bytes) -> str:
    """Decode a page: a mark, valid UTF-8, what it declares, a guess; its declaration is dropped, since lxml obeys it.

    Raises:
        UserError: As `decode` does.
    """
    declared = _DECLARED.search(data[:8192])
    return _DECLARATION.sub("", decode_marked(data, declared.group(1).decode() if declared else ""))


def parse(page: str) -> Element:
    """Parse a page as leniently as browsers do.

    Raises:
        ValueError, lxml.etree.ParserError: There is no element in it.
    """
    from lxml import html

    parser = html.HTMLParser(encoding="utf-8", huge_tree=False, remove_comments=True, remove_pis=True)
    return html.document_fromstring(page.encode("utf-8", errors="ignore"), parser=parser)


def prune(root: Element) -> None:
    """Write formulas as text, then drop scripts, hidden elements, banners and marks of references."""
    _write_formulas(root)
    for element in list(root.iter("script", "style", "noscript", "template", "iframe")):
        element.drop_tree()
    _drop_frame(root)
    for element in root.xpath("//body//*[@hidden or @style or @class or @id or @aria-modal]"):
        if element.getparent() is not None and (_is_hidden(element) or _is_noise(element)):
            element.drop_tree()


def _drop_frame(root: Element) -> None:
    """Drop what surrounds every page of a site, as far as the page marks it and it is not most of it."""
    whole = len(root.text_content())
    for element in root.xpath(_FRAME):
        if element.getparent() is not None and len(element.text_content()) < FRAME_SHARE * whole:
            element.drop_tree()


def _is_hidden(element: Element) -> bool:
    return "hidden" in element.attrib or bool(_HIDDEN.search(element.get("style", "")))


def _is_noise(element: Element) -> bool:
    name = f"{element.get('class', '')} {element.get('id', '')}"
    if element.tag == "sup" and _REFERENCE.search(element.get("class", "")):
        return True
    return bool(_NOISE.search(name)) and len(element.text_content()) < MAX_NOISE


def _write_formulas(root: Element) -> None:
    """Put `$…$` in the place of a formula whose TeX the page carries beside its picture."""
    from lxml import html

    for element in root.xpath("//math | //*[local-name()='math'] | //script[starts-with(@type, 'math/tex')]"):
        tex = _tex_of(element)
        if not tex or element.getparent() is None:
            continue
        boxes = [box for box in element.iterancestors() if _FORMULA_BOX.search(box.get("class", "") + " " + box.tag)]
        box = boxes[-1] if boxes else element
        if box.getparent() is None:
            continue
        formula = html.Element("span")
        formula.text, formula.tail = f"${tex}$", box.tail
        box.getparent().replace(box, formula)


def _tex_of(element: Element) -> str:
    if element.tag == "script":
        return " ".join((element.text or "").split())
    for annotation in element.iter("annotation"):
        if _TEX.match(annotation.get("encoding", "")):
            tex = " ".join((annotation.text or "").split())
            styled = re.fullmatch(r"\{\\displaystyle (.*)\}", tex)
            return styled[1].strip() if styled else tex
    return " ".join(element.get("alttext", "").split())
