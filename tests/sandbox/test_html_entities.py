"""Telegram's HTML: what TDLib parses, refuses and how it counts."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.sandbox.cleaning import clean
from bot.sandbox.entity_rules import CODE, SPLITTABLE, end_of
from bot.sandbox.errors import ApiError
from bot.sandbox.html_entities import parse_html
from bot.sandbox.limits import utf16_len, utf16_slice

PARSED = [
    ("<b>a</b>", "a", [("bold", 0, 1)]),
    ("<strong>a</strong><em>b</em>", "ab", [("bold", 0, 1), ("italic", 1, 1)]),
    ("<ins>a</ins><strike>b</strike><del>c</del>", "abc",
     [("underline", 0, 1), ("strikethrough", 1, 1), ("strikethrough", 2, 1)]),
    ('<span class="tg-spoiler">a</span><tg-spoiler>b</tg-spoiler>', "ab", [("spoiler", 0, 1), ("spoiler", 1, 1)]),
    ("<pre>a</pre> <code>b</code>", "a b", [("pre", 0, 1), ("code", 2, 1)]),
    ("<blockquote>a</blockquote>", "a", [("blockquote", 0, 1)]),
    ("<blockquote expandable>a</blockquote>", "a", [("expandable_blockquote", 0, 1)]),
    ("😀<b>😀</b>", "😀😀", [("bold", 2, 2)]),
    ("<B>a</>", "a", [("bold", 0, 1)]),
    ("<b></b>a", "a", []),
    ("a &amp; b &lt;&gt;&quot; &#65;&#x42; &nbsp; & &#0;", 'a & b <>" AB &nbsp; & &#0;', []),
    ("&ltb", "&ltb", []),
    ("&lt b", "< b", []),
]  # fmt: skip

REFUSED = [
    ("<b>unclosed", 'Can\'t find end tag corresponding to start tag "b"'),
    ("<script>x</script>", 'Unsupported start tag "script" at byte offset 0'),
    ("я <p>x", 'Unsupported start tag "p" at byte offset 3'),
    ("<b><i>test</b></i>", 'Unmatched end tag at byte offset 10, expected "</i>", found "</b>"'),
    ("a</b>", "Unexpected end tag at byte offset 1"),
    ("a < b", 'Unsupported start tag "" at byte offset 2'),
    ("a <b", "Unclosed start tag at byte offset 2"),
    ("<b>a</b", "Unclosed end tag at byte offset 4"),
    ("<a href>x</a", "Unclosed end tag at byte offset 9"),
    ('<a ="x">y</a>', 'Empty attribute name in the tag "a" at byte offset 0'),
    ("<a href=x_y>z</a>", "Unexpected end of name token at byte offset 8"),
    ("<a href=", 'Unclosed start tag "a" at byte offset 0'),
    ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    ('<tg-emoji emoji-id="9999999999999999999">x</tg-emoji>', "Invalid custom emoji identifier specified"),
]


@pytest.mark.parametrize(("source", "text", "entities"), PARSED)
def test_html_becomes_text_and_entities_in_utf16_units(source, text, entities):
    plain, found = parse_html(source)

    assert plain == text
    assert [(e["type"], e["offset"], e["length"]) for e in found] == entities


@pytest.mark.parametrize(("source", "reason"), REFUSED)
def test_broken_html_is_refused_in_tdlibs_words(source, reason):
    with pytest.raises(ApiError) as refused:
        parse_html(source)

    assert refused.value.description == f"Bad Request: can't parse entities: {reason}"
    assert refused.value.code == 400


@pytest.mark.parametrize("source", ['<pre><code class="language-py">x</code></pre>',
                                    '<code class="language-py"><pre>x</pre></code>'])  # fmt: skip
def test_code_in_pre_is_one_pre_with_a_language(source):
    assert parse_html(source)[1] == [{"type": "pre", "offset": 0, "length": 1, "language": "py"}]


def test_a_language_of_code_alone_is_forgotten():
    assert parse_html('<code class="language-py">x</code>')[1] == [{"type": "code", "offset": 0, "length": 1}]


@pytest.mark.parametrize(("source", "entity"), [
    ('<a href="http://a.com/?x=1&amp;y=2">t</a>', {"type": "text_link", "url": "http://a.com/?x=1&y=2"}),
    ("<a href='a.com'>t</a>", {"type": "text_link", "url": "http://a.com/"}),
    ("<a href=\"tg://user?id=7\">t</a>",
     {"type": "text_mention", "user": {"id": 7, "is_bot": False, "first_name": "7"}}),
])  # fmt: skip
def test_links_are_completed(source, entity):
    assert clean(*parse_html(source)) == ("t", [{"offset": 0, "length": 1, **entity}])


def test_a_link_without_an_address_takes_its_text():
    assert clean(*parse_html("<a>a.com/x</a>"))[1][0]["url"] == "http://a.com/x"


def test_a_link_that_is_none_is_plain_text():
    assert clean(*parse_html("<a href='nonsense'>t</a>")) == ("t", [])


def test_styles_are_cut_where_a_link_begins_and_ends():
    text, found = clean(*parse_html("<b>a <a href='x.com'>b</a> c</b>"))

    assert text == "a b c"
    assert [(e["type"], e["offset"], e["length"]) for e in found] == [
        ("bold", 0, 2), ("text_link", 2, 1), ("bold", 2, 1), ("bold", 3, 2),
    ]  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_an_escaped_text_comes_through_as_it_was(text):
    text = text.encode("utf-8", "ignore").decode()

    assert parse_html(escape(text, quote=False)) == (text, [])


TAGS = {"b": "bold", "i": "italic", "u": "underline", "s": "strikethrough", "tg-spoiler": "spoiler", "code": "code"}
texts = st.text(alphabet="ab я<&😀\n", max_size=4).map(lambda text: escape(text, quote=False))
markup = st.recursive(
    texts,
    lambda inner: st.tuples(st.sampled_from(sorted(TAGS)), st.lists(inner, max_size=3)).map(
        lambda parts: f"<{parts[0]}>{''.join(parts[1])}</{parts[0]}>"
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=200)
@given(st.lists(markup, max_size=4).map("".join))
def test_cleaned_entities_lie_in_the_text_nest_and_leave_code_alone(source):
    text, found = clean(*parse_html(source))

    end = utf16_len(text)
    for entity in found:
        assert 0 <= entity["offset"] < end_of(entity) <= end
        assert "\ufffd" not in utf16_slice(text, entity["offset"], entity["length"])
    for one in found:
        for other in found:
            apart = end_of(one) <= other["offset"] or end_of(other) <= one["offset"]
            one_in_other = other["offset"] <= one["offset"] and end_of(one) <= end_of(other)
            other_in_one = one["offset"] <= other["offset"] and end_of(other) <= end_of(one)
            assert apart or one_in_other or other_in_one
            assert apart or one is other or not (one["type"] in CODE and other["type"] in SPLITTABLE)


small = st.integers(0, 8)
spans = st.fixed_dictionaries(
    {"type": st.sampled_from([*SPLITTABLE, "code", "blockquote"]), "offset": small, "length": small}
)


@settings(deadline=None, max_examples=200)
@given(st.lists(spans, max_size=6))
def test_cleaning_twice_changes_nothing(entities):
    text, once = clean("0123456789abcdef", entities)

    assert clean(text, once) == (text, once)
