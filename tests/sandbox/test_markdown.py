"""The two Markdown dialects."""

from __future__ import annotations

import pytest

from bot.sandbox.errors import ApiError
from bot.sandbox.markdown_legacy import parse_markdown
from bot.sandbox.markdown_v2 import parse_markdown_v2


def kinds(entities):
    return [(entity["type"], entity["offset"], entity["length"]) for entity in entities]


@pytest.mark.parametrize(("source", "text", "entities"), [
    ("*b* _i_ __u__ ~s~ ||x||", "b i u s x",
     [("bold", 0, 1), ("italic", 2, 1), ("underline", 4, 1), ("strikethrough", 6, 1), ("spoiler", 8, 1)]),
    ("*b _i_*", "b i", [("italic", 2, 1), ("bold", 0, 3)]),
    (r"hello\.", "hello.", []),
    ("`a*b`", "a*b", [("code", 0, 3)]),
    ("```py\nx = 1\n```", "x = 1\n", [("pre", 0, 6)]),
    (">a\n>b\nc", "a\nb\nc", [("blockquote", 0, 3)]),
    (">a\n>b||", "a\nb", [("expandable_blockquote", 0, 3)]),
    ("😀*b*", "😀b", [("bold", 2, 1)]),
])  # fmt: skip
def test_markdown_v2_becomes_text_and_entities(source, text, entities):
    plain, found = parse_markdown_v2(source)

    assert (plain, kinds(found)) == (text, entities)


@pytest.mark.parametrize(("source", "reason"), [
    ("*unclosed", "Can't find end of Bold entity at byte offset 0"),
    (r"*bold _italic\_*", "Can't find end of Bold entity at byte offset 15"),
    ("hello.", r"Character '.' is reserved and must be escaped with the preceding '\'"),
    ("a-b", r"Character '-' is reserved and must be escaped with the preceding '\'"),
    ("a|b", r"Character '|' is reserved and must be escaped with the preceding '\'"),
    ("a>b", r"Character '>' is reserved and must be escaped with the preceding '\'"),
    ("hello!", r"Character '!' is reserved and must be escaped with the preceding '\'"),
    ("[a](http://x", "Can't find end of a URL at byte offset 4"),
    ("![a]", "Custom emoji entity must contain a tg://emoji URL"),
])  # fmt: skip
def test_broken_markdown_v2_is_refused_in_tdlibs_words(source, reason):
    with pytest.raises(ApiError) as refused:
        parse_markdown_v2(source)

    assert refused.value.description == f"Bad Request: can't parse entities: {reason}"


@pytest.mark.parametrize(("source", "text", "entities"), [
    ("*b* _i_ `c`", "b i c", [("bold", 0, 1), ("italic", 2, 1), ("code", 4, 1)]),
    ("[t](http://a.com)", "t", [("text_link", 0, 1)]),
    (r"a\_b", "a_b", []),
    ("```\nx```", "x", [("pre", 0, 1)]),
])  # fmt: skip
def test_legacy_markdown_becomes_text_and_entities(source, text, entities):
    plain, found = parse_markdown(source)

    assert (plain, kinds(found)) == (text, entities)


def test_broken_legacy_markdown_is_refused():
    with pytest.raises(ApiError) as refused:
        parse_markdown("я *unclosed")

    expected = "Can't find end of the entity starting at byte offset 3"
    assert refused.value.description == f"Bad Request: can't parse entities: {expected}"
