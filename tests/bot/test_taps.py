"""T7, T8: taps are answered at once, always, and count once."""

import asyncio

from tests.bot.notes import GLACIER, ask, is_answer, is_read, keep, next_burst
from tests.bot.people import Json, Person, Telegram, buttons, labels, text_of


async def test_t7_a_double_tap_deletes_once_and_shows_no_error(anya: Person, telegram: Telegram) -> None:
    await keep(anya)
    sent = await anya.say("/sources")
    await anya.tap("1", await anya.sees("1 источник", after=sent))
    await anya.tap("Удалить")
    confirm = await anya.sees("Удалить «Кривая")
    data = buttons(confirm)[0]["callback_data"]
    first, second = await asyncio.gather(anya.press(confirm, data), _soon(anya, confirm, data))
    assert first["answered"]
    assert (first["text"], second.get("text", "")) == ("", "")
    await anya.sees("удалён")


async def test_t7_a_double_tap_asks_a_question_once(anya: Person) -> None:
    await keep(anya, GLACIER)
    await next_burst()
    await anya.forward("Какой длины ледник Федченко?")
    status = await anya.sees(lambda message: is_read(message) and "Это вопрос" in labels(message))
    data = buttons(status)[0]["callback_data"]
    answers = await asyncio.gather(anya.press(status, data), anya.press(status, data))
    assert [answer["text"] for answer in answers] == ["", ""]
    await anya.sees(is_answer)
    await ask(anya, "Кто измерил скорость движения льда?")
    assert len([one for one in anya.from_bot() if is_answer(one)]) == 2


async def test_t7_one_callback_delivered_under_two_update_ids_counts_once(anya: Person, telegram: Telegram) -> None:
    await keep(anya, GLACIER)
    answer = await ask(anya, "Какой длины ледник Федченко?")
    query = {"id": "7000001", "from": anya.user, "message": answer, "chat_instance": "1", "data": _data(answer)}
    since = await telegram.last_call()
    await telegram.update(callback_query=query)
    await telegram.update(callback_query=query)
    await telegram.bot_called("answerCallbackQuery", since=since, times=2, callback_query_id="7000001")
    await anya.say("/help")
    await anya.sees("Как это работает")
    passages = [one for one in anya.from_bot() if text_of(one).startswith("[1] Дневник")]
    assert len(passages) == 1


async def test_t7_a_tap_that_telegram_has_forgotten_has_its_effect_without_an_error(
    anya: Person, telegram: Telegram
) -> None:
    await keep(anya, GLACIER)
    answer = await ask(anya, "Какой длины ледник Федченко?")
    since = await telegram.last_call()
    query = {"id": "1", "from": anya.user, "message": answer, "chat_instance": "1", "data": _data(answer)}
    await telegram.update(callback_query=query)
    refused = await telegram.bot_called("answerCallbackQuery", since=since, callback_query_id="1")
    assert "query is too old" in refused[0]["answer"]["description"]
    await anya.sees("[1]", after=answer)
    assert not [one for one in anya.from_bot() if "пошло не так" in text_of(one)]


async def test_t7_a_tap_under_a_message_too_old_to_be_seen_opens_a_new_one(anya: Person, telegram: Telegram) -> None:
    await anya.say("/start")
    shown = await anya.sees("Пришлите лекцию")
    unseen = {"chat": shown["chat"], "message_id": shown["message_id"], "date": 0}
    await anya.forge(unseen, "help:privacy")
    opened = await anya.sees("Кто видит ваши файлы", after=shown)
    assert opened["message_id"] != shown["message_id"]
    said = await anya.forge(unseen, "nb:open:999999999")
    assert said["text"].startswith("Этого блокнота нет")
    assert said["show_alert"]
    assert len(anya.from_bot()) == 2


async def test_t7_a_tap_on_what_was_edited_away_meanwhile_is_still_answered(anya: Person) -> None:
    await anya.say("/notebooks")
    shown = await anya.sees("Ваши блокноты")
    data = buttons(shown)[0]["callback_data"]
    await anya.tap("Новый блокнот", shown)
    await anya.sees("Как назвать")
    answer = await anya.forge(shown, data)
    assert not answer.get("text")
    await anya.sees("Открыт сейчас")


async def test_t8_a_slow_answer_to_one_tap_keeps_nobody_else_waiting(meet, telegram: Telegram) -> None:
    anya, boris = await meet("Аня"), await meet("Борис")
    await anya.say("/start")
    shown = await anya.sees("Пришлите лекцию")
    since = await telegram.last_call()
    await telegram.fault("delay", method="answerCallbackQuery", seconds=4)
    await anya.tap("Кто видит", shown, wait=False)
    await anya.sees("Кто видит ваши файлы")
    await boris.say("/start")
    await boris.sees("Пришлите лекцию")
    assert await telegram.bot_calls("answerCallbackQuery", since=since) == []
    await telegram.bot_called("answerCallbackQuery", since=since)


async def _soon(person: Person, message: Json, data: str) -> Json:
    await asyncio.sleep(0.05)
    return await person.forge(message, data)


def _data(message: Json) -> str:
    return str(buttons(message)[0]["callback_data"])
