"""Pressed buttons."""

from __future__ import annotations

import asyncio

import pytest

TOO_OLD = "Bad Request: query is too old and response timeout expired or query ID is invalid"


@pytest.fixture
async def ada(play):
    return await play.friend()


@pytest.fixture
async def menu(play, ada):
    keyboard = {"inline_keyboard": [[{"text": "b", "callback_data": "data"}]]}
    return await play.ok("sendMessage", chat_id=ada["id"], text="menu", reply_markup=keyboard)


async def asked(play):
    """Wait for the query that a press makes."""
    updates = await play.updates(timeout=10)
    return updates[0]["callback_query"]


async def test_the_person_sees_the_bots_answer(play, ada, menu):
    async with asyncio.TaskGroup() as group:
        pressed = group.create_task(play.press(ada, menu, "data"))
        query = await asked(play)
        await play.ok("answerCallbackQuery", callback_query_id=query["id"], text="done", show_alert=True)

    assert query["data"] == "data"
    assert query["from"] == ada
    assert query["message"] == menu
    assert pressed.result() == {"answered": True, "text": "done", "show_alert": True, "url": "", "id": query["id"]}


async def test_a_press_without_waiting_returns_at_once(play, ada, menu):
    order = {"chat_id": ada["id"], "message_id": menu["message_id"], "data": "data", "wait": False}

    pressed = await play.people("POST", f"/users/{ada['id']}/callbacks", json=order)

    assert (await asked(play))["id"] == pressed["id"]


async def test_a_query_cannot_be_answered_after_150_seconds(play, ada, menu):
    order = {"chat_id": ada["id"], "message_id": menu["message_id"], "data": "data", "wait": False}
    first = await play.people("POST", f"/users/{ada['id']}/callbacks", json=order)
    await play.people("POST", "/clock", json={"advance_s": 140})
    await play.ok("answerCallbackQuery", callback_query_id=first["id"])

    await play.people("POST", "/clock", json={"advance_s": 20})

    assert await play.refusal("answerCallbackQuery", callback_query_id=first["id"]) == TOO_OLD
    assert await play.ok("getUpdates") == []


async def test_an_unknown_query_is_refused(play):
    assert await play.refusal("answerCallbackQuery", callback_query_id="123") == TOO_OLD


async def test_an_answer_has_200_characters_at_most(play, ada, menu):
    order = {"chat_id": ada["id"], "message_id": menu["message_id"], "data": "data", "wait": False}
    query = await play.people("POST", f"/users/{ada['id']}/callbacks", json=order)

    assert await play.refusal("answerCallbackQuery", callback_query_id=query["id"], text="x" * 201) == (
        "Bad Request: MESSAGE_TOO_LONG"
    )
    await play.ok("answerCallbackQuery", callback_query_id=query["id"], text="x" * 200)


async def test_only_buttons_that_are_there_can_be_pressed(play, ada, menu):
    order = {"chat_id": ada["id"], "message_id": menu["message_id"], "data": "other"}

    await play.people("POST", f"/users/{ada['id']}/callbacks", 409, json=order)
    await play.ok("deleteMessage", chat_id=ada["id"], message_id=menu["message_id"])
    await play.people("POST", f"/users/{ada['id']}/callbacks", 404, json=order | {"data": "data"})
