"""Find a quote in a text, exactly but for what typography, hyphenation and Markdown change."""

from __future__ import annotations

import re
from dataclasses import dataclass
from unicodedata import normalize

from core.evidence.sentences import Span, split_sentences
from core.evidence.word_lists import NEGATIONS
from core.evidence.words import tokens

_PLAIN = r"[A-Za-zА-Яа-я0-9,.;:!?()%/ ](?![\u0300-\u036f])"
_PIECE = re.compile(
    rf"(?P<plain>(?:(?<! ){_PLAIN})+)"
    r"|(?P<hyphen>(?<=[^\W\d_])[-‐‑‒–¬\u00ad](?:[ \t]*\n\s*)?(?=[^\W\d_]))"
    r"|(?P<space>\s+)"
    r"|(?P<nothing>[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\u0300\u0301]+"
    r"|[*`]+|~~|(?<!\w)_+|_+(?!\w)|\\(?=[^\w\s])|(?:(?<=\n)|(?<![\s\S]))#{1,6}(?=\s))"
    r"|(?P<other>[\s\S][\u0300-\u036f]*)"
)
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("«»„“”‟〝〞″", '"'),
        **dict.fromkeys("‘’‚‛ʼ′`´", "'"),
        **dict.fromkeys("‐‑‒–—―−¬", "-"),
        "[": "(",  # passages are shown to the model with their own references `[12]` as `(12)`
        "]": ")",
        "ё": "е",
        "Ё": "Е",
        "\u0301": None,
        "\u0300": None,
    }
)
_OUTER = "\"'.,;:!?-… \n\t()[]"


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalised text; character `i` stands for `[starts[i], ends[i])` of the original."""

    text: str
    starts: list[int]
    ends: list[int]


def normalize_for_match(text: str) -> Normalized:
    """Bring a text to the form in which quotes are compared.

    NFKC, ё as е, one kind of quotes, dashes and space, no soft hyphens, no hyphen inside a word (so that
    hyphenation at a line's end does not matter), no Markdown emphasis. Case is kept.
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _PIECE.finditer(text):
        if match.lastgroup == "plain":
            pieces.append(match.group())
            starts.extend(range(match.start(), match.end()))
            ends.extend(range(match.start() + 1, match.end() + 1))
        elif replaced := _replace(match, pieces[-1][-1] if pieces else ""):
            pieces.append(replaced)
            starts.extend([match.start()] * len(replaced))
            ends.extend([match.end()] * len(replaced))
    return Normalized("".join(pieces), starts, ends)


def _replace(match: re.Match[str], previous: str) -> str:
    if match.lastgroup == "space":
        return "" if previous == " " else " "
    if match.lastgroup == "other":
        plain = normalize("NFKC", match.group()).translate(_TYPOGRAPHY)
        return plain if not plain.isspace() else "" if previous == " " else " "
    return ""


def locate(quote: str, text: str | Normalized) -> Span | None:
    """Find a quote at word boundaries, first with its own case, then in any.

    Quotation marks, dots and dashes round the quote are not part of it.

    Returns:
        Its range in the original text, None if it is not there or has no word.
    """
    wanted = normalize_for_match(quote).text.strip(_OUTER)
    if not wanted:
        return None
    haystack = text if isinstance(text, Normalized) else normalize_for_match(text)
    pattern = r"(?<!\w)" * wanted[0].isalnum() + re.escape(wanted) + r"(?!\w)" * wanted[-1].isalnum()
    found = re.search(pattern, haystack.text) or re.search(pattern, haystack.text, re.IGNORECASE)
    return Span(haystack.starts[found.start()], haystack.ends[found.end() - 1]) if found else None


def find_quote(quote: str, text: str) -> Span | None:
    """Find a quote that says what its source says: in its place word by word, without a negation left out.

    Returns:
        Its range in `text`; None too if the sentence it is cut from holds a "не" or "not" outside the quote.
    """
    span = locate(quote, text)
    return None if span is None or leaves_out_negation(span, text) else span


def leaves_out_negation(span: Span, text: str) -> bool:
    """Tell whether a sentence that the span only partly covers has a negation in its other part."""
    for sentence in split_sentences(text):
        if sentence.end <= span.start or sentence.start >= span.end:
            continue
        outside = (text[sentence.start : max(sentence.start, span.start)], text[span.end : sentence.end])
        if any(has_negation(part) for part in outside):
            return True
    return False


def has_negation(text: str) -> bool:
    """Tell whether a text holds a negating word."""
    return any(token.lower in NEGATIONS or token.lower.endswith("n't") for token in tokens(text))
