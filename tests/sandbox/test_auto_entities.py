"""What Telegram finds in a text by itself, and how it cleans the text."""

from __future__ import annotations

import pytest

from bot.sandbox.auto_entities import find_entities
from bot.sandbox.cleaning import clean
from bot.sandbox.limits import utf16_slice

FOUND = [
    ("/start@my_bot now", [("bot_command", "/start@my_bot")]),
    ("(/help)", [("bot_command", "/help")]),
    ("a/b //x </c /d/e", []),
    ("hi @alice, @al a@b", [("mention", "@alice")]),
    ("#тег #123 a#b #x2", [("hashtag", "#тег"), ("hashtag", "#x2")]),
    ("see example.com.", [("url", "example.com")]),
    ("(http://a.com/x_(y))", [("url", "http://a.com/x_(y)")]),
    ("https://ru.wikipedia.org/wiki/Пример, да", [("url", "https://ru.wikipedia.org/wiki/Пример")]),
    ("сайт.рф t.me/x?y=1!", [("url", "сайт.рф"), ("url", "t.me/x?y=1")]),
    ("file.txt main.py 1.2 http://localhost/", []),
    ("user@mail.ru mailto:a@b.com", [("email", "user@mail.ru"), ("email", "a@b.com")]),
    ("https://youtu.be/dQw4w9WgXcQ?t=1", [("url", "https://youtu.be/dQw4w9WgXcQ?t=1")]),
    ("😀 /start", [("bot_command", "/start")]),
    ("https://x.com/@name/#tag", [("url", "https://x.com/@name/#tag")]),
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_links_commands_and_mentions_are_found(text, expected):
    found = find_entities(text)

    assert [(e["type"], utf16_slice(text, e["offset"], e["length"])) for e in found] == expected


def test_nothing_is_found_in_code_or_under_a_link():
    link = {"type": "text_link", "offset": 6, "length": 5, "url": "a.com"}
    entities = [{"type": "code", "offset": 0, "length": 5}, link]

    assert [e["type"] for e in clean("x.com y.com", entities)[1]] == ["code", "text_link"]


def test_control_characters_become_spaces_and_margins_go():
    assert clean(" \n\ta\x00b\r\nc\u202e \n", []) == ("a b\nc", [])


def test_space_at_the_start_stays_under_an_entity():
    assert clean("  a", [{"type": "bold", "offset": 0, "length": 3}])[0] == "  a"


def test_entities_follow_removed_characters():
    text, found = clean("a\r\nb", [{"type": "bold", "offset": 3, "length": 1}])

    assert (text, found) == ("a\nb", [{"type": "bold", "offset": 2, "length": 1}])


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "\ufeff\u200d"])
def test_a_text_that_cannot_be_seen_is_empty(text):
    assert clean(text, []) == ("", [])


def test_entities_beyond_a_hundred_are_dropped():
    entities = [{"type": "bold", "offset": 2 * n, "length": 1} for n in range(120)]

    assert len(clean("ab" * 120, entities)[1]) == 100
