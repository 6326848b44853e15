"""Rich messages."""

from __future__ import annotations

import pytest

from bot.sandbox.errors import ApiError
from bot.sandbox.rich import read_rich_message

HTML = (
    "<h2>Title</h2><p>A <b>bold <i>both</i></b> text<a href='#note-1'><sup>1</sup></a></p>"
    "<ul><li>one</li><li><input type='checkbox' checked>two</li></ul><ol start='3' type='a'><li>c</li></ol>"
    "<table bordered><tr><th>A</th><td align='right'>1</td></tr></table><blockquote>q<cite>me</cite></blockquote>"
    "<details open><summary>S</summary><p>d</p></details><pre><code class='language-py'>x < 1\n</code></pre><hr/>"
    "<tg-math-block>E = mc^2</tg-math-block><p><tg-reference name='note-1'>source</tg-reference></p>"
).replace("x < 1", "x &lt; 1")


def test_html_becomes_blocks():
    blocks = read_rich_message({"html": HTML})["blocks"]

    assert [block["type"] for block in blocks] == [
        "heading", "paragraph", "list", "list", "table", "blockquote", "details", "pre", "divider",
        "mathematical_expression", "paragraph",
    ]  # fmt: skip
    assert blocks[1]["text"] == [
        "A ", {"type": "bold", "text": ["bold ", {"type": "italic", "text": "both"}]}, " text",
        {"type": "reference_link", "text": {"type": "superscript", "text": "1"}, "reference_name": "note-1"},
    ]  # fmt: skip
    assert [item["label"] for item in blocks[2]["items"]] == ["•", "•"]
    assert blocks[2]["items"][1]["is_checked"]
    assert blocks[3]["items"][0]["label"] == "c."
    assert blocks[4]["cells"][0][1] == {"align": "right", "valign": "top", "text": "1"}
    assert blocks[5]["credit"] == "me"
    assert blocks[6]["is_open"]
    assert (blocks[7]["text"], blocks[7]["language"]) == ("x < 1\n", "py")


def test_markdown_becomes_the_same_blocks():
    source = "## T\n\nA **b** `c<d` $x^2$\n\n- [x] a\n\n3. c\n\n| A |\n|:-:|\n| 1 |\n\n> q\n\n```py\nx\n```\n\n---\n"
    source += "\nsee[^1]\n\n[^1]: n"
    blocks = read_rich_message({"markdown": source})["blocks"]

    assert [block["type"] for block in blocks] == [
        "heading", "paragraph", "list", "list", "table", "blockquote", "pre", "divider", "paragraph", "paragraph",
    ]  # fmt: skip
    assert blocks[1]["text"] == [
        "A ", {"type": "bold", "text": "b"}, " ", {"type": "code", "text": "c<d"}, " ",
        {"type": "mathematical_expression", "expression": "x^2"},
    ]  # fmt: skip
    assert blocks[4]["cells"][1][0]["align"] == "center"


@pytest.mark.parametrize(("given", "reason"), [
    ({}, "rich message text is empty"),
    ({"html": "<p>a"}, 'can\'t parse rich message: Can\'t find end tag corresponding to start tag "p"'),
    ({"html": "<script>a</script>"}, 'can\'t parse rich message: Unsupported start tag "script"'),
    ({"html": "<p>" + "x" * 32_769 + "</p>"}, "rich message is too long"),
    ({"html": "<hr/>" * 501}, "too many blocks in the rich message"),
    ({"html": "<table><tr>" + "<td>x</td>" * 21 + "</tr></table>"}, "too many columns in a table of the rich message"),
    ({"html": "<blockquote>" * 17 + "x" + "</blockquote>" * 17}, "blocks of the rich message are nested too deep"),
])  # fmt: skip
def test_refused_rich_messages(given, reason):
    with pytest.raises(ApiError) as refused:
        read_rich_message(given)

    assert refused.value.description == f"Bad Request: {reason}"


async def test_a_rich_message_is_sent_and_drafted(play, await_event):
    ada = await play.friend()
    async with await play.events(ada) as socket:
        await play.ok("sendRichMessageDraft", chat_id=ada["id"], draft_id=3, rich_message={"html": "<p>a</p>"})
        draft = await await_event(socket, "draft")
    sent = await play.ok("sendRichMessage", chat_id=ada["id"], rich_message={"blocks": [
        {"type": "list", "items": [{"blocks": [{"type": "paragraph", "text": "x"}], "value": 2}]},
    ]})  # fmt: skip

    assert draft["rich_message"]["blocks"] == [{"type": "paragraph", "text": "a"}]
    assert sent["rich_message"]["blocks"][0]["items"][0]["label"] == "2."
