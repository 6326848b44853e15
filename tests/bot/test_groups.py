"""A notebook that a group shares."""

import pytest

from tests.bot.notes import GLACIER, ask, is_answer, is_read, keep
from tests.bot.people import Json, Person, Telegram, buttons, labels, text_of

BOT = "@konspekt_sandbox_bot"
NOTE = "Ключ от аудитории 214 лежит у вахтёра Семёна Петровича."


async def test_three_members_share_what_one_of_them_adds_and_only_who_taps_sees_the_passage(meet, make_group) -> None:
    anya, boris, vera = await meet("Аня"), await meet("Борис"), await meet("Вера")
    group = await make_group(anya, boris, vera)
    hello = await anya.sees("Здесь я веду общий блокнот «Учим физику»", group)
    assert "Сейчас мне видны только команды и ответы на мои сообщения" in text_of(hello)
    note = await anya.say(NOTE, group)
    await boris.say("/add", group, reply_to_message_id=note["message_id"])
    await vera.sees(is_read, group)
    asked = await vera.say("/ask У кого лежит ключ от аудитории?", group)
    answer = await boris.sees(is_answer, group)
    assert answer["reply_to_message"]["message_id"] == asked["message_id"]
    assert "Семёна Петровича" in text_of(answer)
    seen = len(anya.from_bot(group))
    passage = await boris.tap("1", answer)
    assert passage["show_alert"]
    assert "Ключ от аудитории" in passage["text"]
    follow_up = await anya.say("Где ключ от аудитории 214?", group, reply_to_message_id=answer["message_id"])
    second = await anya.sees(is_answer, group, after=follow_up)
    assert second["reply_to_message"]["message_id"] == follow_up["message_id"]
    assert len(anya.from_bot(group)) == seen + 1


async def test_ordinary_talk_in_a_group_is_neither_kept_nor_answered(anya: Person, make_group) -> None:
    group = await make_group(anya, bot_status="administrator")  # it sees everything
    await anya.sees("Здесь я веду", group)
    await anya.say(GLACIER, group)
    await anya.say("Кто знает, какой длины ледник?", group)
    await anya.send_file(GLACIER.encode(), "дневник.txt", group)
    sent = await anya.say("/sources", group)
    await anya.sees("пока пусто", group, after=sent)
    assert len(anya.from_bot(group)) == 2


async def test_a_mention_after_emoji_is_a_question_without_the_name(anya: Person, make_group) -> None:
    group = await make_group(anya, bot_status="administrator")
    await _add(anya, group, NOTE)
    asked = await anya.say(f"👩‍👩‍👧‍👦🎓 Эй, {BOT} у кого лежит ключ от аудитории 214?", group)
    answer = await anya.sees(is_answer, group, after=asked)
    assert "Семёна Петровича" in text_of(answer)
    alone = await anya.say(BOT, group)
    await anya.sees("Напишите вопрос после команды", group, after=alone)


async def test_a_file_sent_with_a_mention_is_kept(anya: Person, make_group) -> None:
    group = await make_group(anya, bot_status="administrator")
    await anya.sees("Здесь я веду", group)
    await anya.send_file(GLACIER.encode(), "дневник.txt", group, caption=f"{BOT} сохрани")
    await anya.sees(is_read, group)


async def test_add_and_ask_alone_say_how_they_are_used(anya: Person, make_group) -> None:
    group = await make_group(anya)
    await anya.say("/add", group)
    await anya.sees("Ответьте командой /add", group)
    await anya.say("/ask", group)
    await anya.sees("Напишите вопрос после команды", group)


async def test_a_question_in_a_group_without_sources_is_told_so(anya: Person, make_group) -> None:
    group = await make_group(anya)
    asked = await anya.say("/ask Кто здесь?", group)
    said = await anya.sees("в блокноте этой группы нет источников", group)
    assert said["reply_to_message"]["message_id"] == asked["message_id"]


@pytest.mark.parametrize("status", ["member", "administrator"])
async def test_who_leaves_a_group_loses_its_notebook(meet, make_group, telegram: Telegram, status: str) -> None:
    anya, boris = await meet("Аня"), await meet("Борис")
    await anya.say("/start")
    group = await make_group(anya, boris, title="Кафедра оптики", bot_status=status)
    await _add(anya, group, NOTE)
    listed = await _private_list(anya)
    assert any("Кафедра оптики" in label for label in labels(listed))
    source = await _source_data(anya, group)
    await telegram.call("POST", f"/chats/{group}/members", json={"user_id": anya.id, "status": "left"})
    await _source_data(boris, group)  # one chat goes in order: the bot knows by now
    listed = await _private_list(anya)
    assert not any("Кафедра оптики" in label for label in labels(listed))
    for action in ("open", "delete_sure"):
        answer = await anya.forge(listed, source.replace("open", action))
        assert answer["text"].startswith("Этого блокнота нет")
    assert "Семёна Петровича" in text_of(await ask(boris, "/ask У кого ключ от аудитории 214?", group))


async def test_a_group_keeps_its_one_notebook_whatever_a_member_presses(anya: Person, make_group) -> None:
    await keep(anya)
    own = next(button for button in buttons(await _private_list(anya)) if "Мой первый" in button["text"])
    group = await make_group(anya, bot_status="administrator")
    await _add(anya, group, NOTE)
    sent = await anya.say("/notebooks", group)
    shown = await anya.sees("Учим физику", group, after=sent)
    assert labels(shown) == ["Источники", "‹ Все блокноты"]
    for data in ("nb:new:0", own["callback_data"].replace("open", "switch")):
        answer = await anya.forge(shown, data)
        assert answer["text"].startswith("Этого блокнота нет")
    await anya.say("Мой захваченный блокнот", group)
    assert "Семёна Петровича" in text_of(await ask(anya, "/ask У кого ключ от аудитории 214?", group))


async def test_the_same_words_may_be_kept_in_two_groups_and_stay_apart(anya: Person, make_group) -> None:
    one, two = await make_group(anya, title="Первая"), await make_group(anya, title="Вторая")
    await _add(anya, one, NOTE)
    asked = await anya.say("/ask У кого ключ от аудитории 214?", two)
    await anya.sees("в блокноте этой группы нет источников", two, after=asked)


async def test_status_and_hints_in_a_group_make_no_sound(anya: Person, make_group) -> None:
    group = await make_group(anya)
    await _add(anya, group, NOTE)
    await anya.say("/help", group)
    await anya.sees("Как это работает в группе", group)
    statuses = [message for message in anya.from_bot(group) if "Прочитано" in text_of(message)]
    assert [anya.heard(message) for message in statuses] == [False]


async def _add(person: Person, group: int, words: str) -> None:
    note = await person.say(words, group)
    await person.say("/add", group, reply_to_message_id=note["message_id"])
    await person.sees(is_read, group, after=note)


async def _private_list(person: Person) -> Json:
    sent = await person.say("/notebooks")
    return await person.sees("Ваши блокноты", after=sent)


async def _source_data(person: Person, group: int) -> str:
    sent = await person.say("/sources", group)
    listed = await person.sees("1 источник", group, after=sent)
    return next(button["callback_data"] for button in buttons(listed) if button["callback_data"].startswith("src:"))
