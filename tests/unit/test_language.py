"""Languages of questions, sources and their parts."""

import pytest

from core.retrieval.language import detect_language, part_language

RUSSIAN = "Эта статья рассказывает о том, как люди учатся читать и писать, и почему это занимает годы. " * 5
ENGLISH = "This article tells how people learn to read and to write, and why it takes them many years. " * 5
GERMAN = "Dieser Artikel erzählt davon, wie Menschen lesen und schreiben lernen und warum es Jahre dauert. " * 5
UKRAINIAN = "Ця стаття розповідає про те, як люди вчаться читати й писати, і чому це триває роками. " * 5


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("где упоминается GPT-4 Turbo?", "ru"),
        ("что такое PtCl6", "ru"),
        ("what is BCoV", "en"),
        ("300SL", "en"),
        ("", "en"),
        ("?!", "en"),
        ("Hello, как дела у команды", "ru"),
        (RUSSIAN, "ru"),
        (ENGLISH, "en"),
        (GERMAN, "de"),
        (UKRAINIAN, "uk"),
    ],
)
def test_a_language_is_told_from_few_words_and_from_many(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_a_list_of_foreign_names_in_a_russian_text_stays_russian() -> None:
    names = "Love Me Do, Twist and Shout, She Loves You, I Want to Hold Your Hand, Yesterday, Michelle, Girl"
    assert part_language(f"Альбомы: {names}", "ru") == "ru"
    assert part_language("EMI, Parlophone, Capitol, Apple Records, Northern Songs", "ru") == "ru"


def test_a_part_that_runs_in_another_language_is_told_apart() -> None:
    assert part_language(ENGLISH, "ru") == "en"
    assert part_language(RUSSIAN, "en") == "ru"
    assert part_language(GERMAN, "de") == "de"
    assert part_language("12 345 — 67", "ru") == "ru"
