"""Formulas in Markdown: `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]` are kept whole, so that `a_1 * b_2` is no emphasis.

They are shown in Unicode: `\\frac{\\partial u}{\\partial t} = a^2` as `(∂ u)/(∂ t) = a²`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from telegramify_markdown.latex_escape.helper import LatexToUnicodeHelper

TOKEN = "formula"

_INLINE = re.compile(
    r"\$\$(?P<display>[^$]+)\$\$"
    r"|\$(?P<dollar>[^\s$](?:[^$\n]{0,300}?[^\s$\\])?)\$(?!\d)"  # not "$5 and $6"
    r"|\\\((?P<round>.{1,600}?)\\\)"
    r"|\\\[(?P<square>.{1,1200}?)\\\]",
    re.DOTALL,
)
_OPEN = re.compile(r"\s*(?P<open>\$\$|\\\[)")
_CLOSE = {"$$": "$$", "\\[": "\\]"}


LONGEST = 2000
"""Characters of a formula that is made readable; nobody reads a longer one in a chat."""
DEEPEST = 30
"""Braces within braces: the converter is recursive."""

_ROOT = re.compile(r"\\sqrt(?:\[(?P<index>[234])\])?\{(?P<body>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
_ROOT_SIGNS = {None: "√", "2": "√", "3": "∛", "4": "∜"}
_convert: Callable[[str], str] = LatexToUnicodeHelper().convert


def readable(latex: str) -> str:
    """Word a formula in Unicode on one or few lines; what is not understood stays as LaTeX."""
    if len(latex) > LONGEST or _depth(latex) > DEEPEST:
        return latex
    while (rooted := _ROOT.sub(_root, latex)) != latex:
        latex = rooted
    lines = [" ".join(line.split()) for line in _convert(latex).splitlines()]
    return "\n".join(line for line in lines if line) or latex


def _root(match: re.Match[str]) -> str:
    """Put brackets under a root: phones draw no line over it."""
    body = match["body"]
    return _ROOT_SIGNS[match["index"]] + (body if len(body) == 1 else f"({body})")


def _depth(latex: str) -> int:
    deepest = depth = 0
    for char in latex:
        depth += (char == "{") - (char == "}")
        deepest = max(deepest, depth)
    return deepest


def formulas(md: MarkdownIt) -> None:
    """Teach a parser formulas: inline and block tokens of type `formula`, the source without its delimiters inside."""
    md.inline.ruler.before("escape", TOKEN, _inline)
    md.block.ruler.before("fence", TOKEN, _block, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    match = _INLINE.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push(TOKEN, "", 0)
        token.content = next(group for group in match.groups() if group is not None).strip()
    state.pos = match.end()
    return True


def _block(state: StateBlock, first_line: int, end_line: int, silent: bool) -> bool:
    """A line that begins with a display delimiter, up to the line that ends with its partner."""
    if state.is_code_block(first_line):
        return False
    opened = _OPEN.match(_line(state, first_line))
    if opened is None:
        return False
    close = _CLOSE[opened["open"]]
    last = _last_line(state, first_line, end_line, opened, close)
    if last is None:
        return False
    if not silent:
        lines = [_line(state, line) for line in range(first_line, last + 1)]
        token = state.push(TOKEN, "", 0)
        token.content = "\n".join(lines).strip()[len(opened["open"]) : -len(close)].strip()
        token.block = True
        token.map = [first_line, last + 1]
        state.line = last + 1
    return True


def _last_line(state: StateBlock, first: int, end: int, opened: re.Match[str], close: str) -> int | None:
    rest = _line(state, first)[opened.end() :].rstrip()
    if close in rest:
        return first if rest.endswith(close) and rest.count(close) == 1 else None
    for line in range(first + 1, end):
        text = _line(state, line).rstrip()
        if text.endswith(close):
            return line
        if close in text:
            return None
    return None


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
