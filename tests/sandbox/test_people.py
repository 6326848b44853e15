"""What a person's client does by itself, and what people see."""

from __future__ import annotations

import pytest

from bot.sandbox.contents import split


@pytest.fixture
async def ada(play):
    return await play.friend()


def test_a_long_text_is_cut_at_white_space_and_loses_nothing_else():
    text = "\n".join(f"line {number} of a long text" for number in range(600))

    parts = split(text)

    assert all(0 < len(part) <= 4096 for part in parts)
    assert "\n".join(parts).split() == text.split()
    assert split("x" * 9000) == ["x" * 4096, "x" * 4096, "x" * 808]


async def test_a_long_text_arrives_as_several_messages(play, ada):
    text = "слово " * 1000

    await play.say(ada, text)
    updates = await play.updates()

    assert len(updates) == 2
    assert " ".join(update["message"]["text"] for update in updates) == text.strip()


async def test_more_than_ten_files_are_two_albums(play, ada):
    files = [(f"{number}.txt", str(number).encode()) for number in range(12)]

    messages = await play.upload(ada, *files)

    assert [len([m for m in messages if m["media_group_id"] == group]) for group in
            dict.fromkeys(m["media_group_id"] for m in messages)] == [10, 2]  # fmt: skip


async def test_a_button_inside_a_rich_message_can_be_pressed(play, ada):
    blocks = [{"type": "buttons", "buttons": [{"text": "b", "callback_data": "inside"}]}]
    sent = await play.ok("sendRichMessage", chat_id=ada["id"], rich_message={"blocks": blocks})

    order = {"chat_id": ada["id"], "message_id": sent["message_id"], "data": "inside", "wait": False}
    await play.people("POST", f"/users/{ada['id']}/callbacks", json=order)

    assert (await play.updates())[0]["callback_query"]["data"] == "inside"


async def test_a_sent_page_is_saved_and_not_shown(play, ada):
    [page] = await play.upload(ada, ("page.html", b"<script>alert(1)</script>"))
    [text] = await play.upload(ada, ("a.txt", b"x"))

    shown = []
    for message in (page, text):
        async with play.session.get(f"{play.url}/sandbox/files/{message['document']['file_id']}") as response:
            shown.append(response.headers["Content-Disposition"].partition(";")[0])

    assert shown == ["attachment", "inline"]


async def test_ones_own_messages_are_events_too(play, ada, await_event):
    async with await play.events(ada) as socket:
        sent = await play.say(ada, "hello")

        assert (await await_event(socket, "message"))["message"] == sent


async def test_people_can_delete_and_the_bot_is_not_told(play, ada):
    message = await play.say(ada, "oops")
    await play.updates()

    path = f"/users/{ada['id']}/chats/{ada['id']}/messages/{message['message_id']}"
    await play.people("DELETE", path)

    assert await play.updates() == []
    assert "oops" not in [m["text"] for m in await play.history(ada)]
    await play.people("DELETE", path, 404)


async def test_the_page_is_served(play):
    async with play.session.get(f"{play.url}/") as response:
        assert response.status == 200
