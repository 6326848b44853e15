"""Whatever a model writes, nothing is lost, nothing is torn, and Telegram takes it."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.highlight import highlight
from bot.rich_text import RichText, clean, render, split, utf16_len
from bot.sandbox.cleaning import clean as telegram_clean

PIECES = st.sampled_from(
    [
        *("слово", "word", " ", "\n", "\n\n", "😀", "👨\u200d👩\u200d👧", "é", "[1]", "[2][3]", "\t", "\x00", "\u2028"),
        *("**", "*", "_", "~~", "`", "```py\n", "```\n", "# ", "- ", "1. ", "> ", "---\n", "    ", "\\"),
        *("| a | b |\n|---|---|\n| c | d |\n", "|", "[x](http://a.b)", "![", "](", "[", "]", "(", ")"),
        *("$x_1$", "$$", "\\(", "\\)", "<b>", "&amp;", "&"),
    ]
)
MARKDOWN = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=200))
ANY_TEXT = st.one_of(
    st.lists(st.sampled_from(["a", "ж", "😀", " ", "\n", "\n\n", ". ", "e\u0301", "👍🏽"]), max_size=120).map("".join),
    st.text(max_size=120),
)
KINDS = ("bold", "italic", "code", "pre", "blockquote", "text_link")


@st.composite
def rich_texts(draw: st.DrawFn) -> RichText:
    """Any text with any entities that lie on its characters."""
    text = clean(draw(ANY_TEXT))
    entities = []
    for _ in range(draw(st.integers(0, 6)) if text else 0):
        first = draw(st.integers(0, len(text) - 1))
        last = draw(st.integers(first + 1, len(text)))
        offset = utf16_len(text[:first])
        length = utf16_len(text[first:last])
        entities.append({"type": draw(st.sampled_from(KINDS)), "offset": offset, "length": length})
    return RichText(text, tuple(entities))


def styles_of_characters(rich: RichText) -> list[tuple[str, frozenset[str]]]:
    """Each character with the kinds of entity over it."""
    at = 0
    found = []
    for char in rich.text:
        over = {e["type"] for e in rich.entities if e["offset"] <= at < e["offset"] + e["length"]}
        found.append((char, frozenset(over)))
        at += utf16_len(char)
    return found


def assert_on_characters(rich: RichText) -> None:
    """No entity is empty, leaves the text or tears a surrogate pair."""
    borders = {utf16_len(rich.text[:at]) for at in range(len(rich.text) + 1)}
    for entity in rich.entities:
        assert entity["length"] > 0
        assert entity["offset"] in borders
        assert entity["offset"] + entity["length"] in borders


@given(rich_texts(), st.integers(2, 60))
def test_parts_joined_are_the_text_and_fit(rich: RichText, limit: int) -> None:
    parts = split(*rich, limit=limit)
    assert "".join(part.text for part in parts) == rich.text
    for part in parts:
        assert utf16_len(part.text) <= limit
        assert_on_characters(part)


@given(rich_texts(), st.integers(2, 60))
def test_every_character_keeps_its_styles_over_a_cut(rich: RichText, limit: int) -> None:
    parts = split(*rich, limit=limit)
    assert [pair for part in parts for pair in styles_of_characters(part)] == styles_of_characters(rich)


@given(MARKDOWN)
@settings(max_examples=300)
def test_any_markdown_becomes_a_text_with_entities_on_it(markdown: str) -> None:
    rich = render(markdown)
    assert_on_characters(rich)
    assert rich.text == clean(rich.text)


@given(MARKDOWN)
@settings(max_examples=300)
def test_no_word_of_any_markdown_is_lost(markdown: str) -> None:
    words = re.findall(r"слово|word|😀", markdown)
    shown = render(markdown)
    links = " ".join(entity.get("language", "") + entity.get("url", "") for entity in shown.entities)
    for word in set(words):
        assert shown.text.count(word) + links.count(word) >= min(words.count(word), 1)


@given(MARKDOWN)
def test_telegram_changes_nothing_but_the_edges(markdown: str) -> None:
    rich = render(markdown)
    if not rich.text.strip():
        return
    text, _ = telegram_clean(rich.text, [dict(entity) for entity in rich.entities])
    assert text.split() == rich.text.split()


@given(MARKDOWN, MARKDOWN, MARKDOWN)
def test_any_passage_is_shown_without_its_marks(before: str, quote: str, after: str) -> None:
    rich = highlight(before, quote, after)
    assert_on_characters(rich)
    assert not re.search("[\ue000\ue001]", rich.text)


@given(st.text(st.characters(codec=None, categories=None), max_size=80))
def test_cleaning_leaves_what_can_be_stored_and_does_it_once(text: str) -> None:
    cleaned = clean(text)
    assert "\x00" not in cleaned
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert clean(cleaned) == cleaned
