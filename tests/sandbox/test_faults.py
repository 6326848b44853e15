"""Failures on demand, as they look on the wire."""

from __future__ import annotations

import time

import aiohttp
import pytest


async def order(play, **fault):
    await play.people("POST", "/faults", json=fault)


async def test_flood_tells_how_long_to_wait_and_ends(play):
    ada = await play.friend()
    await order(play, kind="flood", retry_after=7)

    answer = await play.call("sendMessage", chat_id=ada["id"], text="x")

    assert answer == {
        "ok": False, "error_code": 429, "description": "Too Many Requests: retry after 7",
        "parameters": {"retry_after": 7},
    }  # fmt: skip
    assert (await play.call("sendMessage", chat_id=ada["id"], text="x"))["ok"]


@pytest.mark.parametrize(("fault", "code", "description"), [
    ({"kind": "forbidden"}, 403, "Forbidden: bot was blocked by the user"),
    ({"kind": "migrated", "migrate_to_chat_id": -100777}, 400,
     "Bad Request: group chat was upgraded to a supergroup chat"),
    ({"kind": "bad_gateway_json"}, 500, "Internal Server Error"),
    ({"kind": "too_large"}, 413, "Request Entity Too Large"),
])  # fmt: skip
async def test_refusals_on_demand(play, fault, code, description):
    ada = await play.friend()
    await order(play, **fault)

    answer = await play.call("sendMessage", chat_id=ada["id"], text="x")

    assert (answer["error_code"], answer["description"]) == (code, description)
    assert answer.get("parameters", {}).get("migrate_to_chat_id") == fault.get("migrate_to_chat_id")


async def test_server_error_is_a_page_of_html(play):
    await order(play, kind="server_error")

    async with play.session.get(f"{play.url}/bot42:SANDBOX/getMe") as response:
        assert (response.status, response.content_type) == (502, "text/html")
        assert "502 Bad Gateway" in await response.text()


async def test_drop_closes_the_connection_before_anything_happens(play):
    ada = await play.friend()
    await order(play, kind="drop", method="sendMessage")

    with pytest.raises(aiohttp.ServerDisconnectedError):
        await play.call("sendMessage", chat_id=ada["id"], text="lost")

    assert [message["text"] for message in await play.history(ada)] == ["/start"]


async def test_drop_after_loses_only_the_answer(play):
    ada = await play.friend()
    await order(play, kind="drop_after", method="sendMessage")

    with pytest.raises(aiohttp.ServerDisconnectedError):
        await play.call("sendMessage", chat_id=ada["id"], text="kept")

    assert [message["text"] for message in await play.history(ada)] == ["/start", "kept"]


async def test_delay_holds_the_answer_back(play):
    await order(play, kind="delay", seconds=0.2)
    begun = time.monotonic()

    await play.ok("getMe")

    assert time.monotonic() - begun >= 0.2


async def test_a_fault_hits_only_its_method_and_chat_and_as_often_as_ordered(play):
    ada, bob = await play.friend("Ada"), await play.friend("Bob")
    await order(play, kind="forbidden", method="sendMessage", chat_id=bob["id"], times=2)

    assert (await play.call("sendMessage", chat_id=ada["id"], text="x"))["ok"]
    assert (await play.call("getChat", chat_id=bob["id"]))["ok"]
    outcomes = [(await play.call("sendMessage", chat_id=bob["id"], text="x"))["ok"] for _ in range(3)]

    assert outcomes == [False, False, True]


async def test_a_fault_without_a_method_spares_polling(play):
    await order(play, kind="flood")

    assert (await play.call("getUpdates"))["ok"]
    assert not (await play.call("getMe"))["ok"]


async def test_a_download_can_fail_too(play):
    ada = await play.friend()
    await play.upload(ada, ("a.txt", b"x"))
    [update] = await play.updates()
    file = await play.ok("getFile", file_id=update["message"]["document"]["file_id"])
    await order(play, kind="server_error", method="download")

    async with play.session.get(f"{play.url}/file/bot42:SANDBOX/{file['file_path']}") as response:
        assert response.status == 502


async def test_faults_are_listed_and_cleared(play):
    await order(play, kind="flood", times=3, retry_after=5)

    assert await play.people("GET", "/faults") == [{"id": 1, "kind": "flood", "times": 3, "retry_after": 5}]
    await play.people("DELETE", "/faults")
    assert await play.people("GET", "/faults") == []


async def test_an_unknown_fault_is_refused(play):
    answer = await play.people("POST", "/faults", 400, json={"kind": "earthquake"})

    assert answer["error"].startswith("kind must be one of")


async def test_calls_are_logged_with_parameters_and_answers(play):
    ada = await play.friend()
    await order(play, kind="flood", method="sendMessage")
    known = (await play.people("GET", "/calls"))[-1]["id"]
    await play.call("sendMessage", chat_id=ada["id"], text="refused")
    await play.ok("sendMessage", chat_id=ada["id"], text="sent")

    first, second = await play.people("GET", f"/calls?method=sendmessage&since={known}")

    assert first["answer"] == {"fault": "flood"}
    assert second["params"] == {"chat_id": ada["id"], "text": "sent"}
    assert second["answer"]["result"]["text"] == "sent"
    assert first["time"] <= second["time"]
