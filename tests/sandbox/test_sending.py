"""sendMessage: limits, refusals in Telegram's words, keyboards, options."""

from __future__ import annotations

import pytest


@pytest.fixture
async def ada(play):
    return await play.friend()


@pytest.fixture(scope="module")
async def shared_ada(shared_play):
    return await shared_play.friend()


def button(**action):
    return {"inline_keyboard": [[{"text": "b", **action}]]}


REFUSED = [
    ({"text": ""}, "message text is empty"),
    ({"text": "   "}, "text must be non-empty"),
    ({"text": "<b> </b>", "parse_mode": "HTML"}, "text must be non-empty"),
    ({"text": "x" * 4097}, "message is too long"),
    ({"text": "x", "chat_id": ""}, "chat_id is empty"),
    ({"text": "x", "chat_id": 0}, "chat not found"),
    ({"text": "x", "chat_id": -1}, "chat not found"),
    ({"text": "x", "chat_id": "not_a_chat"}, "chat not found"),
    ({"text": "x", "chat_id": "@nobody_here"}, "chat not found"),
    ({"text": "x", "chat_id": 77777}, "chat not found"),
    ({"text": "x", "parse_mode": "INVALID"}, "unsupported parse_mode"),
    ({"text": "<b>x", "parse_mode": "HTML"},
     'can\'t parse entities: Can\'t find end tag corresponding to start tag "b"'),
    ({"text": "x", "message_thread_id": 999}, "message thread not found"),
    ({"text": "x", "reply_parameters": {"message_id": 999}}, "message to be replied not found"),
    ({"text": "x", "reply_parameters": {"quote": "hello"}}, 'can\'t find field "message_id"'),
    ({"text": "hello", "entities": [{"type": "bold", "offset": 100, "length": 1}]},
     "entity begins after the end of the text at UTF-16 offset 100"),
    ({"text": "hello", "entities": [{"type": "bold", "offset": 0, "length": 100}]},
     "entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 100"),
    ({"text": "hello", "entities": [{"type": "bold", "offset": -1, "length": 1}]},
     "receive an entity with incorrect offset -1"),
    ({"text": "hello", "entities": [{"type": "nonsense", "offset": 0, "length": 1}]},
     "can't parse MessageEntity: Unsupported type specified"),
    ({"text": "click", "entities": [{"type": "text_link", "offset": 0, "length": 5, "url": "not-a-url"}]},
     "entity URL 'not-a-url' is invalid: Wrong HTTP URL"),
    ({"text": "click", "entities": [{"type": "text_link", "offset": 0, "length": 5, "url": ""}]},
     "entity URL '' is invalid: URL host is empty"),
    ({"text": "link", "entities": [{"type": "text_link", "offset": 0, "length": 4}]},
     'can\'t parse MessageEntity: Can\'t find field "url"'),
    ({"text": "x", "entities": [{"type": "custom_emoji", "offset": 0, "length": 1}]},
     'can\'t parse MessageEntity: Can\'t find field "custom_emoji_id"'),
    ({"text": "x", "reply_markup": button(callback_data="x" * 65)}, "BUTTON_DATA_INVALID"),
    ({"text": "x", "reply_markup": button(callback_data="я" * 33)}, "BUTTON_DATA_INVALID"),
    ({"text": "x", "reply_markup": button(callback_data="")},
     "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"),
    ({"text": "x", "reply_markup": {"inline_keyboard": [[{"callback_data": "x"}]]}},
     'can\'t parse inline keyboard button: Can\'t find field "text"'),
    ({"text": "x", "reply_markup": button(url="not-a-url")},
     "inline keyboard button URL 'not-a-url' is invalid: Wrong HTTP URL"),
    ({"text": "x", "reply_markup": button(url="ftp://example.com")},
     "inline keyboard button URL 'ftp://example.com' is invalid: Unsupported URL protocol"),
    ({"text": "x", "reply_markup": button(web_app={"url": "http://example.com"})},
     "inline keyboard button Web App URL 'http://example.com' is invalid: Only HTTPS links are allowed"),
    ({"text": "x", "reply_markup": button(copy_text={"text": "x" * 257})}, "BUTTON_COPY_TEXT_INVALID"),
    ({"text": "x", "reply_markup": button(copy_text={"text": ""})}, "BUTTON_COPY_TEXT_INVALID"),
    ({"text": "x", "reply_markup": button(pay=True)}, "BUTTON_TYPE_INVALID"),
    ({"text": "x", "reply_markup": {"inline_keyboard": "bad"}}, 'field "inline_keyboard" must be of type Array'),
    ({"text": "x", "reply_markup": {"keyboard": [["A"]], "selective": "yes"}},
     'field "selective" must be of type Boolean'),
    ({"text": "x", "reply_markup": {"force_reply": "yes"}}, 'field "force_reply" must be of type Boolean'),
    ({"text": "x", "link_preview_options": {"is_disabled": "yes"}}, 'field "is_disabled" must be of type Boolean'),
]  # fmt: skip
"""Parameters and what Telegram's own server answers to them (recorded from it by others)."""


@pytest.mark.parametrize(("params", "reason"), REFUSED)
async def test_refusals_are_telegrams(shared_play, shared_ada, params, reason):
    refusal = await shared_play.refusal("sendMessage", **{"chat_id": shared_ada["id"], **params})

    assert refusal == f"Bad Request: {reason}"


@pytest.mark.parametrize("params", [
    {"text": "x" * 4096},
    {"text": "😀" * 4096},
    {"text": "<b>" + "x" * 4096 + "</b>", "parse_mode": "html"},
    {"text": "&lt;" * 4096, "parse_mode": "HTML"},
    {"text": "x", "reply_markup": button(callback_data="x" * 64)},
    {"text": "x", "reply_markup": button(callback_data="я" * 32)},
    {"text": "x", "reply_markup": button(switch_inline_query="")},
    {"text": "x", "reply_markup": button(url="tg://resolve?domain=a")},
    {"text": "x", "reply_parameters": {"message_id": 999, "allow_sending_without_reply": True}},
    {"text": "/start #t $USD", "entities": [{"type": "bot_command", "offset": 0, "length": 6}]},
])  # fmt: skip
async def test_what_telegram_takes_is_taken(shared_play, shared_ada, params):
    await shared_play.ok("sendMessage", chat_id=shared_ada["id"], **params)


async def test_a_message_shows_its_text_entities_and_buttons(play, ada):
    markup = {"inline_keyboard": [[{"text": "ok", "callback_data": "x"}], [{"text": "c", "copy_text": {"text": "z"}}]]}

    text = {"text": "<b>Hi</b> x.com", "parse_mode": "HTML"}
    sent = await play.ok("sendMessage", chat_id=ada["id"], **text, reply_markup=markup)

    assert sent["from"]["is_bot"]
    assert sent["chat"] == {"id": ada["id"], "first_name": "Ada", "type": "private"}
    assert sent["entities"] == [
        {"type": "bold", "offset": 0, "length": 2},
        {"type": "url", "offset": 3, "length": 5},
    ]
    assert sent["reply_markup"] == markup


async def test_other_keyboards_are_shown_to_people_but_never_given_back(play, ada):
    keyboard = {"keyboard": [["A", {"text": "B"}]], "resize_keyboard": True}

    sent = await play.ok("sendMessage", chat_id=ada["id"], text="x", reply_markup=keyboard)

    assert "reply_markup" not in sent
    shown = (await play.history(ada))[-1]["reply_markup"]
    assert shown["keyboard"] == [[{"text": "A"}, {"text": "B"}]]


async def test_an_answer_to_a_message_with_a_keyboard_shows_none(play, ada):
    asked = await play.ok("sendMessage", chat_id=ada["id"], text="name?", reply_markup={"force_reply": True})

    await play.say(ada, "Ada", reply_to_message_id=asked["message_id"])
    [update] = await play.updates()

    assert update["message"]["reply_to_message"]["text"] == "name?"
    assert "reply_markup" not in update["message"]["reply_to_message"]


async def test_options_are_kept(play, ada, await_event):
    async with await play.events(ada) as socket:
        sent = await play.ok(
            "sendMessage", chat_id=ada["id"], text="x.com", protect_content=True, disable_notification=True,
            link_preview_options={"is_disabled": True},
        )  # fmt: skip
        event = await await_event(socket, "message")

    assert sent["has_protected_content"]
    assert sent["link_preview_options"] == {"is_disabled": True}
    assert event["silent"]
    assert event["message"] == sent


async def test_a_bot_cannot_write_first(play):
    stranger = await play.user("Eve")

    assert await play.refusal("sendMessage", chat_id=stranger["id"], text="x") == (
        "Forbidden: bot can't initiate conversation with a user"
    )


async def test_a_blocked_bot_learns_it_from_a_403_and_from_an_update(play, ada):
    await play.people("POST", f"/users/{ada['id']}/block", json={"blocked": True})

    assert await play.refusal("sendMessage", chat_id=ada["id"], text="x") == "Forbidden: bot was blocked by the user"
    [blocked] = await play.updates()
    assert blocked["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    await play.people("POST", f"/users/{ada['id']}/block", json={"blocked": False})
    [back] = await play.updates()
    assert back["my_chat_member"]["new_chat_member"]["status"] == "member"
    await play.ok("sendMessage", chat_id=ada["id"], text="x")


async def test_who_blocked_the_bot_cannot_write_to_it(play, ada):
    await play.people("POST", f"/users/{ada['id']}/block", json={"blocked": True})

    path = f"/users/{ada['id']}/chats/{ada['id']}/messages"
    assert "blocked" in (await play.people("POST", path, 409, json={"text": "x"}))["error"]


async def test_chat_actions_reach_people(play, ada, await_event):
    async with await play.events(ada) as socket:
        await play.ok("sendChatAction", chat_id=ada["id"], action="typing")

        assert (await await_event(socket, "chat_action"))["action"] == "typing"

    expected = "Bad Request: wrong parameter action in request"
    assert await play.refusal("sendChatAction", chat_id=ada["id"], action="dancing") == expected
