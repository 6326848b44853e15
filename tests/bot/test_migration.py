"""T6: a group that becomes a supergroup keeps its notebook, whichever way the news comes."""

from tests.bot.notes import ask, is_read
from tests.bot.people import Person, Telegram, text_of

NOTE = "Ключ от аудитории 214 лежит у вахтёра Семёна Петровича."


async def test_t6_a_migrated_group_keeps_its_notebook_by_the_service_messages(
    anya: Person, make_group, telegram: Telegram
) -> None:
    old = await make_group(anya, kind="group")
    await _add(anya, old)
    new = (await telegram.call("POST", f"/chats/{old}/migrate", json={}))["id"]
    assert "Семёна Петровича" in text_of(await ask(anya, "/ask У кого ключ от аудитории 214?", new))
    await _has_one_source(anya, new)


async def test_t6_a_migration_that_only_a_refused_call_tells_of_is_followed_once(
    anya: Person, make_group, telegram: Telegram
) -> None:
    old = await make_group(anya, kind="group")
    await _add(anya, old)
    asked = await anya.say("/ask У кого ключ от аудитории 214?", old)
    answer = await anya.sees("Семёна Петровича", old, after=asked)
    new = (await telegram.call("POST", f"/chats/{old}/migrate", json={"silent": True}))["id"]
    since = await telegram.last_call()
    command = {"type": "bot_command", "offset": 0, "length": 8}
    late = {"message_id": answer["message_id"] + 1000, "date": answer["date"], "chat": answer["chat"],
            "from": anya.user, "text": "/sources", "entities": [command]}  # fmt: skip
    await telegram.update(message=late)
    await anya.sees("1 источник", new)
    refused = await telegram.bot_calls("sendMessage", since=since, chat_id=old)
    sent = await telegram.bot_calls("sendMessage", since=since, chat_id=new)
    assert [call["answer"]["ok"] for call in refused] == [False]
    assert [call["answer"]["ok"] for call in sent] == [True]
    assert "Семёна Петровича" in text_of(await ask(anya, "/ask У кого ключ от аудитории 214?", new))
    await _has_one_source(anya, new)


async def test_t6_words_in_the_new_group_before_the_news_do_not_cost_the_old_notebook(
    anya: Person, make_group, telegram: Telegram
) -> None:
    old = await make_group(anya, kind="group")
    await _add(anya, old)
    new = (await telegram.call("POST", f"/chats/{old}/migrate", json={"silent": True}))["id"]
    await anya.say("/sources", new)
    await anya.sees("пока пусто", new)
    chat = {"id": old, "type": "group", "title": "Учим физику"}
    note = {"message_id": 900_000, "date": 1, "chat": chat, "from": anya.user}
    await telegram.update(message={**note, "migrate_to_chat_id": new})
    here = {**chat, "id": new, "type": "supergroup"}
    await telegram.update(message={**note, "message_id": 2, "chat": here, "migrate_from_chat_id": old})
    await telegram.update(message={**note, "message_id": 900_001, "migrate_to_chat_id": new})
    await _has_one_source(anya, new)
    assert "Семёна Петровича" in text_of(await ask(anya, "/ask У кого ключ от аудитории 214?", new))


async def test_t6_a_status_message_of_the_old_group_goes_on_in_the_new_one(
    anya: Person, make_group, telegram: Telegram
) -> None:
    old = await make_group(anya, kind="group")
    await anya.sees("Здесь я веду", old)
    await telegram.fault("flood", method="editMessageText", chat_id=old, retry_after=1)
    note = await anya.say(NOTE, old)
    await anya.say("/add", old, reply_to_message_id=note["message_id"])
    await anya.sees("Читаю", old)
    new = (await telegram.call("POST", f"/chats/{old}/migrate", json={"silent": True}))["id"]
    await anya.sees(is_read, new)


async def _add(person: Person, group: int) -> None:
    note = await person.say(NOTE, group)
    await person.say("/add", group, reply_to_message_id=note["message_id"])
    status = await person.sees(is_read, group, after=note)
    if "Коротко" not in str(status["text"]):  # the last that its message says: nothing more is sent of it afterwards
        await person.sees("Коротко", group, after=note)


async def _has_one_source(person: Person, group: int) -> None:
    sent = await person.say("/sources", group)
    await person.sees("1 источник", group, after=sent)


async def test_t6_a_late_word_from_the_old_group_does_not_cost_the_notebook(
    anya: Person, make_group, telegram: Telegram
) -> None:
    old = await make_group(anya, kind="group")
    await _add(anya, old)
    new = (await telegram.call("POST", f"/chats/{old}/migrate", json={}))["id"]
    await _has_one_source(anya, new)
    command = {"type": "bot_command", "offset": 0, "length": 5}
    chat = {"id": old, "type": "group", "title": "Учим физику"}
    late = {"message_id": 910_000, "date": 1, "chat": chat, "from": anya.user, "text": "/help", "entities": [command]}
    await telegram.update(message=late)
    await anya.sees("Как это работает в группе", new)
    await _has_one_source(anya, new)
    assert "Семёна Петровича" in text_of(await ask(anya, "/ask У кого ключ от аудитории 214?", new))
