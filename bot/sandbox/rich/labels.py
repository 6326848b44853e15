"""The labels of ordered lists."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def label(number: int, kind: str) -> str:
    """Return an item's label, such as "3." or "c." or "iii.".

    Args:
        number: The item's number.
        kind: `1`, `a`, `A`, `i` or `I`.
    """
    if kind in {"a", "A"} and number > 0:
        text = _letters(number)
    elif kind in {"i", "I"} and number > 0:
        text = _roman(number)
    else:
        text = str(number)
    return f"{text.upper() if kind in {'A', 'I'} else text}."


def _letters(number: int) -> str:
    text = ""
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        text += sign * count
    return text
