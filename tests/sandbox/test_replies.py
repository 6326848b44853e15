"""Answers, quotes, forwards and copies."""

from __future__ import annotations

import pytest


@pytest.fixture
async def ada(play):
    return await play.friend()


@pytest.fixture
async def question(play, ada):
    return await play.say(ada, "😀 what is what?")


async def test_an_answer_shows_what_it_answers_one_level_deep(play, ada, question):
    place = {"message_id": question["message_id"]}
    first = await play.ok("sendMessage", chat_id=ada["id"], text="a", reply_parameters=place)
    await play.updates()

    await play.say(ada, "b", reply_to_message_id=first["message_id"])
    [update] = await play.updates()

    assert first["reply_to_message"]["text"] == "😀 what is what?"
    assert update["message"]["reply_to_message"]["text"] == "a"
    assert "reply_to_message" not in update["message"]["reply_to_message"]


async def test_a_quote_must_be_in_the_message_and_gets_its_position(play, ada, question):
    answer = {"chat_id": ada["id"], "text": "a"}
    message_id = question["message_id"]

    quoted = await play.ok("sendMessage", **answer, reply_parameters={"message_id": message_id, "quote": "what"})
    second = await play.ok(
        "sendMessage", **answer, reply_parameters={"message_id": message_id, "quote": "what", "quote_position": 12}
    )
    refusal = await play.refusal("sendMessage", **answer, reply_parameters={"message_id": message_id, "quote": "why"})

    assert quoted["quote"] == {"text": "what", "position": 3, "is_manual": True}
    assert second["quote"]["position"] == 11
    assert refusal == "Bad Request: QUOTE_TEXT_INVALID"


async def test_a_quotes_formatting_must_be_the_messages(play, ada):
    sent = await play.ok("sendMessage", chat_id=ada["id"], text="a <b>bold</b> b", parse_mode="HTML")
    order = {"message_id": sent["message_id"]}

    plain = await play.refusal("sendMessage", chat_id=ada["id"], text="x", reply_parameters=order | {"quote": "bold"})
    marked = await play.ok(
        "sendMessage", chat_id=ada["id"], text="x",
        reply_parameters=order | {"quote": "<b>bold</b>", "quote_parse_mode": "HTML"},
    )  # fmt: skip

    assert plain == "Bad Request: QUOTE_TEXT_INVALID"
    assert marked["quote"]["entities"] == [{"type": "bold", "offset": 0, "length": 4}]


async def test_a_person_quotes(play, ada, question):
    await play.updates()

    await play.say(ada, "this", reply_to_message_id=question["message_id"], quote="what?", quote_position=0)
    [update] = await play.updates()

    assert update["message"]["quote"] == {"text": "what?", "position": 11, "is_manual": True}


async def test_an_answer_to_another_chat_is_external(play, ada):
    club = await play.group(ada)
    there = await play.say(ada, "/ask there", club)
    place = {"message_id": there["message_id"], "chat_id": club["id"]}

    answer = await play.ok("sendMessage", chat_id=ada["id"], text="a", reply_parameters=place)

    assert "reply_to_message" not in answer
    assert answer["external_reply"]["chat"]["id"] == club["id"]
    assert answer["external_reply"]["origin"]["sender_user"]["id"] == ada["id"]


async def test_a_forward_remembers_its_first_author(play, ada, question):
    once = await play.ok("forwardMessage", chat_id=ada["id"], from_chat_id=ada["id"], message_id=question["message_id"])
    await play.updates()
    path = f"/users/{ada['id']}/chats/{ada['id']}/forward"
    body = {"from_chat_id": ada["id"], "message_ids": [once["message_id"]]}
    await play.people("POST", path, json=body)
    [update] = await play.updates()

    assert once["from"]["id"] == 42
    assert once["forward_origin"]["sender_user"]["id"] == ada["id"]
    assert update["message"]["from"]["id"] == ada["id"]
    assert update["message"]["forward_origin"] == once["forward_origin"]
    assert update["message"]["text"] == question["text"]


@pytest.mark.parametrize("origin", [
    {"type": "hidden_user", "sender_user_name": "Nobody"},
    {"type": "channel", "chat": {"id": -1009, "type": "channel", "title": "News"}, "message_id": 5},
])  # fmt: skip
async def test_a_forward_with_an_invented_origin(play, ada, origin):
    path = f"/users/{ada['id']}/chats/{ada['id']}/forward"

    await play.people("POST", path, json={"origin": origin, "text": "read x.com"})
    [update] = await play.updates()

    assert update["message"]["forward_origin"].items() >= origin.items()
    assert update["message"]["entities"][0]["type"] == "url"


async def test_a_copy_has_no_origin(play, ada, question):
    place = {"chat_id": ada["id"], "from_chat_id": ada["id"], "message_id": question["message_id"]}

    copied = await play.ok("copyMessage", **place)

    last = (await play.history(ada))[-1]
    assert last["message_id"] == copied["message_id"]
    assert last["text"] == question["text"]
    assert "forward_origin" not in last
    missing = place | {"message_id": 999}
    assert await play.refusal("copyMessage", **missing) == "Bad Request: message to copy not found"
    assert await play.refusal("forwardMessage", **missing) == "Bad Request: message to forward not found"


async def test_protected_content_cannot_be_forwarded(play, ada):
    sent = await play.ok("sendMessage", chat_id=ada["id"], text="secret", protect_content=True)
    place = {"chat_id": ada["id"], "from_chat_id": ada["id"], "message_id": sent["message_id"]}

    assert await play.refusal("forwardMessage", **place) == "Bad Request: message can't be forwarded"
