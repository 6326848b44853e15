"""Rich HTML as a tree of elements."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from bot.sandbox.errors import bad_request

INLINE = frozenset(
    [
        "a",
        "b",
        "strong",
        "i",
        "em",
        "u",
        "ins",
        "s",
        "strike",
        "del",
        "code",
        "mark",
        "sub",
        "sup",
        "tg-spoiler",
        "tg-reference",
        "tg-emoji",
        "tg-time",
        "tg-math",
        "br",
        "cite",
        "tg-button",
    ]
)
"""Tags that live inside a line."""

BLOCK = frozenset(
    [
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "p",
        "pre",
        "footer",
        "hr",
        "ul",
        "ol",
        "li",
        "blockquote",
        "aside",
        "img",
        "video",
        "audio",
        "figure",
        "figcaption",
        "tg-map",
        "tg-collage",
        "tg-slideshow",
        "table",
        "caption",
        "tr",
        "td",
        "th",
        "thead",
        "tbody",
        "tfoot",
        "details",
        "summary",
        "tg-math-block",
        "input",
        "tg-thinking",
    ]
)
"""Tags that make blocks or belong to one."""

VOID = frozenset({"br", "hr", "img", "input", "tg-map"})
"""Tags without an end."""

RAW = frozenset({"tg-math", "tg-math-block"})
"""Tags whose inside is LaTeX."""


@dataclass
class Element:
    """A tag with its attributes and what is inside: texts and elements."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[str | Element] = field(default_factory=list)

    def elements(self) -> list[Element]:
        """Return the elements inside, without the texts."""
        return [child for child in self.children if isinstance(child, Element)]

    def find(self, tag: str) -> Element | None:
        """Return the first element inside with a tag."""
        return next((child for child in self.elements() if child.tag == tag), None)

    def without(self, *tags: str) -> Element:
        """Return a copy without some of the elements inside."""
        kept = [child for child in self.children if not (isinstance(child, Element) and child.tag in tags)]
        return Element(self.tag, self.attributes, kept)

    def text(self) -> str:
        """Return all text inside."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE and tag not in BLOCK:
            raise bad_request(f'can\'t parse rich message: Unsupported start tag "{tag}"')
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if self.open[-1].tag != tag:
            expected = self.open[-1].tag
            raise bad_request(
                f'can\'t parse rich message: Unmatched end tag, expected "</{expected}>", found "</{tag}>"'
            )
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Element:
    """Parse Rich HTML into a nameless root element.

    Raises:
        ApiError: A tag is unknown, or one is not closed.
    """
    builder = _Builder()
    builder.feed(html)
    builder.close()
    if len(builder.open) > 1:
        unclosed = builder.open[-1].tag
        raise bad_request(f"can't parse rich message: Can't find end tag corresponding to start tag \"{unclosed}\"")
    return builder.root
