"""T9: a forum's topics are notebooks of their own, and replies land where they belong."""

import pytest

from tests.bot.notes import ask, is_read
from tests.bot.people import Json, Person, Telegram, text_of


@pytest.fixture
async def forum(anya: Person, make_group) -> int:
    """A forum with the bot in it."""
    group = await make_group(anya, is_forum=True, title="Физфак")
    await anya.sees("Здесь я веду", group)
    return group


async def test_t9_general_and_a_topic_have_notebooks_of_their_own(anya: Person, forum: int, telegram: Telegram) -> None:
    topic = await _topic(telegram, forum, "Оптика")
    await _add(anya, forum, "Зачёт по оптике принимает Вера Павловна.", topic)
    await _add(anya, forum, "Столовая на ремонте до пятого мая.", 0)
    inside = await ask(anya, "/ask Кто принимает зачёт по оптике?", forum, message_thread_id=topic)
    assert inside["message_thread_id"] == topic
    assert "Вера Павловна" in text_of(inside)
    asked = await anya.say("/ask Кто принимает зачёт по оптике?", forum)
    outside = await anya.sees("Ответа на это в блокноте нет", forum, after=asked)
    assert not outside.get("is_topic_message")


async def test_t9_add_without_a_reply_in_a_topic_says_how_it_is_used(
    anya: Person, forum: int, telegram: Telegram
) -> None:
    topic = await _topic(telegram, forum, "Оптика")
    created = await anya.wait_for(lambda: anya.chats[forum].get(topic), "the topic's first message")
    await anya.say("/add", forum, message_thread_id=topic, reply_to_message_id=created["message_id"])
    said = await anya.sees("Ответьте командой /add", forum)
    assert said["message_thread_id"] == topic


async def test_t9_talk_in_a_topic_that_the_bot_opened_is_no_question(
    anya: Person, forum: int, telegram: Telegram
) -> None:
    me = (await telegram.call("GET", "/state"))["bot"]
    chat = {"id": forum, "type": "supergroup", "title": "Физфак", "is_forum": True}
    root = {"message_id": 700, "date": 1, "chat": chat, "message_thread_id": 700, "is_topic_message": True,
            "from": {"id": me["id"], "is_bot": True, "first_name": "Bot"},
            "forum_topic_created": {"name": "Тема бота", "icon_color": 7322096}}  # fmt: skip
    talk = {**root, "message_id": 701, "from": anya.user, "text": "Просто болтаем", "reply_to_message": root}
    del talk["forum_topic_created"]
    await telegram.update(message=talk)
    sent = await anya.say("/sources", forum)
    await anya.sees("пока пусто", forum, after=sent)
    assert not [one for one in anya.from_bot(forum) if "нет источников" in text_of(one)]


async def test_t9_an_answer_to_a_topic_that_is_gone_lands_in_general(
    anya: Person, forum: int, telegram: Telegram
) -> None:
    chat = {"id": forum, "type": "supergroup", "title": "Физфак", "is_forum": True}
    command = {"type": "bot_command", "offset": 0, "length": 8}
    gone = {"message_id": 800, "date": 1, "chat": chat, "from": anya.user, "message_thread_id": 555,
            "is_topic_message": True, "text": "/sources", "entities": [command]}  # fmt: skip
    await telegram.update(message=gone)
    said = await anya.sees("пока пусто", forum)
    assert not said.get("is_topic_message")


async def test_t9_a_thread_outside_of_a_forum_is_no_topic(anya: Person, make_group) -> None:
    group = await make_group(anya)
    note = await anya.say("Столовая на ремонте до пятого мая.", group)
    thread = await anya.say("ого", group, reply_to_message_id=note["message_id"])
    await anya.say("/add", group, reply_to_message_id=thread["message_id"])
    await anya.sees(is_read, group)
    sent = await anya.say("/sources", group)
    await anya.sees("1 источник", group, after=sent)


async def _topic(telegram: Telegram, forum: int, name: str) -> int:
    made: Json = await telegram.call("POST", f"/chats/{forum}/topics", json={"name": name})
    return int(made["message_thread_id"])


async def _add(person: Person, group: int, words: str, topic: int) -> None:
    place = {"message_thread_id": topic} if topic else {}
    note = await person.say(words, group, **place)
    await person.say("/add", group, reply_to_message_id=note["message_id"], **place)
    read = await person.sees(is_read, group, after=note)
    assert (read["message_thread_id"] if read.get("is_topic_message") else 0) == topic
