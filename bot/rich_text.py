"""A model's Markdown as Telegram shows it: plain text with entities.

`render` never raises and loses no words: raw HTML is shown as it is written, unsafe links lose only their target,
tables and formulas get a readable plain form. `split` cuts the result into messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.tree import SyntaxTreeNode

from bot.formulas import TOKEN as FORMULA
from bot.formulas import formulas, readable
from bot.plain_table import columns, is_narrow
from bot.rich_value import Entity, RichText, utf16_len
from bot.rich_writer import Writer
from bot.split_text import split

__all__ = ["Entity", "RichText", "clean", "render", "split", "utf16_len"]

BULLET = "• "
RULE = "———"
_INDENT = "   "
_LINKS = frozenset({"http", "https", "tg"})
_STYLES = {"strong": "bold", "em": "italic", "s": "strikethrough"}
_UNSHOWN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\ufeff\ufffe\uffff]")
# Control characters and those that turn the writing direction of what follows.

_DIGIT_STAR = re.compile(r"(?<=\d)\*(?=\d)")


def _times(state: StateInline, silent: bool) -> bool:
    """Between digits an asterisk multiplies."""
    if not _DIGIT_STAR.match(state.src, state.pos):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True


MAX_NESTING = 60
"""Blocks within blocks: what is deeper is left out by the parser, whose default of 20 a model's lists can reach."""

_parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
_parser.enable(["table", "strikethrough"]).disable("reference").use(formulas)
_parser.inline.ruler.before("emphasis", "times", _times)
# Without references: a line "[1]: …" of an answer is text, not the definition of a link.


def clean(text: str) -> str:
    """Drop NUL, other control characters and lone surrogates; line ends become `\\n`, tabs four spaces."""
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    lines = re.sub(r"\r\n?|\u2028|\u2029", "\n", paired).replace("\t", "    ")
    return _UNSHOWN.sub("", lines)


def render(markdown: str, *, aligned: bool = True) -> RichText:
    """Turn Markdown into text and entities; surrounding empty lines are left out.

    Args:
        markdown: Anything a model writes, or a source's clean text.
        aligned: Narrow tables become monospace columns; otherwise all tables are lines of "name: value".
    """
    writer = Writer(aligned=aligned)
    _blocks(writer, SyntaxTreeNode(_parser.parse(clean(markdown))).children, "\n\n")
    return RichText("".join(writer.pieces), tuple(sorted(writer.entities, key=_outer_first)))


def _outer_first(entity: Entity) -> tuple[int, int]:
    return entity["offset"], -entity["length"]


def _blocks(writer: Writer, nodes: list[SyntaxTreeNode], gap: str) -> None:
    for number, node in enumerate(nodes):
        if number:
            writer.write(gap)
        _BLOCKS.get(node.type, _text)(writer, node)


def _paragraph(writer: Writer, node: SyntaxTreeNode) -> None:
    _children(writer, node)


def _heading(writer: Writer, node: SyntaxTreeNode) -> None:
    with writer.entity("bold"):
        _children(writer, node)


def _quote(writer: Writer, node: SyntaxTreeNode) -> None:
    with writer.entity("blockquote"):
        _blocks(writer, node.children, "\n\n")


def _code_block(writer: Writer, node: SyntaxTreeNode) -> None:
    language, _, rest = node.info.strip().partition(" ")  # words behind a language are somebody's words too
    text = "\n".join(part for part in (rest.strip(), node.content.rstrip("\n")) if part)
    outer = writer.unindent()
    writer.code(text or " ", "pre", **({"language": language} if language else {}))
    writer.indent = outer


def _bullets(writer: Writer, node: SyntaxTreeNode) -> None:
    _list(writer, node, lambda _: BULLET)


def _numbers(writer: Writer, node: SyntaxTreeNode) -> None:
    first = int(node.attrs.get("start", 1))
    _list(writer, node, lambda at: f"{first + at}. ")


def _list(writer: Writer, node: SyntaxTreeNode, marker: Callable[[int], str]) -> None:
    for at, item in enumerate(node.children):
        writer.write("\n" * (at > 0) + marker(at))
        outer, writer.indent = writer.indent, writer.indent + _INDENT
        _blocks(writer, item.children, "\n")
        writer.indent = outer


def _rule(writer: Writer, _: SyntaxTreeNode) -> None:
    writer.write(RULE)


def _table(writer: Writer, node: SyntaxTreeNode) -> None:
    rows = [row.children for part in node.children for row in part.children]
    plain = [[_plain(cell) for cell in row] for row in rows]
    if writer.aligned and is_narrow(plain):
        writer.code(columns(plain), "pre")
        return
    names = plain[0]
    for at, row in enumerate(rows[1:]):
        writer.write("\n\n" * (at > 0))
        _record(writer, names, row)


def _record(writer: Writer, names: list[str], row: list[SyntaxTreeNode]) -> None:
    """Write one row of a wide table: its first cell as a title, the others by the names of their columns."""
    with writer.entity("bold"):
        _children(writer, row[0])
    for name, cell in zip(names[1:], row[1:], strict=False):
        if _plain(cell):
            writer.write(f"\n{name}: " if name else "\n")
            _children(writer, cell)


def _plain(cell: SyntaxTreeNode) -> str:
    writer = Writer()
    _children(writer, cell)
    return "".join(writer.pieces)


def _children(writer: Writer, node: SyntaxTreeNode) -> None:
    for child in node.children:
        _INLINES.get(child.type, _text)(writer, child)


def _style(writer: Writer, node: SyntaxTreeNode) -> None:
    with writer.entity(_STYLES[node.type]):
        _children(writer, node)


def _link(writer: Writer, node: SyntaxTreeNode) -> None:
    url = str(node.attrs.get("href", ""))
    if node.children:
        _to(writer, url, lambda: _children(writer, node))
    else:
        writer.write(f"[]({url})")  # nothing to tap on: shown as it is written


def _image(writer: Writer, node: SyntaxTreeNode) -> None:
    """A picture cannot stand in a text: its description leads to it."""
    _to(writer, str(node.attrs.get("src", "")), lambda: writer.write(node.content or "🖼"))


def _to(writer: Writer, url: str, write: Callable[[], None]) -> None:
    if _may_link(url):
        with writer.entity("text_link", url=url):
            write()
    else:
        write()


def _may_link(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in _LINKS and bool(parts.netloc)


def _inline_code(writer: Writer, node: SyntaxTreeNode) -> None:
    writer.code(node.content)


def _formula(writer: Writer, node: SyntaxTreeNode) -> None:
    """Write a formula as part of its sentence; what could not be made readable is set apart as code."""
    text = readable(node.content)
    if "\\" in text:
        writer.code(text)
    else:
        writer.write(text)


def _formula_block(writer: Writer, node: SyntaxTreeNode) -> None:
    writer.code(readable(node.content), "pre")


def _line_break(writer: Writer, _: SyntaxTreeNode) -> None:
    writer.write("\n")


def _text(writer: Writer, node: SyntaxTreeNode) -> None:
    if node.children:
        _children(writer, node)
    else:
        writer.write(node.content)


_BLOCKS: dict[str, Callable[[Writer, SyntaxTreeNode], None]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "blockquote": _quote,
    "fence": _code_block,
    "code_block": _code_block,
    "bullet_list": _bullets,
    "ordered_list": _numbers,
    "hr": _rule,
    "table": _table,
    FORMULA: _formula_block,
}
_INLINES: dict[str, Callable[[Writer, SyntaxTreeNode], None]] = {
    **dict.fromkeys(_STYLES, _style),
    "link": _link,
    "image": _image,
    "code_inline": _inline_code,
    "softbreak": _line_break,
    "hardbreak": _line_break,
    FORMULA: _formula,
}
