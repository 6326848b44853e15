"""getUpdates: offsets, waiting, one poller, what is delivered and for how long."""

from __future__ import annotations

import asyncio

import pytest


async def test_updates_stay_until_a_higher_offset_confirms_them(play):
    ada = await play.user()
    await play.say(ada, "one")
    await play.say(ada, "two")

    first = await play.ok("getUpdates")
    again = await play.ok("getUpdates")
    rest = await play.ok("getUpdates", offset=first[0]["update_id"] + 1)

    assert first == again
    assert [update["message"]["text"] for update in rest] == ["two"]
    assert [update["message"]["text"] for update in await play.ok("getUpdates")] == ["two"]


async def test_a_negative_offset_keeps_only_the_last_updates(play):
    ada = await play.user()
    for text in ("one", "two", "three"):
        await play.say(ada, text)

    assert [update["message"]["text"] for update in await play.ok("getUpdates", offset=-2)] == ["two", "three"]
    assert len(await play.ok("getUpdates")) == 2


async def test_limit_bounds_a_batch(play):
    ada = await play.user()
    for text in ("one", "two", "three"):
        await play.say(ada, text)

    assert len(await play.ok("getUpdates", limit=2)) == 2
    assert len(await play.ok("getUpdates", limit=1000)) == 3


async def test_a_waiting_poll_returns_as_soon_as_something_comes(play):
    ada = await play.user()

    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        waiting = group.create_task(play.ok("getUpdates", timeout=50))
        await play.say(ada, "hello")

    assert [update["message"]["text"] for update in waiting.result()] == ["hello"]


async def test_an_empty_poll_returns_after_its_timeout(play):
    assert await play.ok("getUpdates", timeout=1) == []


async def test_a_second_poller_ends_the_first_with_409(play):
    async with asyncio.timeout(5), asyncio.TaskGroup() as group:
        first = group.create_task(play.call("getUpdates", timeout=50))

        async def ended():
            await play.call("getUpdates")
            return first.done()

        await play.until(ended)

    assert first.result()["error_code"] == 409
    assert first.result()["description"] == (
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
    )


async def test_members_changes_and_reactions_come_only_if_named(play):
    ada, bob = await play.friend("Ada"), await play.user("Bob")
    club = await play.group(ada)
    promote = {"user_id": 42, "status": "administrator"}
    await play.people("POST", f"/chats/{club['id']}/members", json=promote)
    join = {"user_id": bob["id"], "status": "member"}
    leave = {"user_id": bob["id"], "status": "left"}
    path = f"/chats/{club['id']}/members"

    await play.people("POST", path, json=join)
    default = {kind for update in await play.updates() for kind in update}
    await play.ok("getUpdates", allowed_updates=["message", "chat_member"])
    await play.people("POST", path, json=leave)
    named = {kind for update in await play.updates() for kind in update}

    assert "chat_member" not in default
    assert named == {"update_id", "message", "chat_member"}


async def test_the_kinds_asked_for_are_remembered_and_an_empty_list_resets_them(play):
    ada = await play.friend()
    await play.ok("getUpdates", allowed_updates=["callback_query"])
    await play.say(ada, "unseen")

    assert await play.ok("getUpdates") == []
    await play.ok("getUpdates", allowed_updates=[])
    await play.say(ada, "seen")
    assert [update["message"]["text"] for update in await play.ok("getUpdates")] == ["seen"]


async def test_updates_are_dropped_after_a_day(play):
    ada = await play.user()
    await play.say(ada, "old")
    await play.people("POST", "/clock", json={"advance_s": 24 * 3600 - 10})
    assert len(await play.ok("getUpdates")) == 1

    await play.people("POST", "/clock", json={"advance_s": 20})

    assert await play.ok("getUpdates") == []


async def test_a_raw_update_is_delivered_even_with_a_confirmed_id(play):
    ada = await play.user()
    await play.say(ada, "one")
    [update] = await play.updates()

    await play.people("POST", "/updates", json=update)
    repeated = await play.ok("getUpdates", offset=update["update_id"] + 1)

    assert repeated == [update]
    assert await play.ok("getUpdates", offset=update["update_id"] + 1) == []


async def test_a_poller_that_went_away_takes_no_update_with_it(play):
    ada = await play.user()
    raw = {"message": await play.say(ada, "one")}
    await play.updates()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await play.call("getUpdates", timeout=50)

    await play.people("POST", "/updates", json=raw)

    assert [update["message"]["text"] for update in await play.ok("getUpdates")] == ["one"]


async def test_duplicates_come_once_more_after_they_were_confirmed(play):
    ada = await play.user()
    await play.say(ada, "one")
    await play.people("POST", "/faults", json={"kind": "duplicate_update"})

    [first] = await play.ok("getUpdates")
    [second] = await play.ok("getUpdates", offset=first["update_id"] + 1)

    assert first == second
    assert await play.ok("getUpdates", offset=first["update_id"] + 1) == []


async def test_a_disordered_batch_comes_newest_first(play):
    ada = await play.user()
    await play.say(ada, "one")
    await play.say(ada, "two")
    await play.people("POST", "/faults", json={"kind": "reorder_updates"})

    assert [update["message"]["text"] for update in await play.ok("getUpdates")] == ["two", "one"]
    assert [update["message"]["text"] for update in await play.ok("getUpdates")] == ["one", "two"]


async def test_a_call_reads_query_form_json_and_any_case(play):
    ada = await play.friend()
    url = f"{play.url}/bot42:SANDBOX"

    for options in ({"params": {"chat_id": ada["id"], "text": "hi"}}, {"data": {"chat_id": ada["id"], "text": "hi"}},
                    {"json": {"chat_id": ada["id"], "text": "hi"}}):  # fmt: skip
        for verb, name in (("GET", "sendmessage"), ("POST", "SENDMESSAGE")):
            async with play.session.request(verb, f"{url}/{name}", **options) as response:
                assert (await response.json())["result"]["text"] == "hi"


async def test_unknown_methods_and_tokens_are_refused(play):
    assert await play.call("sendNothing") == {"ok": False, "error_code": 404, "description": "Not Found"}
    async with play.session.get(f"{play.url}/bot43:WRONG/getMe") as response:
        assert (response.status, (await response.json())["description"]) == (401, "Unauthorized")
