"""Tell mojibake and broken ToUnicode maps from text, without a dictionary."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import hypot

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
_MIN_WORDS = 60
# A list of names or a table may do without a little word; so long a text does not.
_MIN_DISTINCT = 30
# Different words from which the letters' proportions tell anything.

_FREQUENCIES = (
    (dict(zip("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", (110, 85, 80, 74, 67, 63, 55, 47, 45, 44, 35, 32, 30, 28, 26, 20, 19,
             17, 17, 17, 16, 14, 12, 10, 9, 7, 6, 5, 4, 3, 3, 0, 0), strict=True)), 0.5),
    (dict(zip("etaoinshrdlcumwfgypbvkjxqz", (127, 91, 82, 75, 70, 68, 63, 61, 60, 43, 40, 28, 28, 24, 24, 22, 20, 20,
             19, 13, 10, 8, 2, 2, 1, 1), strict=True)), 0.8),
)  # fmt: skip
# Per mille of the letters in Russian and in English; and their least share of a text's letters to be compared.

_MIN_ANGLE = 0.72
# Cosine between frequencies: Kazakh has 0.77, Polish 0.80; exchanged letters have 0.46 to 0.70.

_CYRILLIC, _LATIN = re.compile("[Ѐ-ԯ]"), re.compile("[A-Za-zÀ-ɏ]")
_WORD = re.compile(r"[^\W\d_]+")
_RULES = re.compile(r"[|]|-{3,}|[.…_]{3,}|(?:\. ){3,}|`|\*|#|https?://\S+")
_NATIONAL_CYRILLIC = frozenset("ЁёЄєІіЇїҐґЎўЂђЈјЉљЊњЋћЏџЃѓЌќЅѕҒғҚқҢңӨөҮүҰұҺһӘә")


def is_garbled(text: str) -> bool:
    """Say whether a text is something else than what its reader sees.

    The marks, each measured on Russian, English and German pages and on pages with broken maps: private-use and
    unmapped characters; Latin-1 or phonetic letters where a European language has few; Cyrillic letters that no
    language uses so often, or that stand beside Latin ones in one word; a long text without any little word
    whose letters are as frequent as in no language.

    Args:
        text: Markdown of one page, or a whole text.
    """
    plain = _RULES.sub(" ", text)
    visible = _counted(plain, lambda character: not character.isspace())
    unmapped = _share(visible, _is_unmapped)
    if unmapped > 0.3 or (unmapped > 0.05 and visible.total() >= _MIN_LETTERS):
        return True
    letters = _counted(plain, str.isalpha)
    if letters.total() < _MIN_LETTERS:
        return False
    return any(_share(letters, test) > limit for test, limit in _STRANGE) or _strange_words(plain)


def is_rubble(text: str) -> bool:
    """Say whether a printed page is mostly signs that are neither letters nor digits: what an empty map leaves."""
    visible = _counted(_RULES.sub(" ", text), lambda character: not character.isspace())
    return visible.total() >= 2 * _MIN_LETTERS and _share(visible, _is_loose) > 0.45


def _counted(text: str, keep: Callable[[str], bool]) -> Counter[str]:
    """Count the characters of a text that pass a test."""
    return Counter({character: count for character, count in Counter(text).items() if keep(character)})


def _share(characters: Counter[str], test: Callable[[str], bool]) -> float:
    """Return the share of the characters that pass a test, 0 of none."""
    return sum(count for one, count in characters.items() if test(one)) / max(1, characters.total())


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


def _is_phonetic(character: str) -> bool:
    """Where a font numbers its glyphs, Cyrillic often lands among the phonetic letters."""
    return "ɐ" <= character <= "˿"


_STRANGE = ((_is_latin1, 0.35), (_is_rare_cyrillic, 0.05), (_is_phonetic, 0.2))
# Of the letters; French has 0.06 of Latin-1, Vietnamese 0.25.


def _strange_words(text: str) -> bool:
    """Judge by words: two alphabets in one, capitals inside, and no little word at all."""
    words = Counter(_WORD.findall(text))
    total = max(1, words.total())
    odd = sum(count for word, count in words.items() if _is_odd(word)) / total
    if odd > 0.25:
        return True
    little = sum(count for word, count in words.items() if word.lower() in _STOP_WORDS) / total
    if total < _MIN_WORDS:
        return False
    varied = len(words) >= _MIN_DISTINCT  # a few words repeated have nobody's proportions and are no cipher
    return (little < 0.01 and odd > 0.08) or (little < 0.15 and varied and _is_cipher(text))


def _is_odd(word: str) -> bool:
    """Say whether a word mixes alphabets, or is Cyrillic and holds a capital behind a small letter."""
    if not _CYRILLIC.search(word):
        return False
    return bool(_LATIN.search(word)) or any(a.islower() and b.isupper() for a, b in pairwise(word))


def _is_cipher(text: str) -> bool:
    """Say whether the letters are in no language's proportions."""
    counted = Counter(text.lower())
    letters = sum(count for letter, count in counted.items() if letter.isalpha())
    for frequencies, least in _FREQUENCIES:
        seen = [counted[letter] for letter in frequencies]
        if sum(seen) >= least * letters:
            product = sum(count * usual for count, usual in zip(seen, frequencies.values(), strict=True))
            return product < _MIN_ANGLE * hypot(*seen) * hypot(*frequencies.values())
    return False
