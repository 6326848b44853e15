"""Telegram fails in every way it knows, and messages still arrive, once."""

import pytest

from tests.bot.notes import GLACIER, ask, is_read
from tests.bot.people import Person, Telegram, text_of


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "flood", "retry_after": 1},
        {"kind": "server_error"},
        {"kind": "bad_gateway_json"},
        {"kind": "drop"},
        {"kind": "server_error", "times": 3},
    ],
    ids=lambda fault: f"{fault['kind']} x{fault.get('times', 1)}",
)
async def test_a_message_that_telegram_did_not_take_arrives_exactly_once(
    anya: Person, telegram: Telegram, fault: dict
) -> None:
    await telegram.fault(method="sendMessage", chat_id=anya.id, **fault)
    await anya.say("/start")
    await anya.sees("Пришлите лекцию")
    await anya.say("/sources")
    await anya.sees("пока пусто")
    assert len(anya.from_bot()) == 2


async def test_a_message_whose_receipt_was_lost_is_repeated_once_at_most(anya: Person, telegram: Telegram) -> None:
    await telegram.fault("drop_after", method="sendMessage", chat_id=anya.id)
    await anya.say("/start")
    await anya.say("/sources")
    await anya.sees("пока пусто")
    assert len(anya.from_bot()) <= 3


async def test_retry_after_is_obeyed_for_the_chat_and_for_no_other(meet, telegram: Telegram) -> None:
    anya, boris = await meet("Аня"), await meet("Борис")
    since = await telegram.last_call()
    await telegram.fault("flood", method="sendMessage", chat_id=anya.id, retry_after=3)
    await anya.say("/start")
    refused = await telegram.bot_called("sendMessage", since=since, chat_id=anya.id)
    await anya.say("/sources")
    await boris.say("/start")
    await boris.sees("Пришлите лекцию")
    assert not anya.from_bot()
    await anya.sees("пока пусто")
    tries = await telegram.bot_calls("sendMessage", since=since, chat_id=anya.id)
    assert min(call["time"] for call in tries[1:]) >= refused[0]["time"] + 3
    assert [call["answer"].get("ok", False) for call in tries] == [False, True, True]


@pytest.mark.parametrize("kind", ["server_error", "drop", "drop_after", "bad_gateway_json"])
async def test_an_edit_that_failed_is_made_again(anya: Person, telegram: Telegram, kind: str) -> None:
    await telegram.fault(kind, method="editMessageText", chat_id=anya.id, times=2)
    await anya.say(GLACIER)
    await anya.sees(is_read)
    assert len(anya.from_bot()) == 1


@pytest.mark.parametrize("kind", ["server_error", "drop", "drop_after", "bad_gateway_json", "flood"])
async def test_polling_goes_on_after_a_failure_and_loses_nothing(anya: Person, telegram: Telegram, kind: str) -> None:
    await telegram.fault(kind, method="getUpdates", times=2)
    await anya.say("/start")
    await anya.say("/sources")
    await anya.sees("пока пусто")
    assert len(anya.from_bot()) == 2


@pytest.mark.parametrize("kind", ["server_error", "drop", "bad_gateway_json", "flood"])
async def test_a_tap_whose_answer_fails_still_has_its_effect(anya: Person, telegram: Telegram, kind: str) -> None:
    await anya.say("/start")
    shown = await anya.sees("Пришлите лекцию")
    await telegram.fault(kind, method="answerCallbackQuery")
    await anya.tap("Кто видит", shown, wait=False)
    await anya.sees("Кто видит ваши файлы")
    await anya.tap("Назад", shown)
    await anya.sees("Пришлите лекцию")


@pytest.mark.parametrize("kind", ["server_error", "drop", "bad_gateway_json", "flood"])
async def test_a_typing_sign_that_fails_costs_no_answer(anya: Person, telegram: Telegram, kind: str) -> None:
    await anya.say(GLACIER)
    await anya.sees(is_read)
    await telegram.fault(kind, method="sendChatAction", chat_id=anya.id)
    assert "семьдесят семь" in text_of(await ask(anya, "Какой длины ледник Федченко?"))


@pytest.mark.parametrize(("kind", "method"), [("drop", "getFile"), ("server_error", "getFile"), ("drop", "download")])
async def test_a_file_that_telegram_did_not_hand_over_is_fetched_again(
    anya: Person, telegram: Telegram, kind: str, method: str
) -> None:
    await telegram.fault(kind, method=method)
    await anya.send_file(GLACIER.encode(), "дневник.txt")
    await anya.sees(is_read)
    assert len(anya.from_bot()) == 1


async def test_a_file_that_is_too_big_only_when_fetched_is_refused_with_the_way_out(
    anya: Person, telegram: Telegram
) -> None:
    await telegram.fault("too_large", method="getFile")
    await anya.send_file(GLACIER.encode(), "дневник.txt")
    await anya.sees("не больше 20 МБ")


async def test_an_answer_to_a_message_that_is_gone_arrives_without_the_reply(
    anya: Person, make_group, telegram: Telegram
) -> None:
    group = await make_group(anya)
    await anya.sees("Здесь я веду", group)
    await telegram.fault("delay", method="sendMessage", chat_id=group, seconds=0.5)
    asked = await anya.say("/ask Кто здесь?", group)
    await telegram.call("DELETE", f"/users/{anya.id}/chats/{group}/messages/{asked['message_id']}")
    said = await anya.sees("в блокноте этой группы нет источников", group)
    assert "Кто здесь" not in str(said.get("reply_to_message", ""))


async def test_a_forwarded_message_deleted_meanwhile_costs_the_reply_not_the_passage(
    anya: Person, telegram: Telegram
) -> None:
    forwarded = await anya.forward("Экзамен по термодинамике перенесли на девятое июня.")
    await anya.sees(is_read)
    answer = await ask(anya, "На какое число перенесли экзамен?")
    await telegram.call("DELETE", f"/users/{anya.id}/chats/{anya.id}/messages/{forwarded['message_id']}")
    await anya.tap("1", answer)
    passage = await anya.sees("[1]", after=answer)
    assert "девятое июня" in text_of(passage)
