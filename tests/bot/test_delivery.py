"""What Telegram refuses of a message is given up step by step; the words arrive."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiogram import Bot
from aiogram.client.session.aiohttp import AiohttpSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramBadRequest
from aiohttp import web

from bot.delivery import Delivery
from bot.i18n import Texts
from bot.payload import Payload
from bot.views.view import View

CHAT = -1001
WORDS = "Закон <Ома> & Co"
FORMATTED = Payload(View("<b>Закон &lt;Ома&gt;</b> &amp; Co"), thread_id=7, reply_to=3, locale="ru")


@dataclass
class Refusing:
    """A Bot API that refuses the next calls with these descriptions, and takes the later ones."""

    refusals: list[str] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        """Answer any method."""
        form = dict(await request.post())
        self.calls.append({"method": request.path.rpartition("/")[2], **form})
        if self.refusals:
            refusal = {"ok": False, "error_code": 400, "description": f"Bad Request: {self.refusals.pop(0)}"}
            return web.json_response(refusal, status=400)
        message = {"message_id": 50, "date": 1, "chat": {"id": CHAT, "type": "supergroup"}, "text": form["text"]}
        return web.json_response({"ok": True, "result": message})


@pytest.fixture
def telegram() -> Refusing:
    """What Telegram will say."""
    return Refusing()


@pytest.fixture
async def delivery(telegram: Refusing) -> AsyncIterator[Delivery]:
    """A delivery to it, over HTTP."""
    app = web.Application()
    app.router.add_post("/{rest:.*}", telegram.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server = TelegramAPIServer.from_base(f"http://127.0.0.1:{runner.addresses[0][1]}")
    bot = Bot("42:TEST", session=AiohttpSession(api=server))
    yield Delivery(bot, Texts.load())
    await bot.session.close()
    await runner.cleanup()


async def test_t1_a_formatting_that_is_refused_costs_the_formatting_and_no_word(
    delivery: Delivery, telegram: Refusing
) -> None:
    telegram.refusals = ["can't parse entities: Unsupported start tag"]
    assert await delivery.bring(FORMATTED, CHAT, 0) == 50
    assert telegram.calls[-1]["text"] == WORDS
    assert "parse_mode" not in telegram.calls[-1]
    assert telegram.calls[-1]["message_thread_id"] == "7"


async def test_t1_entities_that_are_refused_cost_the_entities_and_no_word(
    delivery: Delivery, telegram: Refusing
) -> None:
    bold = ({"type": "bold", "offset": 0, "length": 5},)
    telegram.refusals = ["can't parse entities: entity beyond the end"]
    await delivery.bring(Payload(View(WORDS, html=False, entities=bold)), CHAT, 0)
    assert [call["text"] for call in telegram.calls] == [WORDS, WORDS]
    assert "bold" not in str(telegram.calls[-1].get("entities"))


async def test_a_reply_that_is_refused_costs_the_reply(delivery: Delivery, telegram: Refusing) -> None:
    telegram.refusals = ["message to be replied not found"]
    await delivery.bring(FORMATTED, CHAT, 0)
    assert "reply_parameters" in telegram.calls[0]
    assert "reply_parameters" not in telegram.calls[1]
    assert telegram.calls[1]["parse_mode"] == "HTML"


async def test_everything_may_be_refused_one_after_the_other(delivery: Delivery, telegram: Refusing) -> None:
    telegram.refusals = ["QUOTE_TEXT_INVALID", "can't parse entities", "message thread not found"]
    await delivery.bring(FORMATTED, CHAT, 0)
    assert telegram.calls[-1]["text"] == WORDS
    assert "message_thread_id" not in telegram.calls[-1]


async def test_t9_a_closed_topic_is_said_in_general(delivery: Delivery, telegram: Refusing) -> None:
    telegram.refusals = ["TOPIC_CLOSED"]
    await delivery.bring(FORMATTED, CHAT, 0)
    assert telegram.calls[-1]["text"] == "Эта тема закрыта, и писать в неё нельзя."
    assert "message_thread_id" not in telegram.calls[-1]
    assert "reply_parameters" not in telegram.calls[-1]


async def test_a_message_to_edit_that_is_gone_is_sent_anew(delivery: Delivery, telegram: Refusing) -> None:
    telegram.refusals = ["message to edit not found"]
    assert await delivery.bring(FORMATTED, CHAT, 9) == 50
    assert [call["method"] for call in telegram.calls] == ["editMessageText", "sendMessage"]


async def test_an_edit_that_changes_nothing_is_done(delivery: Delivery, telegram: Refusing) -> None:
    telegram.refusals = ["message is not modified: specified new message content is the same"]
    assert await delivery.bring(FORMATTED, CHAT, 9) == 9


async def test_an_edit_with_a_refused_formatting_is_made_in_plain_words(delivery: Delivery, telegram: Refusing) -> None:
    telegram.refusals = ["can't parse entities"]
    assert await delivery.bring(FORMATTED, CHAT, 9) == 9
    assert telegram.calls[-1]["text"] == WORDS


async def test_a_refusal_that_nothing_helps_against_is_raised(delivery: Delivery, telegram: Refusing) -> None:
    telegram.refusals = ["chat not found"]
    with pytest.raises(TelegramBadRequest):
        await delivery.bring(FORMATTED, CHAT, 0)
    assert len(telegram.calls) == 1
