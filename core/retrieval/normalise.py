"""One normal form of words for the index and the question alike.

Postgres' parser reads `GPT-4` as "gpt" and the number -4, `C++` as "c", a path as a file. So words are found here
and handed over as plain words between spaces; Postgres only stems them.
"""

from __future__ import annotations

import re
import unicodedata

_SYMBOLS = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet", "g++": "gplusplus", "++": "plusplus"}
_SYMBOL = re.compile(r"(?<![^\W_])(?:[cg]\+\+|[cf]\#|\.net)(?![^\W_])")
_CODE = re.compile(r"[^\W_]+(?:[-‐‑–−./:][^\W_]+)+")
_DASHES = re.compile(r"[-‐‑–−/:]")
_SEPARATORS = re.compile(r"[-‐‑–−./:]")
_WORD = re.compile(r"[^\W_]+")
_DROPPED = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_KEPT_MARKS = frozenset({"\u0306"})
"""The breve of й: NFKD takes it off, and it is no stress mark."""
MAX_WORD = 100
"""Characters of a word that are kept; longer ones are no words."""


def normalise(text: str) -> str:
    """Bring text into the form in which words are compared.

    Lower case, ё as е, no stress marks or accents, no soft hyphens; compatibility forms (ligatures, full width,
    superscripts) as their plain letters. A word with inner marks stands as its parts and, when it has a digit, once
    more as one word, so that `GPT-4`, `GPT 4` and `GPT4` meet.

    Returns:
        Words of letters and digits, one space between.
    """
    return " ".join(words(text))


def words(text: str) -> list[str]:
    """List the words of `normalise`, in order."""
    plain = _plain(text)
    plain = _SYMBOL.sub(lambda found: f" {_SYMBOLS[found[0]]} ", plain)
    found: list[str] = []
    at = 0
    for code in _CODE.finditer(plain):
        found += _WORD.findall(plain, at, code.start())
        found += _parts(code[0])
        at = code.end()
    found += _WORD.findall(plain, at)
    return [word[:MAX_WORD] for word in found]


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", _DROPPED.sub("", text))
    kept = "".join(letter for letter in decomposed if letter in _KEPT_MARKS or not unicodedata.combining(letter))
    return unicodedata.normalize("NFKC", kept).lower().replace("ё", "е")


def _parts(code: str) -> list[str]:
    """Give the parts of a compound and, where digits make it a code, its dotted parts and itself as one word each."""
    parts = _SEPARATORS.split(code)
    if not any(letter.isdigit() for letter in code):
        return parts
    dotted = [group for group in _DASHES.split(code) if "." in group]
    return [*parts, *(_joined(group) for group in dict.fromkeys([*dotted, code]))]


def _joined(code: str) -> str:
    parts = _SEPARATORS.split(code)
    return "x".join(parts) if all(part.isdigit() for part in parts) else "".join(parts)
