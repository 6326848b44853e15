"""Polls, quizzes, invoices, Stars and reactions."""

from __future__ import annotations

import asyncio

import pytest


@pytest.fixture
async def ada(play):
    return await play.friend()


STARS = {"title": "Plan", "description": "A month", "payload": "plan:pro", "currency": "XTR",
         "prices": [{"label": "Pro", "amount": 250}]}  # fmt: skip


async def vote(play, user, message, *options, status=200):
    order = {"chat_id": message["chat"]["id"], "message_id": message["message_id"], "option_ids": list(options)}
    return await play.people("POST", f"/users/{user['id']}/votes", status, json=order)


async def test_open_votes_reach_the_bot_with_the_voter(play, ada):
    question = {"question": "Which?", "options": ["a", {"text": "b"}], "is_anonymous": False}
    sent = await play.ok("sendPoll", chat_id=ada["id"], **question)

    poll = await vote(play, ada, sent, 1)
    counted, answer = await play.updates()

    assert [option["voter_count"] for option in poll["options"]] == [0, 1]
    assert counted["poll"] == poll
    assert answer["poll_answer"]["option_ids"] == [1]
    assert answer["poll_answer"]["user"]["id"] == ada["id"]


async def test_a_quiz_is_answered_once_and_a_vote_can_be_taken_back(play, ada):
    quiz = {"question": "2+2?", "options": ["3", "4"], "type": "quiz"}
    sent = await play.ok("sendPoll", chat_id=ada["id"], **quiz, correct_option_ids=[1], explanation="*sum*",
                         explanation_parse_mode="Markdown")  # fmt: skip
    plain = await play.ok("sendPoll", chat_id=ada["id"], question="?", options=["a", "b"])

    await vote(play, ada, sent, 1)
    await vote(play, ada, sent, 0, status=409)
    await vote(play, ada, plain, 0)
    after = await vote(play, ada, plain)

    assert sent["poll"]["explanation"] == "sum"
    assert after["total_voter_count"] == 0
    assert await play.refusal("sendPoll", chat_id=ada["id"], **quiz) == "Bad Request: quiz must have a correct option"


async def test_a_stopped_poll_takes_no_votes(play, ada):
    sent = await play.ok("sendPoll", chat_id=ada["id"], question="?", options=["a", "b"])

    closed = await play.ok("stopPoll", chat_id=ada["id"], message_id=sent["message_id"])

    assert closed["is_closed"]
    await vote(play, ada, sent, 0, status=409)


async def pay(play, user, message):
    order = {"chat_id": message["chat"]["id"], "message_id": message["message_id"]}
    return await play.people("POST", f"/users/{user['id']}/payments", json=order)


async def test_a_payment_is_asked_for_and_then_told(play, ada):
    sent = await play.ok("sendInvoice", chat_id=ada["id"], **STARS)
    async with asyncio.TaskGroup() as group:
        paid = group.create_task(pay(play, ada, sent))
        [asked] = await play.updates(timeout=10)
        query = asked["pre_checkout_query"]
        await play.ok("answerPreCheckoutQuery", pre_checkout_query_id=query["id"], ok=True)
    [done] = await play.updates()

    assert sent["reply_markup"]["inline_keyboard"][0][0]["pay"]
    assert (query["currency"], query["total_amount"], query["invoice_payload"]) == ("XTR", 250, "plan:pro")
    assert paid.result()["ok"]
    payment = done["message"]["successful_payment"]
    assert payment["invoice_payload"] == "plan:pro"
    charge = {"user_id": ada["id"], "telegram_payment_charge_id": payment["telegram_payment_charge_id"]}
    await play.ok("refundStarPayment", **charge)
    assert await play.refusal("refundStarPayment", **charge) == "Bad Request: CHARGE_ALREADY_REFUNDED"
    assert "refunded_payment" in (await play.history(ada))[-1]


async def test_a_refused_payment_takes_nothing(play, ada):
    sent = await play.ok("sendInvoice", chat_id=ada["id"], **STARS)
    async with asyncio.TaskGroup() as group:
        paid = group.create_task(pay(play, ada, sent))
        [asked] = await play.updates(timeout=10)
        query_id = asked["pre_checkout_query"]["id"]
        refusal = await play.refusal("answerPreCheckoutQuery", pre_checkout_query_id=query_id, ok=False)
        await play.ok("answerPreCheckoutQuery", pre_checkout_query_id=query_id, ok=False, error_message="sold out")

    assert refusal == "Bad Request: error message must be non-empty"
    assert paid.result() == {"ok": False, "error_message": "sold out"}
    assert await play.updates() == []


@pytest.mark.parametrize(("change", "reason"), [
    ({"title": "x" * 33}, "INVOICE_TITLE_TOO_LONG"),
    ({"description": "x" * 256}, "INVOICE_DESCRIPTION_TOO_LONG"),
    ({"payload": "я" * 65}, "INVOICE_PAYLOAD_INVALID"),
    ({"currency": "rub"}, "CURRENCY_INVALID"),
    ({"currency": "RUB"}, "PAYMENT_PROVIDER_INVALID"),
    ({"provider_token": "x"}, "STARS_INVOICE_INVALID"),
    ({"prices": [{"label": "a", "amount": 1}, {"label": "b", "amount": 1}]}, "STARS_INVOICE_INVALID"),
    ({"subscription_period": 60}, "SUBSCRIPTION_PERIOD_INVALID"),
    ({"reply_markup": {"inline_keyboard": [[{"text": "b", "callback_data": "d"}]]}}, "BUTTON_TYPE_INVALID"),
])  # fmt: skip
async def test_refused_invoices(shared_play, change, reason):
    ada = await shared_play.friend()

    assert await shared_play.refusal("sendInvoice", chat_id=ada["id"], **STARS | change) == f"Bad Request: {reason}"


async def test_an_invoice_link_is_paid(play, ada):
    link = await play.ok("createInvoiceLink", **STARS, subscription_period=2_592_000)
    async with asyncio.TaskGroup() as group:
        group.create_task(play.people("POST", f"/users/{ada['id']}/payments", json={"link": link}))
        [asked] = await play.updates(timeout=10)
        await play.ok("answerPreCheckoutQuery", pre_checkout_query_id=asked["pre_checkout_query"]["id"], ok=True)
    [done] = await play.updates()

    assert done["message"]["successful_payment"]["is_recurring"]


async def test_reactions_both_ways(play, ada, await_event):
    message = await play.say(ada, "x")
    heart = [{"type": "emoji", "emoji": "❤"}]
    await play.ok("getUpdates", allowed_updates=["message", "message_reaction"])
    place = {"chat_id": ada["id"], "message_id": message["message_id"], "reaction": heart}
    await play.updates()

    await play.people("POST", f"/users/{ada['id']}/reactions", json=place)
    [update] = await play.updates()
    async with await play.events(ada) as socket:
        await play.ok("setMessageReaction", **place)
        event = await await_event(socket, "reaction")

    assert update["message_reaction"]["new_reaction"] == heart
    assert update["message_reaction"]["user"]["id"] == ada["id"]
    assert event["reaction"] == heart


async def test_commands_by_scope_and_language(play, ada):
    ivan = await play.user("Иван", language_code="ru")
    for commands, place in (
        ([{"command": "ask", "description": "Ask"}], {}),
        ([{"command": "ask", "description": "Спросить"}], {"language_code": "ru"}),
        ([{"command": "rules", "description": "Rules"}], {"scope": {"type": "all_group_chats"}}),
    ):
        await play.ok("setMyCommands", commands=commands, **place)
    club = await play.group(ada)

    lines = {line["chat"]["id"]: line for line in await play.people("GET", f"/users/{ada['id']}/chats")}
    russian = await play.people("GET", f"/users/{ivan['id']}/chats")

    assert lines[ada["id"]]["commands"][0]["description"] == "Ask"
    assert lines[club["id"]]["commands"][0]["command"] == "rules"
    assert russian[0]["commands"][0]["description"] == "Спросить"
    assert await play.ok("getMyCommands", language_code="de") == []
    bad = [{"command": "Ask!", "description": "x"}]
    assert await play.refusal("setMyCommands", commands=bad) == "Bad Request: BOT_COMMAND_INVALID"
