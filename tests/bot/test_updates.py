"""T11, T12: each update has its effect once, and what is not meant for the bot has none."""

import pytest

from tests.bot.notes import GLACIER, ask, is_answer, keep
from tests.bot.people import Person, Telegram, text_of
from tests.bot.product import Product


async def test_t11_an_update_delivered_twice_has_its_effect_once(anya: Person, telegram: Telegram) -> None:
    await keep(anya, GLACIER)
    await telegram.fault("duplicate_update", times=2)
    await ask(anya, "Какой длины ледник Федченко?")
    await ask(anya, "Кто измерил скорость движения льда?")
    assert len([one for one in anya.from_bot() if is_answer(one)]) == 2


async def test_t11_an_update_comes_again_after_a_restart_and_has_no_second_effect(
    anya: Person, telegram: Telegram, product: Product
) -> None:
    await anya.say("/start")
    await anya.sees("Пришлите лекцию")
    update_id = await telegram.update(message={**_text(anya, "/language"), "message_id": 70_000})
    await anya.sees("Язык моих сообщений")
    await product.stop_bot()
    await telegram.update(update_id=update_id, message={**_text(anya, "/language"), "message_id": 70_000})
    product.start_bot()
    await anya.say("/sources")
    await anya.sees("пока пусто")
    assert len(anya.from_bot()) == 3


async def test_t11_what_is_said_while_the_bot_is_down_is_done_once_it_is_back(anya: Person, product: Product) -> None:
    await product.stop_bot()
    await anya.say("/start")
    await anya.say("/sources")
    product.start_bot()
    await anya.sees("пока пусто")
    assert ["Пришлите лекцию" in text_of(one) for one in anya.from_bot()] == [True, False]


async def test_t11_words_of_one_chat_are_answered_in_their_order(anya: Person) -> None:
    for command in ("/start", "/sources", "/language"):
        await anya.say(command)
    await anya.sees("Язык моих сообщений")
    beginnings = [text_of(one)[:8] for one in anya.from_bot()]
    assert beginnings == ["Пришлите", "В блокно", "Язык мои"]


async def test_a_question_outlives_workers_that_are_away(anya: Person, product: Product) -> None:
    await keep(anya, GLACIER)
    await product.stop_workers()
    asked = await anya.say("Какой длины ледник Федченко?")
    await anya.say("/help")
    await anya.sees("Как это работает", after=asked)
    await product.start_workers()
    assert "семьдесят семь" in text_of(await anya.sees(is_answer, after=asked))


async def test_t12_a_command_for_another_bot_is_ignored_even_as_a_reply(anya: Person, make_group) -> None:
    group = await make_group(anya, bot_status="administrator")
    hello = await anya.sees("Здесь я веду", group)
    await anya.say("/help@other_bot", group)
    await anya.say("/help@other_bot", group, reply_to_message_id=hello["message_id"])
    await anya.say("/unknown", group, reply_to_message_id=hello["message_id"])
    sent = await anya.say("/sources@konspekt_sandbox_bot", group)
    await anya.sees("пока пусто", group, after=sent)
    assert len(anya.from_bot(group)) == 2


async def test_t12_an_edited_question_gets_no_second_answer(anya: Person) -> None:
    await keep(anya, GLACIER)
    asked = await anya.say("Какой длины ледник Федченко?")
    await anya.sees(is_answer, after=asked)
    await anya.edit(asked, "Кто измерил скорость движения льда?")
    await anya.say("/help")
    await anya.sees("Как это работает", after=asked)
    assert len([one for one in anya.from_bot() if is_answer(one)]) == 1


@pytest.mark.parametrize("payload", ["a.b", "x" * 65, "ref_42", "😀", "=1"])
async def test_t12_a_start_payload_that_means_nothing_is_a_plain_start(anya: Person, payload: str) -> None:
    await anya.say(f"/start {payload}")
    await anya.sees("Пришлите лекцию")


async def test_updates_of_unknown_shape_stop_nobody(anya: Person, telegram: Telegram) -> None:
    await telegram.update(message={**_text(anya, "x"), "message_id": 71_000, "from": {"id": anya.id}})
    await telegram.update(message={**_text(anya, ""), "message_id": 71_001, "sticker": {"file_id": "x"}})
    await telegram.update(something_new={"a": 1})
    await telegram.update(message={"message_id": 71_002, "date": 0, "chat": {"id": anya.id, "type": "private"}})
    await anya.say("/start")
    await anya.sees("Пришлите лекцию")


def _text(person: Person, text: str) -> dict:
    entity = {"type": "bot_command", "offset": 0, "length": len(text)}
    chat = {"id": person.id, "type": "private", "first_name": "Аня"}
    return {"date": 1, "chat": chat, "from": person.user, "text": text, "entities": [entity]}
