"""Edits and deletions."""

from __future__ import annotations

import pytest

KEYBOARD = {"inline_keyboard": [[{"text": "b", "callback_data": "d"}]]}
NOT_MODIFIED = (
    "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a "
    "current content and reply markup of the message"
)


@pytest.fixture
async def ada(play):
    return await play.friend()


@pytest.fixture
async def sent(play, ada):
    return await play.ok("sendMessage", chat_id=ada["id"], text="old", reply_markup=KEYBOARD)


def at(message):
    return {"chat_id": message["chat"]["id"], "message_id": message["message_id"]}


async def test_an_edit_changes_the_text_and_takes_the_buttons(play, ada, sent, await_event):
    async with await play.events(ada) as socket:
        edited = await play.ok("editMessageText", **at(sent), text="*new*", parse_mode="Markdown")
        event = await await_event(socket, "edited_message")

    assert (edited["text"], edited["entities"][0]["type"]) == ("new", "bold")
    assert "reply_markup" not in edited
    assert edited["edit_date"] >= edited["date"]
    assert event["message"] == edited
    assert (await play.history(ada))[-1]["text"] == "new"


async def test_the_same_content_is_not_modified(play, sent):
    same = {"text": "<i>old</i>", "parse_mode": "HTML", "reply_markup": KEYBOARD}
    await play.ok("editMessageText", **at(sent), **same)

    assert await play.refusal("editMessageText", **at(sent), **same) == NOT_MODIFIED
    assert await play.refusal("editMessageReplyMarkup", **at(sent), reply_markup=KEYBOARD) == NOT_MODIFIED


async def test_only_the_buttons_can_change(play, sent):
    edited = await play.ok("editMessageReplyMarkup", **at(sent))

    assert edited["text"] == "old"
    assert "reply_markup" not in edited


async def test_captions_and_texts_are_not_mixed_up(play, ada, sent):
    document = await play.ok("copyMessage", chat_id=ada["id"], from_chat_id=ada["id"],
                             message_id=(await play.upload(ada, ("a.txt", b"x")))[0]["message_id"])  # fmt: skip
    place = {"chat_id": ada["id"], "message_id": document["message_id"]}

    assert await play.refusal("editMessageText", **place, text="x") == (
        "Bad Request: there is no text in the message to edit"
    )
    assert await play.refusal("editMessageCaption", **at(sent), caption="x") == (
        "Bad Request: there is no caption in the message to edit"
    )
    assert (await play.ok("editMessageCaption", **place, caption="x"))["caption"] == "x"


async def test_what_is_gone_or_not_ones_own_cannot_be_edited(play, ada, sent):
    theirs = await play.say(ada, "mine")

    assert await play.refusal("editMessageText", **at(theirs), text="x") == "Bad Request: message can't be edited"
    await play.ok("deleteMessage", **at(sent))
    assert await play.refusal("editMessageText", **at(sent), text="x") == "Bad Request: message to edit not found"
    assert await play.refusal("deleteMessage", **at(sent)) == "Bad Request: message to delete not found"


async def test_deletion_reaches_people(play, ada, sent, await_event):
    other = await play.say(ada, "mine")
    async with await play.events(ada) as socket:
        await play.ok("deleteMessages", chat_id=ada["id"], message_ids=[sent["message_id"], other["message_id"], 999])
        event = await await_event(socket, "deleted")

    assert event["message_ids"] == [sent["message_id"], other["message_id"]]
    assert [message["text"] for message in await play.history(ada)] == ["/start"]


async def test_old_messages_cannot_be_deleted(play, sent):
    await play.people("POST", "/clock", json={"advance_s": 48 * 3600 + 60})

    assert await play.refusal("deleteMessage", **at(sent)) == ("Bad Request: message can't be deleted for everyone")


async def test_a_persons_edit_reaches_the_bot(play, ada):
    message = await play.say(ada, "first")
    await play.updates()

    path = f"/users/{ada['id']}/chats/{ada['id']}/messages/{message['message_id']}"
    await play.people("PUT", path, json={"text": "second /help"})
    [update] = await play.updates()

    assert update["edited_message"]["text"] == "second /help"
    assert update["edited_message"]["entities"][0]["type"] == "bot_command"
    assert update["edited_message"]["edit_date"]


async def test_only_own_messages_can_be_edited_by_people(play, ada, sent):
    path = f"/users/{ada['id']}/chats/{ada['id']}/messages/{sent['message_id']}"

    await play.people("PUT", path, 404, json={"text": "x"})
