"""Streaming drafts."""

from __future__ import annotations

import pytest


@pytest.fixture
async def ada(play):
    return await play.friend()


async def test_a_draft_grows_and_ends_with_the_message(play, ada, await_event):
    async with await play.events(ada) as socket:
        for text in ("", "Hel", "<b>Hello</b>"):
            await play.ok("sendMessageDraft", chat_id=ada["id"], draft_id=7, text=text, parse_mode="HTML")
        drafts = [await await_event(socket, "draft") for _ in range(3)]
        await play.ok("sendMessage", chat_id=ada["id"], text="Hello")
        ended = await await_event(socket, "draft_end")

    assert [draft["text"] for draft in drafts] == ["", "Hel", "Hello"]
    assert drafts[2]["entities"] == [{"type": "bold", "offset": 0, "length": 5}]
    assert ended["draft_id"] == 7
    assert [message["text"] for message in await play.history(ada)] == ["/start", "Hello"]


async def test_a_draft_dies_after_30_seconds(play, ada, await_event):
    async with await play.events(ada) as socket:
        await play.ok("sendMessageDraft", chat_id=ada["id"], draft_id=7, text="x")
        await play.people("POST", "/clock", json={"advance_s": 31})

        assert (await await_event(socket, "draft_end"))["draft_id"] == 7


async def test_the_stop_button_tells_the_bot(play, ada):
    await play.ok("sendMessageDraft", chat_id=ada["id"], draft_id=7, text="x", can_stop=True)

    await play.people("POST", f"/users/{ada['id']}/stop_draft")
    [update] = await play.updates()

    assert update["stopped_message_generation"]["draft_id"] == 7
    assert update["stopped_message_generation"]["chat"]["id"] == ada["id"]


async def test_a_draft_that_cannot_be_stopped_has_no_stop_button(play, ada):
    await play.ok("sendMessageDraft", chat_id=ada["id"], draft_id=7, text="x")

    await play.people("POST", f"/users/{ada['id']}/stop_draft", 409)


@pytest.mark.parametrize(("draft", "reason"), [
    ({"draft_id": 0, "text": "x"}, "RANDOM_ID_INVALID"),
    ({"draft_id": 1, "text": "x" * 4097}, "message is too long"),
    ({"draft_id": 1, "text": "<b>x", "parse_mode": "HTML"},
     'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"'),
])  # fmt: skip
async def test_refused_drafts(play, ada, draft, reason):
    assert await play.refusal("sendMessageDraft", chat_id=ada["id"], **draft) == f"Bad Request: {reason}"


async def test_drafts_are_for_private_chats_only(play, ada):
    club = await play.group(ada)

    refusal = await play.refusal("sendMessageDraft", chat_id=club["id"], draft_id=1, text="x")

    assert refusal == "Bad Request: TEXTDRAFT_PEER_INVALID"
