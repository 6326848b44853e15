"""T10: who is no person has no quota and breaks nothing; who is not reachable is left alone."""

from tests.bot.notes import GLACIER, ask, is_answer, is_read, keep
from tests.bot.people import Person, Telegram, text_of

NOTE = "Ключ от аудитории 214 лежит у вахтёра Семёна Петровича."


async def test_t10_an_anonymous_administrator_acts_as_the_chat(anya: Person, make_group) -> None:
    group = await make_group(anya)
    note = await anya.say(NOTE, group, **{"as": "anonymous_admin"})
    await anya.say("/add", group, reply_to_message_id=note["message_id"], **{"as": "anonymous_admin"})
    await anya.sees(is_read, group)
    asked = await anya.say("/ask У кого ключ от аудитории 214?", group, **{"as": "anonymous_admin"})
    answer = await anya.sees(is_answer, group, after=asked)
    assert "Семёна Петровича" in text_of(answer)
    await anya.say("/language", group, **{"as": "anonymous_admin"})
    await anya.sees("Язык моих сообщений", group)
    sent = await anya.say("/notebooks", group, **{"as": "anonymous_admin"})
    await anya.sees("Учим физику", group, after=sent)


async def test_t10_a_linked_channels_post_is_neither_kept_nor_answered_but_can_be_added(
    anya: Person, make_group
) -> None:
    group = await make_group(anya, bot_status="administrator")
    await anya.sees("Здесь я веду", group)
    post = await anya.say(f"{NOTE} @konspekt_sandbox_bot", group, **{"as": "channel"})
    command = await anya.say("/sources", group)
    await anya.sees("пока пусто", group, after=command)
    await anya.say("/add", group, reply_to_message_id=post["message_id"])
    await anya.sees(is_read, group)


async def test_t10_a_channel_with_the_bot_as_administrator_gets_no_word(
    anya: Person, make_group, telegram: Telegram
) -> None:
    channel = await make_group(anya, kind="channel", title="Новости кафедры")
    since = await telegram.last_call()
    await anya.say("/start", channel)
    await anya.say("Что нового?", channel)
    await anya.say("/start")
    await anya.sees("Пришлите лекцию")
    assert await telegram.bot_calls("sendMessage", since=since, chat_id=channel) == []


async def test_t10_one_who_blocked_the_bot_delays_nobody_and_is_answered_after_coming_back(
    meet, telegram: Telegram
) -> None:
    anya, boris = await meet("Аня"), await meet("Борис")
    await keep(anya)
    since = await telegram.last_call()
    await telegram.fault("delay", method="sendMessage", chat_id=anya.id, seconds=0.5)
    await anya.say("Сколько сохранялось через сутки?")
    await telegram.call("POST", f"/users/{anya.id}/block", json={"blocked": True})
    await boris.say("/start")
    await boris.sees("Пришлите лекцию")
    await telegram.bot_called("sendMessage", since=since, chat_id=anya.id)
    await telegram.call("POST", f"/users/{anya.id}/block", json={"blocked": False})
    answer = await ask(anya, "Сколько сохранялось через месяц?")
    assert "21" in text_of(answer)


async def test_t10_a_bot_that_is_thrown_out_and_asked_back_still_has_the_notebook(
    anya: Person, make_group, telegram: Telegram
) -> None:
    group = await make_group(anya)
    me = (await telegram.call("GET", "/state"))["bot"]["id"]
    note = await anya.say(GLACIER, group)
    await anya.say("/add", group, reply_to_message_id=note["message_id"])
    await anya.sees(is_read, group)
    await telegram.call("POST", f"/chats/{group}/members", json={"user_id": me, "status": "kicked"})
    await telegram.call("POST", f"/chats/{group}/members", json={"user_id": me, "status": "member"})
    assert "семьдесят семь" in text_of(await ask(anya, "/ask Какой длины ледник Федченко?", group))
