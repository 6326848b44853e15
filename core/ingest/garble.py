"""Tell mojibake and broken ToUnicode maps from text, without a dictionary."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

_MIN_LETTERS = 40
# Fewer than these say nothing either way: a number, a heading, a formula.

_LITTLE_WORDS = """
    и в во на не с со что как по к ко от за из для до о об при или но а то это же у бы его их так также был была
    было были быть есть он она они мы вы я все всё после если может только который которые которых
    і й та що як від до для не на з із у є це або бути
    је у са се да на за и од су
    the of and to in is a an for on that with as by are this be or it at from was not you we can have has if your
    der die das und ist ein eine nicht mit auf für von den zu dem des im sich als auch es
    le la les de des et est un une dans pour que qui sur pas au du en
    el los las y es por con para una que en del se no
    o os as e um uma não com da do em para
    il di che è per non sono con del
"""
# Russian, Ukrainian, Serbian; English, German, French, Spanish, Portuguese, Italian.

_STOP_WORDS = frozenset(_LITTLE_WORDS.split())
_WORD = re.compile(r"[^\W\d_]+")
_RULES = re.compile(r"[|]|-{3,}|[.…_]{3,}|(?:\. ){3,}|`|\*|#|https?://\S+")
_NATIONAL_CYRILLIC = frozenset("ЁёЄєІіЇїҐґЎўЂђЈјЉљЊњЋћЏџЃѓЌќЅѕҒғҚқҢңӨөҮүҰұҺһӘә")


def is_garbled(text: str) -> bool:
    """Say whether a text is something else than what its reader sees.

    Four marks, each measured on Russian, English and German pages and on pages with broken maps: private-use and
    unmapped characters; Latin-1 letters where a European language has few; Cyrillic letters that no language
    uses so often, or that stand beside Latin ones in one word; a long text without any little word.

    Args:
        text: Markdown of one page, or a whole text.
    """
    plain = _RULES.sub(" ", text)
    visible = [character for character in plain if not character.isspace()]
    if _share(visible, _is_unmapped) > 0.05:
        return len(visible) >= _MIN_LETTERS or _share(visible, _is_unmapped) > 0.3
    letters = [character for character in visible if character.isalpha()]
    if len(visible) >= 2 * _MIN_LETTERS and _share(visible, _is_loose) > 0.4:
        return True
    if len(letters) < _MIN_LETTERS:
        return False
    return _strange_letters(letters) or _strange_words(plain)


def _share(characters: list[str], test: object) -> float:
    assert callable(test)
    return sum(map(test, characters)) / len(characters) if characters else 0.0


def _is_unmapped(character: str) -> bool:
    """Private use, replacement, control, or nothing at all."""
    code = ord(character)
    return 0xE000 <= code <= 0xF8FF or code in (0xFFFD, 0xFFFE, 0xFFFF) or code < 0x20 or 0x7F <= code < 0xA0


def _is_loose(character: str) -> bool:
    """Neither a letter nor a digit."""
    return not character.isalnum()


def _is_latin1(character: str) -> bool:
    return "À" <= character <= "ÿ"


def _is_rare_cyrillic(character: str) -> bool:
    return "Ѐ" <= character <= "ԯ" and not "А" <= character <= "я" and character not in _NATIONAL_CYRILLIC


def _strange_letters(letters: list[str]) -> bool:
    return _share(letters, _is_latin1) > 0.35 or _share(letters, _is_rare_cyrillic) > 0.05


def _strange_words(text: str) -> bool:
    """Judge by words: two alphabets in one, capitals inside, and no little word at all."""
    words = _WORD.findall(text)
    counted = Counter(word.lower() for word in words)
    odd = sum(map(_is_odd, words)) / len(words)
    little = sum(counted[word] for word in _STOP_WORDS) / len(words)
    if odd > 0.25:
        return True
    return len(words) >= 60 and little < 0.01 and odd > 0.08


def _is_odd(word: str) -> bool:
    """Say whether a word mixes alphabets or holds a capital behind a small letter."""
    latin = any("a" <= character <= "ɏ" or "A" <= character <= "Z" for character in word)
    cyrillic = any("Ѐ" <= character <= "ԯ" for character in word)
    return (latin and cyrillic) or any(a.islower() and b.isupper() for a, b in pairwise(word))
