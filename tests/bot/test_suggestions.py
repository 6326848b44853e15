"""A suggested question that is tapped is asked as if it had been typed."""

import asyncio
from typing import Any

from bot.callbacks import AskSuggested, SourceAction
from core.model.ids import NotebookId, SourceId
from core.model.insight import QUESTIONS
from core.wiring import open_plumbing
from tests.bot.notes import GLACIER, is_answer, is_read, keep
from tests.bot.people import Json, Person, buttons, text_of, until
from tests.bot.product import Product


async def _offered(product: Product, person: Person, chat: int = 0) -> str:
    """Give the data of a suggested question's button of the only source, once there are questions (after vectors)."""
    sent = await person.say("/sources", chat)
    listed = await person.sees("1 источник", chat, after=sent)
    opened = SourceAction.unpack(next(one["callback_data"] for one in buttons(listed) if one["text"] == "1"))
    notebook_id, source_id = NotebookId(opened.notebook_id), SourceId(opened.source_id)
    plumbing = open_plumbing(product.settings)

    async def made() -> dict[SourceId, str]:
        async with plumbing.transactions() as tx:
            return await tx.insights.of_kind(notebook_id, [source_id], QUESTIONS)

    try:
        await until(made, "questions of the source")
    finally:
        await plumbing.close()
    return AskSuggested(notebook_id=notebook_id, source_id=source_id, ordinal=0).pack()


async def _question(person: Person, after: Json) -> str:
    shown = await person.sees(lambda message: text_of(message).startswith("❓ "), after=after)
    return text_of(shown).removeprefix("❓ ")


async def test_a_tap_shows_the_question_and_then_its_answer(anya: Person, product: Product) -> None:
    status = await keep(anya, GLACIER)
    said = await anya.forge(status, await _offered(product, anya))
    assert not said.get("text")
    words = await _question(anya, status)
    assert words.endswith("?")
    answer = await anya.sees(is_answer, after=status)
    assert any(word in text_of(answer) for word in ("двенадцатого июля", "Корженевский"))
    asked = next(one for one in anya.from_bot() if text_of(one).startswith("❓"))
    assert asked["message_id"] < answer["message_id"]
    assert not anya.heard(asked)


async def test_t7_two_taps_ask_once(anya: Person, product: Product) -> None:
    status = await keep(anya, GLACIER)
    data = await _offered(product, anya)
    again = await asyncio.gather(anya.forge(status, data), anya.forge(status, data))
    assert [said.get("text", "") for said in again] == ["", ""]
    await anya.sees(is_answer, after=status)
    assert len([one for one in anya.from_bot() if text_of(one).startswith("❓")]) == 1


async def test_a_question_of_a_deleted_source_is_said_to_be_gone(anya: Person, product: Product) -> None:
    status = await keep(anya, GLACIER)
    data = await _offered(product, anya)
    listed = await anya.sees("1 источник")
    await anya.tap("1", listed)
    await anya.tap("Удалить")
    await anya.tap("Да, удалить")
    await anya.sees("удалён")
    said = await anya.forge(status, data)
    assert said["text"].startswith("Этого вопроса больше нет")
    assert said["show_alert"]


async def test_in_a_group_the_question_and_its_answer_come_into_the_chat(
    meet: Any, make_group: Any, product: Product
) -> None:
    anya, boris = await meet("Аня"), await meet("Борис")
    group = await make_group(anya, boris)
    note = await anya.say(GLACIER, group)
    await anya.say("/add", group, reply_to_message_id=note["message_id"])
    status = await anya.sees(is_read, group)
    await boris.forge(status, await _offered(product, anya, group))
    asked = await anya.sees(lambda message: text_of(message).startswith("❓ "), group, after=status)
    await anya.sees(is_answer, group, after=asked)
