"""Groups: privacy mode, members, migration, topics, anonymous senders, channels."""

from __future__ import annotations

import pytest


@pytest.fixture
async def ada(play):
    return await play.friend()


async def texts(play):
    return [update["message"].get("text") for update in await play.updates() if "message" in update]


async def test_the_bot_learns_that_it_was_added(play, ada):
    club = await play.people("POST", "/chats", json={"title": "Club", "type": "group", "member_ids": [ada["id"]]})
    added, message = await play.updates()

    assert added["my_chat_member"]["chat"] == club
    assert added["my_chat_member"]["from"]["id"] == ada["id"]
    assert added["my_chat_member"]["old_chat_member"]["status"] == "left"
    assert added["my_chat_member"]["new_chat_member"]["status"] == "member"
    assert message["message"]["new_chat_members"][0]["id"] == 42


async def test_in_privacy_mode_only_the_bots_own_business_arrives(play, ada):
    club = await play.group(ada)
    mine = await play.ok("sendMessage", chat_id=club["id"], text="question?")

    for text in ("hello", "hello @konspekt_sandbox_bot", "/ask", "/ask@konspekt_sandbox_bot now", "/ask@other_bot"):
        await play.say(ada, text, club)
    await play.say(ada, "answer", club, reply_to_message_id=mine["message_id"])

    assert await texts(play) == ["/ask", "/ask@konspekt_sandbox_bot now", "answer"]


@pytest.mark.parametrize("openness", ["setting", "administrator"])
async def test_everything_arrives_without_privacy_mode_or_to_an_administrator(play, ada, openness):
    club = await play.group(ada)
    if openness == "setting":
        await play.people("POST", "/settings", json={"privacy": False})
    else:
        promote = {"user_id": 42, "status": "administrator"}
        await play.people("POST", f"/chats/{club['id']}/members", json=promote)

    await play.say(ada, "hello", club)

    assert await texts(play) == ["hello"]
    assert (await play.ok("getMe"))["can_read_all_group_messages"] is (openness == "setting")


async def test_a_migrated_group_answers_with_its_new_id(play, ada):
    old = await play.group(ada, kind="group")

    new = await play.people("POST", f"/chats/{old['id']}/migrate", json={})
    moved, came = await play.updates()

    assert (old["type"], new["type"]) == ("group", "supergroup")
    assert moved["message"]["migrate_to_chat_id"] == new["id"]
    assert came["message"]["migrate_from_chat_id"] == old["id"]
    answer = await play.call("sendMessage", chat_id=old["id"], text="x")
    assert answer == {
        "ok": False, "error_code": 400, "description": "Bad Request: group chat was upgraded to a supergroup chat",
        "parameters": {"migrate_to_chat_id": new["id"]},
    }  # fmt: skip
    assert (await play.ok("sendMessage", chat_id=new["id"], text="x"))["message_id"] == 2


async def test_a_silent_migration_is_learnt_from_the_400_only(play, ada):
    old = await play.group(ada, kind="group")

    new = await play.people("POST", f"/chats/{old['id']}/migrate", json={"silent": True})

    assert await play.updates() == []
    answer = await play.call("sendMessage", chat_id=old["id"], text="x")
    assert answer["parameters"]["migrate_to_chat_id"] == new["id"]
    chats = [line["chat"]["id"] for line in await play.people("GET", f"/users/{ada['id']}/chats")]
    assert new["id"] in chats
    assert old["id"] not in chats


async def test_topics(play, ada):
    forum = await play.group(ada, is_forum=True)
    topic = await play.people("POST", f"/chats/{forum['id']}/topics", json={"name": "Books"})
    thread = {"message_thread_id": topic["message_thread_id"]}
    await play.updates()

    await play.say(ada, "/in", forum, **thread)
    await play.say(ada, "/general", forum)
    inside, general = [update["message"] for update in await play.updates()]

    assert inside["is_topic_message"]
    assert inside["message_thread_id"] == topic["message_thread_id"]
    assert "message_thread_id" not in general
    sent = await play.ok("sendMessage", chat_id=forum["id"], text="x", **thread)
    assert sent["is_topic_message"]
    refusal = await play.refusal("sendMessage", chat_id=forum["id"], text="x", message_thread_id=1)
    assert refusal == "Bad Request: message thread not found"


async def test_a_thread_of_answers_is_no_topic(play, ada):
    club = await play.group(ada)
    first = await play.ok("sendMessage", chat_id=club["id"], text="x")

    await play.say(ada, "y", club, reply_to_message_id=first["message_id"])
    [update] = await play.updates()

    thread = update["message"]["message_thread_id"]
    assert thread == first["message_id"]
    assert "is_topic_message" not in update["message"]
    refusal = await play.refusal("sendMessage", chat_id=club["id"], text="z", message_thread_id=thread)
    assert refusal == "Bad Request: message thread not found"


async def test_anonymous_senders(play, ada):
    club = await play.group(ada)

    await play.say(ada, "/rules", club, **{"as": "anonymous_admin"})
    await play.say(ada, "/news", club, **{"as": "channel"})
    admin, channel = [update["message"] for update in await play.updates()]

    assert admin["from"]["id"] == 1087968824
    assert admin["sender_chat"]["id"] == club["id"]
    assert channel["from"]["id"] == 777000
    assert channel["is_automatic_forward"]
    assert channel["sender_chat"]["type"] == "channel"


async def test_channel_posts_have_no_author_and_reach_the_discussion(play, ada):
    club = await play.group(ada)
    channel = await play.group(ada, kind="channel", linked_chat_id=club["id"])
    await play.people("POST", "/settings", json={"privacy": False})

    await play.say(ada, "news", channel)
    post, forwarded = await play.updates()

    assert "from" not in post["channel_post"]
    assert post["channel_post"]["sender_chat"]["id"] == channel["id"]
    assert forwarded["message"]["from"]["id"] == 777000
    assert forwarded["message"]["forward_origin"]["message_id"] == post["channel_post"]["message_id"]


async def test_a_bot_that_was_thrown_out_learns_it_from_a_403(play, ada):
    club = await play.group(ada)
    await play.people("POST", f"/chats/{club['id']}/members", json={"user_id": 42, "status": "kicked"})
    [update] = await play.updates()

    assert update["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    refusal = await play.refusal("sendMessage", chat_id=club["id"], text="x")
    assert refusal == "Forbidden: bot was kicked from the supergroup chat"
    await play.say(ada, "/ask", club)
    assert await play.updates() == []


async def test_leaving_is_told(play, ada):
    club = await play.group(ada)

    await play.ok("leaveChat", chat_id=club["id"])
    [update] = await play.updates()

    assert update["my_chat_member"]["new_chat_member"]["status"] == "left"
    refusal = await play.refusal("sendMessage", chat_id=club["id"], text="x")
    assert refusal == "Forbidden: bot is not a member of the supergroup chat"


async def test_what_the_bot_can_ask_of_a_chat(play, ada):
    bob = await play.user("Bob")
    club = await play.group(ada, bob)
    eve = await play.user("Eve")

    admins = await play.ok("getChatAdministrators", chat_id=club["id"])
    members = [await play.ok("getChatMember", chat_id=club["id"], user_id=user["id"]) for user in (ada, bob, eve)]

    assert [admin["user"]["id"] for admin in admins] == [ada["id"]]
    assert [member["status"] for member in members] == ["creator", "member", "left"]
    assert await play.ok("getChatMemberCount", chat_id=club["id"]) == 3
    assert (await play.ok("getChat", chat_id=club["id"]))["title"] == "Club"


async def test_message_numbers_count_per_supergroup_and_together_elsewhere(play, ada):
    bob = await play.friend("Bob")
    club = await play.group(ada)

    private = [(await play.say(user, "x"))["message_id"] for user in (ada, bob, ada)]
    public = [(await play.say(ada, "x", club))["message_id"] for _ in range(2)]

    assert private == [private[0], private[0] + 1, private[0] + 2]
    assert public == [public[0], public[0] + 1]
    assert public[0] < private[0]


async def test_only_members_write_and_read(play, ada):
    eve = await play.user("Eve")
    club = await play.group(ada)

    await play.people("POST", f"/users/{eve['id']}/chats/{club['id']}/messages", 403, json={"text": "x"})
    await play.people("GET", f"/users/{eve['id']}/chats/{club['id']}/messages", 403)
    await play.people("GET", f"/users/{eve['id']}/chats/{ada['id']}/messages", 403)


async def test_unread_counts_until_a_chat_is_read(play, ada):
    for _ in range(2):
        await play.ok("sendMessage", chat_id=ada["id"], text="x")

    before = await play.people("GET", f"/users/{ada['id']}/chats")
    await play.history(ada)
    after = await play.people("GET", f"/users/{ada['id']}/chats")

    assert [line["unread"] for line in before + after] == [2, 0]
    assert before[0]["last_message"]["text"] == "x"
